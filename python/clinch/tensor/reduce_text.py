"""The C of a reduction: one step, and what `clinch/reduction.h` makes loops of."""

import numpy

KERNELS = """
static inline __attribute__((always_inline)) {acc}
{name}_step({acc} {a}, {acc} {x}) {{
{code}
  return {z};
}}
#define CLINCH_OF(name) {name}_##name
#define CLINCH_ACC {acc}
{more}#include <clinch/reduction.h>
"""

#: An author's step: a `return` in its text knows nothing of this struct.
STEP = """  struct {name}_step_end {{ int failed; }} clinch_end = {{0}};
  {declared}
{code}
  (void)clinch_end;"""

MEAN = """
static void {name}_finish(char *result, Py_ssize_t n, Py_ssize_t count) {{
  {acc} *a = ({acc} *)result;
  for (Py_ssize_t i = 0; i < n; ++i)
    a[i] = {divided};
}}
"""

#: Of items that are not of the result's dtype.
OTHER_ITEMS = """#define CLINCH_ITEM {item}
#define CLINCH_CAST(x) {cast}
"""
#: Of Ops on integers, whose order is nobody's.
ANY_ORDER = "#define CLINCH_ANY_ORDER\n"
#: Of dtypes by their kind: what few items change, and what none does.
FEW_CHANGE = """#define CLINCH_CHANGES(a, x) {changes}
#define CLINCH_IS_LAST(a) {last}
"""
CHANGES = {
    ("logical_or", "b"): ("((x) != 0)", "(a)"),
    ("logical_and", "b"): ("((x) == 0)", "(!(a))"),
    ("maximum", "f"): ("(!((x) <= (a)))", "((a) != (a))"),
    ("minimum", "f"): ("(!((x) >= (a)))", "((a) != (a))"),
}
#: Of floats: a step as C has it, of vectors too.
JOINS = {"add": "+", "mul": "*"}
#: Of floats: what comes before what.
BEFORE = {"maximum": ">", "minimum": "<"}
#: What LLVM makes vectors of in a reduction of truths, which are 0 or 1.
OF_TRUTHS = {"logical_or": "|", "logical_and": "&"}


def odd_items(dtype: str) -> str:
    """Returns what `clinch/extreme.h` is to know of items."""
    if numpy.dtype(dtype).kind != "f":
        return "#define CLINCH_ODD(x) ((x) & 0)\n"
    half = "#define CLINCH_HALF\n" if dtype == "float16" else ""
    return f"#define CLINCH_ODD(x) ((x) != (x))\n{half}"
