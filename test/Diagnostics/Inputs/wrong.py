"""Functions of one Op, or of one Type, with something wrong in it."""

from clinch import Apply, Double, Op, double, function


class Wrong(Op):
    """A copy of a double, but for what a case changes."""
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {inputs[0]};"


def filled(template):
    """A hook of an Op that returns the template, filled."""
    def hook(self, node, name, inputs, outputs, sub):
        return template % dict(sub, x=inputs[0], z=outputs[0], name=name)
    return hook


def op(code=None, **hooks):
    """A function of an Op with this c_code and these hooks."""
    if code is not None:
        hooks["c_code"] = filled(code)
    x = double("x")
    return function([x], type("Wrong", (Wrong,), hooks)()(x))


def of_type(**templates):
    """A function of a Type whose hooks return these templates, filled."""
    def hook(template):
        return lambda self, name, sub, check_input=True: \
            template % dict(sub, name=name)
    kind = type("Bad", (Double,), {k: hook(t) for k, t in templates.items()})
    x = kind()("x")
    return function([x], Wrong()(x))
