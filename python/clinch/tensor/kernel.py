"""The C text that computes one item, and the loop around it.

The text of Clinch's own Ops is in the loop. An author's, and what can fail, is in a
function of its own, which its `fail` leaves; that function gives a struct, of which a
`return` in the text knows nothing, so that it is an error. The loop is over contiguous
items: the library gathers those of other arrays, so one loop serves all strides.
"""

from __future__ import annotations

from ..base.annotations import Any, Iterable, Mapping, Sequence
from ..errors import DtypeError, GraphError
from ..types.scalars import double, scalars
from ..types.type import NativeType, what

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Apply, Variable

_ITEM = """
struct {name}_end {{ int failed; }};
static inline __attribute__((always_inline)) struct {name}_end
{name}_item({parameters}) {{
  struct {name}_end clinch_end = {{0}};
  {declarations}
{code}
  {stores}
  return clinch_end;
}}"""
_LOOP = """
static inline __attribute__((always_inline)) Py_ssize_t
{head} {{
{singles}  for (Py_ssize_t i = 0; i < n; ++i){body}
  return -1;
}}
static Py_ssize_t {name}_kernel(char *const *p, Py_ssize_t n) {{
{call}
}}
"""
_CALL = """
    if (__builtin_expect({name}_item({arguments}).failed, 0))
      return i;"""


def scalar_node(op: Any, dtypes: Sequence[str]) -> Apply:
    """Returns the Apply of a scalar Op on numbers of these dtypes."""
    try:
        node = op.make_node(*[scalars[dtype]() for dtype in dtypes])
    except GraphError as error:
        # It is also a TypeError, as in NumPy, for callers that expect that.
        raise DtypeError(str(error), error.diagnostics) from None
    except TypeError:
        if set(dtypes) != {"float64"}:
            raise
        # An author's Op may accept only Python's float.
        node = op.make_node(*[double() for _ in dtypes])
    for output in node.outputs:
        if getattr(output.type, "dtype", None) not in scalars or \
                hasattr(output.type, "ndim"):
            raise TypeError(f"{op} is no scalar Op: it gives {output.type}")
    return node


def wrapped(begin: str, items: Iterable[str], end: str) -> str:
    """Returns C that lists the items, in lines of 80 characters."""
    lines = [begin]
    for item in items:
        if len(lines[-1]) + len(item) > 78:
            lines.append("    ")
        lines[-1] += f"{item}, "
    return "\n".join(map(str.rstrip, lines)).removesuffix(",") + end


class Kernel:
    """The text of one scalar apply in a loop: `text(name)`.

    literals: {input: text} of constants that are written into the code.
    single: the inputs that have one item for the whole loop.
    overlapping: whether an output may overlap an input.
    """

    def __init__(self, node: Apply, literals: Mapping[int, str], single: set[int],
                 overlapping: bool) -> None:
        self.node = node
        self.literals = literals
        self.single = single
        self.overlapping = overlapping

    @property
    def operands(self) -> list[int]:
        """The positions of the inputs that the loop passes."""
        return [k for k in range(len(self.node.inputs))
                if k not in self.literals]

    def text(self, name: str) -> str:
        inputs, outputs = self.operands, range(len(self.node.outputs))
        item = [c_type(v) for v in self.node.inputs]
        out = [c_type(v) for v in self.node.outputs]
        restrict = "" if self.overlapping else "__restrict "
        items = {k: f"s{k}" if k in self.single else f"a{k}[i]" for k in inputs}
        own = is_shipped(self.node.op) and self._in_loop(name, items)
        call = _CALL.format(name=name, arguments=", ".join(
            [*items.values(), *(f"&b{k}[i]" for k in outputs)]))
        return ("" if own else self._function(name)) + _LOOP.format(
            name=name, body=own or call,
            head=wrapped(f"{name}_items(", [
                "Py_ssize_t n", *(f"const {item[k]} *{restrict}a{k}" for k in inputs),
                *(f"{out[k]} *{restrict}b{k}" for k in outputs)], ")"),
            singles="".join(f"  const {item[k]} s{k} = *a{k};\n"
                            for k in inputs if k in self.single),
            call=wrapped(f"  return {name}_items(", [
                "n", *(f"(const {item[k]} *)p[{at}]" for at, k in enumerate(inputs)),
                *(f"({out[k]} *)p[{len(inputs) + k}]" for k in outputs)], ");"))

    def _in_loop(self, name: str, items: Mapping[int, str]) -> str:
        """Returns C of the loop's body; nothing if an item can fail."""
        node, whole = self.node, hasattr(self.node.op, "code_of_items")
        inputs = [self.literals.get(k, f"x{k}") for k in range(len(node.inputs))]
        made = [f"b{k}[i]" if whole else f"y{k}" for k in range(len(node.outputs))]
        code = block(node, name, inputs, made)
        if "clinch_failing" in code:
            return ""
        loads: dict[str, list[str]] = {}
        for k, at in items.items():
            loads.setdefault(c_type(node.inputs[k]), []).append(f"x{k} = {at}")
        lines = [f"const {kind} {', '.join(names)};" for kind, names in loads.items()]
        lines.append(code if whole else computed(node, made, code, code))
        if not whole:
            lines += [f"b{k}[i] = {one};" for k, one in enumerate(made)]
        body = "\n".join(lines).replace("\n", "\n    ")
        return f" {{\n    {body}\n  }}"

    def _function(self, name: str) -> str:
        """Returns C of the function for one item."""
        code = self._code(name)
        return _ITEM.format(
            name=name,
            parameters=", ".join(
                [f"{c_type(self.node.inputs[k])} x{k}_{name}" for k in self.operands]
                + [f"{c_type(v)} *z{k}" for k, v in enumerate(self.node.outputs)]),
            declarations="\n  ".join(declared(v, f"y{k}_{name}", code)
                                     for k, v in enumerate(self.node.outputs)),
            code=code,
            stores="\n  ".join(f"*z{k} = y{k}_{name};"
                               for k in range(len(self.node.outputs))))

    def _code(self, name: str) -> str:
        inputs = [self.literals.get(k, f"x{k}_{name}")
                  for k in range(len(self.node.inputs))]
        outputs = [f"y{k}_{name}" for k in range(len(self.node.outputs))]
        return block(self.node, name, inputs, outputs)


def c_type(variable: Variable) -> str:
    return variable.type.c_element_type()


def declared(variable: Variable, name: str, code: str) -> str:
    """Returns C that declares a number, and the name of its dtype if the code that
    computes it may use that."""
    kind = variable.type
    if isinstance(kind, NativeType) and "dtype_" not in code:
        return f"{c_type(variable)} {name} = {{0}};"
    return kind.c_declare(name, {"name": name}) + "\n" + kind.c_init(name, {"name": name})


def is_shipped(op: Any) -> bool:
    """Whether a scalar Op comes with Clinch, or is made of such alone."""
    if hasattr(op, "code_of_items"):
        return all(map(is_shipped, op.inner_ops()))
    return getattr(op, "_shipped", None) is type(op)


def computed(node: Apply, names: Sequence[str], text: str, whole: str) -> str:
    """Returns C that declares the outputs of an apply and computes them by its block;
    `whole` is all that may use their dtypes."""
    if text.startswith(f"{names[0]} = ") and "dtype_" not in whole:
        return f"{c_type(node.outputs[0])} {text}"
    return "\n".join([*map(declared, node.outputs, names, [whole] * len(names)), text])


def block(node: Apply, name: str, inputs: Sequence[str], outputs: Sequence[str]) -> str:
    """Returns the code of a scalar apply and its cleanup, with a `fail` that jumps
    to the cleanup and then leaves the function."""
    op = node.op
    # A Composite's text has a `fail` for each of its Ops.
    own = getattr(op, "code_of_items", None)
    if own is not None:
        return own(node, name, inputs, outputs)
    label = f"clinch_end_{name}"
    said = str(op).replace("\\", "\\\\").replace('"', '\\"')
    said = said.replace("\n", " ")
    fail = (f'{{clinch_failing("{said}"); clinch_end.failed = 1; '
            f'goto {label};}}')
    sub = {"fail": fail, "id": "0", "failure_var": "clinch_end.failed"}
    code = text_of(op, "c_code", node, name, inputs, outputs, sub)
    cleanup = text_of(op, "c_code_cleanup", node, name, inputs, outputs,
                      {k: v for k, v in sub.items() if k != "fail"})
    if fail not in code:
        if code.startswith(f"{outputs[0]} = ") and "\n" not in code and is_shipped(op):
            return code
        return f"{{\n{code}\n}}\n{{\n{cleanup}\n}}" if cleanup else \
            f"{{\n{code}\n}}"
    return (f"{{\n{code}\n}}\n{label}: __attribute__((unused));\n"
            f"{{\n{cleanup}\n}}\n"
            f"if (clinch_end.failed)\nreturn clinch_end;")


def text_of(op: Any, hook: str, *arguments: Any) -> str:
    """Returns the text of a scalar Op's hook; empty if it does not define the
    hook."""
    method = getattr(op, hook, None)
    if method is None:
        if hook != "c_code":
            return ""
        raise NotImplementedError(f"{op} has no c_code")
    text = method(*arguments)
    if not isinstance(text, str):
        raise TypeError(f"`{type(op).__name__}.{hook}` must return a str; it "
                        f"returned {what(text)}")
    return text


def list_of(op: Any, hook: str, c_compiler: Any = None) -> list[str]:
    """Returns the list of a scalar Op's hook, such as c_headers."""
    method = getattr(op, hook, None)
    if method is None:
        return []
    try:
        found = method() if c_compiler is None else method(
            c_compiler=c_compiler)
    except TypeError:
        if c_compiler is None:
            raise
        found = method()
    except NotImplementedError:
        return []
    if isinstance(found, str):
        return [found] if found else []
    return list(found or [])


def refuse_state(op: Any, node: Apply) -> None:
    """Raises if an Op has state or parameters, which a loop does not support."""
    whole = getattr(op, "refuse_state", None)
    if whole is not None:
        return whole()
    for hook, arguments in (("c_support_code_struct", (node, "x")),
                            ("c_init_code_struct", (node, "x", {"fail": ""})),
                            ("c_cleanup_code_struct", (node, "x"))):
        if text_of(op, hook, *arguments).strip():
            raise NotImplementedError(
                f"{op} has state of its own (`{hook}`), and cannot be "
                f"computed in a loop over arrays")
    if getattr(op, "params_type", None) is not None:
        raise NotImplementedError(
            f"{op} has parameters (`params_type`), and cannot be computed in "
            f"a loop over arrays")
