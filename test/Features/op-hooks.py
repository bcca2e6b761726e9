"""Every C hook of an Op, and how often each runs."""
# RUN: clinch --emit=c --form=struct %s | FileCheck %s --check-prefix=C
# RUN: clinch --form=struct %s | FileCheck %s
# RUN: clinch --form=struct --language=c++ %s | FileCheck %s


class Noisy(Op):
    """Gives x back and says which of its hooks run."""
    __props__ = ("tag",)

    def __init__(self, tag):
        self.tag = tag

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_headers(self):
        return ["<stdio.h>"]

    def c_support_code(self):
        return """
            static void say(const char *what, const char *who)
            { printf("%s %s\\n", what, who); }
        """

    def c_support_code_apply(self, node, name):
        return f'static const char *const who_{name} = "{self.tag}";'

    def c_support_code_struct(self, node, name):
        return f"int runs_{name};"

    def c_init_code(self):
        return 'say("init_code", "once");'

    def c_init_code_apply(self, node, name):
        return f'say("init_code_apply", who_{name});'

    def c_init_code_struct(self, node, name, sub):
        return f'runs_{name} = 10; say("init_code_struct", who_{name});'

    def c_cleanup_code_struct(self, node, name):
        return f'say("cleanup_code_struct", who_{name});'

    def c_code(self, node, name, inputs, outputs, sub):
        return f"""
            runs_{name}++;
            printf("code %s, run %d\\n", who_{name}, runs_{name});
           
            if ({inputs[0]} < 0) {{
                PyErr_SetString(PyExc_ValueError, "negative");
                {sub['fail']}
            }}
            {outputs[0]} = {inputs[0]};
        """

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return f'say("code_cleanup", who_{name});'

    def c_code_cache_version(self):
        return (1,)

    def c_code_cache_version_apply(self, node):
        return (1, self.tag)


x = double("x")
f = function([x], Noisy("second")(Noisy("first")(x)))
print(f(1.0))
print(f(2.0))
try:
    f(-1.0)
except ValueError as error:
    print("ValueError:", error)
del f
import gc
gc.collect()
print("dropped")
f = function([x], Noisy("second")(Noisy("first")(x)))  # For --emit.

# C: static void say(
# C: static const char *const who_[[A:node_[0-9]+]] = "first";
# C: static const char *const who_[[B:node_[0-9]+]] = "second";
# C: int runs_[[A]];
# C: int runs_[[B]];

# CHECK:      init_code once
# CHECK-NEXT: init_code_apply first
# CHECK-NEXT: init_code_apply second
# CHECK-NEXT: init_code_struct first
# CHECK-NEXT: init_code_struct second
# CHECK-NEXT: code first, run 11
# CHECK-NEXT: code second, run 11
# CHECK-NEXT: code_cleanup second
# CHECK-NEXT: code_cleanup first
# CHECK-NEXT: 1.0
# CHECK-NEXT: code first, run 12
# CHECK-NEXT: code second, run 12
# CHECK-NEXT: code_cleanup second
# CHECK-NEXT: code_cleanup first
# CHECK-NEXT: 2.0
# The first fails: its cleanup runs, the second never began.
# CHECK-NEXT: code first, run 13
# CHECK-NEXT: code_cleanup first
# CHECK-NEXT: ValueError: negative
# CHECK-NEXT: cleanup_code_struct second
# CHECK-NEXT: cleanup_code_struct first
# CHECK-NEXT: dropped
