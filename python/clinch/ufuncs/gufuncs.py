"""Makes generalised ufuncs from Ops on arrays."""

from __future__ import annotations

import ctypes
import re

import numpy

from ..base.annotations import Any, Tier
from ..types.array_type import TensorType
from .callbacks import compile_calling
from ..build.functions import function as make_function
from ..graph.variables import Variable
from ..build.interface import In, Out
from ..base.c_source import c_source
from .ufunc_objects import c_string, keep_alive, numpy_function

# In NumPy's order, because a ufunc takes the first loop that its inputs fit.
DTYPES = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
          "float16", "float32", "float64", "complex64", "complex128")
_NAME = r"[A-Za-z_]\w*"
_ARGUMENT = re.compile(r"\(([^()]*)\)")


def parse(signature: str) -> list[list[list[str]]]:
    """Returns the names of the dimensions of each input and each output."""
    parts = signature.replace(" ", "").split("->")
    if len(parts) != 2:
        raise ValueError(f"{signature!r} is not a signature such as "
                         f"'(n),(n)->()'")
    found = []
    for part in parts:
        arguments = _ARGUMENT.findall(part)
        if ",".join(f"({a})" for a in arguments) != part:
            raise ValueError(f"{signature!r} is not a signature such as "
                             f"'(n),(n)->()'")
        found.append([a.split(",") if a else [] for a in arguments])
    for name in (n for side in found for names in side for n in names):
        if not re.fullmatch(_NAME, name):
            raise ValueError(f"{name!r} in {signature!r} is no name of a "
                             f"dimension")
    known = {n for names in found[0] for n in names}
    for name in (n for names in found[1] for n in names):
        if name not in known:
            raise ValueError(f"no input of {signature!r} has the dimension "
                             f"{name!r}")
    return found


def dtype_names(dtypes: Any) -> list[str]:
    """Returns the names of the dtypes of loops: one, or a list or tuple of them."""
    names = []
    for dtype in dtypes if isinstance(dtypes, (list, tuple)) else [dtypes]:
        try:
            names.append(numpy.dtype(dtype).name)
        except TypeError:
            names.append("")
        if names[-1] not in DTYPES:
            raise TypeError(f"dtypes={dtypes!r} has {dtype!r}, for which there is no "
                            f"loop; there are {', '.join(DTYPES)}")
    return names


def generalised(op: Any, signature: str, dtypes: Any, name: str | None,
                doc: str | None, tier: Tier | None) -> Any:
    """Makes a ufunc whose loop calls the Op with whole arrays."""
    ins, outs = parse(signature)
    several = isinstance(dtypes, (list, tuple))
    dtypes = dtype_names(dtypes or "float64") * (1 if several else len(ins))
    if len(dtypes) != len(ins):
        raise ValueError(f"{signature!r} has {len(ins)} inputs, and dtypes "
                         f"{len(dtypes)}")
    given = [TensorType(d, (None,) * len(names))()
             for d, names in zip(dtypes, ins)]
    made = op(*given)
    made = list(made) if isinstance(made, (list, tuple)) else [made]
    _check(made, outs, signature)
    # NumPy copies what it gives out of the loop's results.
    target = make_function([In(v, borrow=True) for v in given],
                           [Out(v, borrow=True) for v in made], tier)
    text = compile_calling(
        _text([v.type for v in given], [v.type for v in made], ins, outs,
              str(name or getattr(op, "__name__", op)), doc or ""),
        target, "gufunc", tier)
    make = numpy_function(31, *[ctypes.c_void_p] * 3, *[ctypes.c_int] * 4,
                          ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int,
                          ctypes.c_void_p)
    ufunc = make(*(text.lookup(f"clinch_{part}")
                   for part in ("functions", "data", "types")),
                 1, len(ins), len(outs), -1, text.lookup("clinch_name"),
                 text.lookup("clinch_doc"), 0,
                 text.lookup("clinch_signature"))
    keep_alive(ufunc, text)
    return ufunc


def _check(made: list[Any], outs: list[list[str]], signature: str) -> None:
    if len(made) != len(outs):
        raise ValueError(f"{signature!r} has {len(outs)} outputs, and the Op "
                         f"gives {len(made)}")
    for v, names in zip(made, outs):
        if not isinstance(v, Variable) or not isinstance(v.type, TensorType):
            raise TypeError(f"a generalised ufunc gives arrays, not {v!r}")
        if v.type.ndim != len(names):
            raise ValueError(f"{signature!r} says {len(names)} dimensions for "
                             f"an output of type {v.type}")


def _text(in_types: list[Any], out_types: list[Any], ins: list[list[str]],
          outs: list[list[str]], name: str, doc: str) -> str:
    order = list(dict.fromkeys(n for names in (*ins, *outs) for n in names))
    tables, rows = [], []
    for k, (kind, names) in enumerate(zip((*in_types, *out_types), (*ins, *outs))):
        dims = ", ".join(str(order.index(n)) for n in names) or "0"
        tables.append(f"static const int dims{k}[] = {{{dims}}};")
        rows.append(f"{{{numpy.dtype(kind.dtype).num}, {len(names)}, dims{k}}}")
    numbers = ", ".join(str(numpy.dtype(t.dtype).num)
                        for t in (*in_types, *out_types))
    said = ",".join(f"({','.join(n)})" for n in ins) + "->" + ",".join(
        f"({','.join(n)})" for n in outs)
    return "\n".join([
        c_source("gufunc.h"), *tables,
        f"static const struct clinch_argument operands[] = {{{', '.join(rows)}}};",
        f"static const struct clinch_gufunc gufunc = {{{len(ins)}, {len(outs)}, operands}};",
        "void *clinch_functions[] = {(void *)clinch_gufunc_loop};",
        "void *clinch_data[] = {(void *)&gufunc};",
        f"char clinch_types[] = {{{numbers}}};",
        f"char clinch_name[] = {c_string(name)};",
        f"char clinch_doc[] = {c_string(doc)};",
        f"char clinch_signature[] = {c_string(said)};"])
