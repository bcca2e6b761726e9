"""Parameters reach C as a struct, enumerations as names."""
# RUN: clinch %s | FileCheck %s
# RUN: clinch --language=c++ %s | FileCheck %s
# RUN: clinch --emit=c %s | FileCheck %s --check-prefix=C


class Scale(COp):
    params_type = ParamsType(factor=Scalar("float64"),
                             how=EnumList("TIMES", "PLUS"))
    __props__ = ("factor", "how")

    def __init__(self, factor, how):
        self.factor, self.how = factor, how

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        p = sub["params"]
        return f"""
            if ({p}->how == TIMES)
                {outputs[0]} = {inputs[0]} * {p}->factor;
            else if ({p}->how == PLUS)
                {outputs[0]} = {inputs[0]} + {p}->factor;
            else {{
                PyErr_SetString(PyExc_ValueError, "no such way");
                {sub['fail']}
            }}
        """

    def c_code_cache_version(self):
        return (1,)


how = Scale.params_type.get_enum
x = double("x")
f = function([x], Scale(3.0, how("PLUS"))(Scale(2.0, how("TIMES"))(x)))
print(f(5.0))

# C: #define TIMES
# C: #define PLUS
# CHECK: 13.0
