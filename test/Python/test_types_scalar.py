"""Python's float and NumPy's scalars in C: which values, what of others."""

import math
import struct

import numpy
import pytest

import clinch
from clinch import Scalar, double
from clinch.tensor import identity
from thunks import Raw, references

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16",
          "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128"]


def values_of(dtype):
    """The ends of a dtype and what lies between."""
    kind = numpy.dtype(dtype)
    if kind.kind == "b":
        return [kind.type(False), kind.type(True)]
    if kind.kind in "iu":
        ends = numpy.iinfo(kind)
        return [kind.type(v) for v in (ends.min, 0, 1, 100, ends.max)]
    parts = [0.0, -0.0, 1.5, -2.25, math.inf, -math.inf, math.nan,
             numpy.finfo(kind).max, numpy.finfo(kind).smallest_subnormal]
    if kind.kind == "f":
        return [kind.type(v) for v in parts]
    return [kind.type(complex(a, b)) for a in parts for b in parts]


def bits(value):
    return numpy.asarray(value).tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("language", ["c", "c++"])
def test_each_value_comes_out_as_it_went_in(dtype, language):
    x = Scalar(dtype)("x")
    run = Raw([x], [identity(x)], language=language)
    for value in values_of(dtype):
        result, = run(value)
        assert type(result) is numpy.dtype(dtype).type
        assert bits(result) == bits(value)


@pytest.mark.parametrize("dtype", DTYPES)
def test_each_constant_is_what_it_was(dtype):
    for value in values_of(dtype):
        c = clinch.constant(value, Scalar(dtype))
        result, = Raw([], [identity(c)])()
        if value == value:
            assert bits(result) == bits(value), value
        else:
            # A NaN is a NaN: the literal has no payload, and its sign is kept.
            assert numpy.array_equal(numpy.isnan([value.real, value.imag]),
                                     numpy.isnan([result.real, result.imag]))


@pytest.mark.parametrize("value", [0.0, -0.0, 1.0, 0.1, -5e-324, 1e308,
                                   math.inf, -math.inf, math.nan, -math.nan])
def test_float_constants(value):
    result, = Raw([], [identity(clinch.constant(value))])()
    assert type(result) is float
    assert struct.pack("d", result) == struct.pack("d", value)


@pytest.mark.parametrize("dtype", DTYPES)
def test_refuses_other_types(dtype):
    x = Scalar(dtype)("x")
    run = Raw([x], [identity(x)])
    good = numpy.dtype(dtype).type(1)
    kept, = run(good)
    others = [None, 1, 1.5, 1j, True, "1", numpy.array(1, dtype)]
    others += [numpy.dtype(d).type(1) for d in DTYPES if d != dtype]
    for other in others:
        with pytest.raises(TypeError) as error:
            run(other)
        name = type(other).__name__
        if isinstance(other, (numpy.generic, numpy.ndarray)):
            name = "numpy." + name
        assert str(error.value) == (
            f"expected a numpy.{dtype} scalar, not {name}")
        assert run.cells[1][0] is kept


class Celsius(float):
    pass


@pytest.mark.parametrize("value", [1.5, Celsius(1.5), numpy.float64(1.5)])
def test_floats_are_floats(value):
    x = double("x")
    result, = Raw([x], [identity(x)])(value)
    assert type(result) is float and result == 1.5


@pytest.mark.parametrize("value", [None, 1, True, "1", 1j, numpy.float32(1)])
def test_nothing_else_is_a_float(value):
    x = double("x")
    run = Raw([x], [identity(x)])
    run(2.0)
    with pytest.raises(TypeError) as error:
        run(value)
    name = type(value).__name__
    if isinstance(value, numpy.generic):
        name = "numpy." + name
    assert str(error.value) == f"expected a float, not {name}"
    assert run.cells[1][0] == 2.0


@pytest.mark.parametrize("dtype", [None, *DTYPES])
def test_references_balance(dtype):
    kind = Scalar(dtype) if dtype else double
    x = kind("x")
    run = Raw([x], [identity(x)])
    value = numpy.dtype(dtype).type(1) if dtype else float("1.25")
    before = references(value)
    for _ in range(20):
        run(value)
    run.cells[0][0] = run.cells[1][0] = None
    assert references(value) == before
