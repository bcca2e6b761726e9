"""An Op and a Type of which one hook says more than its text."""

from clinch import Apply, Double, Op


class Saying(Op):
    """Twice a number. What comes to the text of `hook` begins a line of its own."""

    __props__ = ("hook", "more")

    def __init__(self, hook="", more=""):
        self.hook, self.more = hook, more

    def said(self, hook, text):
        return f"{text}\n{self.more}" if hook == self.hook else text

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return self.said("c_code", f"double x = {inputs[0]}, z = 0; "
                                   f"{outputs[0]} = 2 * x + z;")

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return self.said("c_code_cleanup", "double x = 1, z = x; (void)z;")

    def c_support_code(self, **kwargs):
        return self.said("c_support_code", "#define CALL(x) x")

    def c_support_code_apply(self, node, name):
        return self.said("c_support_code_apply", f"static int own_{name};")

    def c_support_code_struct(self, node, name):
        return self.said("c_support_code_struct", f"int mine_{name};")

    def c_init_code(self, **kwargs):
        return [self.said("c_init_code", ";")]

    def c_init_code_apply(self, node, name):
        return self.said("c_init_code_apply", ";")

    def c_init_code_struct(self, node, name, sub):
        return self.said("c_init_code_struct", "double x = 1, z = x; (void)z;")

    def c_cleanup_code_struct(self, node, name):
        return self.said("c_cleanup_code_struct", ";")


def saying_type(hook="", more=""):
    """A Type of floats of which one hook says more."""
    def said(self, name, sub, check_input=True):
        given = getattr(Double(), hook)
        text = (given(name, sub, check_input=check_input)
                if hook in ("c_declare", "c_extract") else given(name, sub))
        return f"{text or ''}\n{more}"
    return type("SayingType", (Double,), {hook: said} if hook else {})()


#: The hooks of both.
OF_TYPE = ["c_declare", "c_init", "c_extract", "c_sync", "c_cleanup"]
OF_OP = ["c_support_code", "c_support_code_apply", "c_support_code_struct",
         "c_init_code", "c_init_code_apply", "c_init_code_struct",
         "c_cleanup_code_struct", "c_code", "c_code_cleanup"]


def graph(hook, more, times=1):
    """An input, and what the Op makes of it so many times; one hook says more."""
    x = (saying_type(hook, more) if hook in OF_TYPE else saying_type())("x")
    y = Saying(hook, more)(x)
    for _ in range(times - 1):
        y = Saying()(y)
    return x, y
