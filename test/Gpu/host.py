"""Blocks of a graph that launch kernels: on a device, on the driver for tests, in the
simulator."""

import gc

import numpy

import clinch
import clinch.cuda


class Scaled(clinch.Op):
    """Its input times 2.5, by a launch in its block."""

    __props__ = ()

    def make_node(self, x):
        return clinch.Apply(self, [x], [x.type()])

    def c_compiler(self):
        return "cuda"

    def c_support_code(self, **kwargs):
        return "__global__ void scaled(double *x) { x[threadIdx.x] *= 2.5; }"

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        return f"""
            if (clinch_gpu_copy(&{z}, &{x})) {sub["fail"]}
            scaled<<<1, {x}.shape[0]>>>((double *){z}.data);"""


class Launches(clinch.Op):
    """Its input; its block launches a kernel that needs no memory."""

    __props__ = ()

    def make_node(self, x):
        return clinch.Apply(self, [x], [x.type()])

    def c_compiler(self):
        return "cuda"

    def c_support_code(self, **kwargs):
        return "__global__ void nothing() {}"

    def c_code(self, node, name, inputs, outputs, sub):
        return f"nothing<<<dim3(1, 1), 2, 64>>>(); {outputs[0]} = {inputs[0]};"


def launching(**options):
    x = clinch.double("x")
    return clinch.function([x], Launches()(x), mode=clinch.Mode(**options))


def check_block(simulate=False, check=False, **options):
    """An Op in a graph; a launch that fails is an exception of its block."""
    x = clinch.cuda.GpuArrayType("float64", 1, simulate=simulate or check)("x")
    mode = clinch.Mode(simulate=simulate, check=check, **options)
    f = clinch.function([x], Scaled()(Scaled()(x)).transfer("cpu"), mode=mode)
    assert (f(numpy.arange(32.0)) == 6.25 * numpy.arange(32)).all()
    try:
        f(numpy.ones(2000))
    except clinch.cuda.LaunchError as error:
        assert "`Scaled.c_code`" in error.diagnostics[0]["origin"]
    else:
        raise AssertionError("2000 threads of a block were launched")
    assert (f(numpy.arange(4.0)) == 6.25 * numpy.arange(4)).all()


def host(report, there):
    """A part of device.py."""
    for said in ("a block of a graph", "again, when its code was freed"):
        report.attempt(said, lambda report, said: (
            check_block(device=there.device, simulate=there.simulate),
            report.check(True, said)), said)
        gc.collect()
