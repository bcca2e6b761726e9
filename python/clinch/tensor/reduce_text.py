"""The C of a reduction: one step, and what `clinch/reduction.h` makes loops of."""

KERNELS = """
static inline __attribute__((always_inline)) {acc}
{name}_step({acc} a_{name}, {acc} x_{name}) {{
  struct {name}_step_end {{ int failed; }} clinch_end = {{0}};
  {declare}
{code}
  (void)clinch_end;
  return z_{name};
}}
#define CLINCH_OF(name) {name}_##name
#define CLINCH_ITEM {item}
#define CLINCH_ACC {acc}
#define CLINCH_CAST(x) {cast}
{more}#include <clinch/reduction.h>
"""

MEAN = """
static void {name}_finish(char *result, Py_ssize_t n, Py_ssize_t count) {{
  {acc} *a = ({acc} *)result;
  for (Py_ssize_t i = 0; i < n; ++i)
    a[i] = {divided};
}}
"""

#: Of Ops on integers, whose order is nobody's.
ANY_ORDER = "#define CLINCH_ANY_ORDER\n"
#: Of dtypes by their kind: what few items change.
FEW_CHANGE = """#define CLINCH_CHANGES(a, x) {changes}
#define CLINCH_IS_LAST(a) {last}
"""
CHANGES = {
    ("logical_or", "b"): ("((x) > (a))", "(a)"),
    ("logical_and", "b"): ("((x) < (a))", "(!(a))"),
    ("maximum", "f"): ("(!((x) <= (a)))", "((a) != (a))"),
    ("minimum", "f"): ("(!((x) >= (a)))", "((a) != (a))"),
}
#: What LLVM makes vectors of in a reduction of truths, which are 0 or 1.
OF_TRUTHS = {"logical_or": "|", "logical_and": "&"}
