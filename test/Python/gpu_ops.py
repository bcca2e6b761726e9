"""What the tests of Ops of arrays on a device share."""

import clinch
from clinch import Mode
from clinch.cuda import GpuArrayType

SIMULATED = Mode(simulate=True)


def there(dtype, ndim):
    return GpuArrayType(dtype, ndim, simulate=True)()


class Most(clinch.COp):
    """An author's maximum, which says nothing of headers."""

    __props__ = ()

    def make_node(self, x, y):
        return clinch.Apply(self, [x, y], [x.type()])

    def c_support_code(self, **kwargs):
        return "static inline float most(float a, float b) { return a < b ? b : a; }"

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = most({inputs[0]}, {inputs[1]});"

    def c_code_cache_version(self):
        return (1,)
