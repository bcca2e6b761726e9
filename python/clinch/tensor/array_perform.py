"""Computes scalar Ops on arrays in Python, with NumPy."""

import numpy

from ..scalar_perform import _AS_THEY_ARE, _OWN, _WHOLE, check_divisor


def _each(function):
    """Applies a function of numbers to each item."""
    def over(*arrays):
        arrays = numpy.broadcast_arrays(*arrays)
        flat = [function(*(a[index] for a in arrays))
                for index in numpy.ndindex(arrays[0].shape)]
        return numpy.array(flat).reshape(arrays[0].shape)
    return over


def _complex(re, im):
    # `re + 1j * im` would make an infinity a NaN.
    re, im = numpy.broadcast_arrays(re, im)
    value = numpy.zeros(re.shape, complex)
    value.real, value.imag = re, im
    return value


def _from_polar(r, angle):
    r, angle = numpy.asarray(r, float), numpy.asarray(angle, float)
    return _complex(r * numpy.cos(angle), r * numpy.sin(angle))


_OVER = {
    "complex": _complex,
    "complex_from_polar": _from_polar,
    "second": lambda x, y: numpy.broadcast_arrays(x, y)[1],
    "first": lambda x, y: numpy.broadcast_arrays(x, y)[0],
    **{name: _each(_OWN[name]) for name in ("erf", "erfc", "gamma", "lgamma")},
}


def _function(op):
    name = op.name
    own = _OVER.get(name) or _OWN.get(name)
    return own or getattr(numpy, op._numpy_name)


def _table_op(op, arrays, dtype):
    """Computes a shipped scalar Op, as `scalar_perform` does for one item."""
    kind, name = numpy.dtype(dtype).kind, op.name
    if kind in "biu" and name in _WHOLE:
        return arrays[0]
    if name == "angle" and not numpy.iscomplexobj(arrays[0]):
        arrays = [arrays[0].astype(dtype)]
    if kind in "iufc" and name not in _AS_THEY_ARE:
        arrays = [a.astype(dtype) for a in arrays]
    check_divisor(name, arrays, kind)
    with numpy.errstate(all="ignore"):
        return numpy.asarray(_function(op)(*arrays))


def _item_by_item(op, node, arrays):
    """Computes an author's Op by calling its `perform` for each item."""
    if not hasattr(op, "perform"):
        raise NotImplementedError(f"{op} has no perform: Python cannot "
                                  f"compute it")
    arrays = numpy.broadcast_arrays(*arrays)
    results = [numpy.empty(arrays[0].shape, v.type.dtype)
               for v in node.outputs]
    for index in numpy.ndindex(arrays[0].shape):
        numbers = [v.type.filter(a[index])
                   for v, a in zip(node.inputs, arrays)]
        storage = [[None] for _ in results]
        op.perform(node, numbers, storage)
        for result, cell in zip(results, storage):
            result[index] = cell[0]
    return results


def evaluate(op, node, inputs):
    """Returns the outputs of a scalar apply on arrays, each with its dtype."""
    inner = getattr(op, "evaluate_arrays", None)
    if inner is not None:
        return inner(inputs)
    arrays = [numpy.asarray(value) for value in inputs]
    if hasattr(op, "_numpy_name"):
        results = [_table_op(op, arrays, node.outputs[0].type.dtype)]
    elif type(op).__name__ == "Cast":
        results = [arrays[0]]
    else:
        return _item_by_item(op, node, arrays)
    shape = numpy.broadcast_shapes(*(a.shape for a in arrays))
    with numpy.errstate(all="ignore"):
        return [numpy.broadcast_to(r.astype(v.type.dtype), shape)
                for r, v in zip(results, node.outputs)]
