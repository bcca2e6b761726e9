"""The C text of a `FusedLoop`.

It goes through the vectors in blocks. In a block, one loop computes the Elemwise, and
can be vectorized; a second one adds to all sums and scatters, in the order in which
PyTensor's Ops add, so that the results are theirs to the bit. If an index is out of
bounds, or a length does not fit, the Ops are run one by one, which raises their errors.
"""

import pytensor.tensor.subtensor as subtensor
from pytensor.graph.basic import Apply
from pytensor.scalar.basic import get_scalar_type

from clinch.integrations.pytensor.exact import exact
from clinch.integrations.pytensor.thunk import NO_C

_BLOCK = 256

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32")
ITEMS = (*INTEGERS, "bool", "float32", "float64")

#: Before PyTensor 3.3 there are Ops of one vector as index.
GATHERS, _SCATTERS = (
    {getattr(subtensor, name) for name in (many, f"{many}1") if hasattr(subtensor, name)}
    for many in ("AdvancedSubtensor", "AdvancedIncSubtensor")
)

_WHOLE = """{{
  enum {{ Block = {block}, Inputs = {n_inputs}, Outputs = {n_outputs} }};
  PyArrayObject *given[Inputs] = {{{inputs}}}, *made[Outputs] = {{{outputs}}};
  PyArrayObject *whole[Inputs] = {{}};
  bool failed = false, fine = true;
  for (int i = 0; i != Inputs && !failed; ++i) {{
    whole[i] = (PyArrayObject *)PyArray_GETCONTIGUOUS(given[i]);
    failed = !whole[i];
  }}
  npy_intp count = 0;
  if (!failed) {{
    const int looped[] = {{{looped}}}, single[] = {{{single}}};
    count = PyArray_DIM(whole[looped[0]], 0);
    for (int i : looped)
      fine = fine && PyArray_DIM(whole[i], 0) == count;
    for (int i : single)
      fine = fine && (i < 0 || PyArray_DIM(whole[i], 0) == 1);
    {bounds}
  }}
  if (!failed && !fine) {{
    failed = clinchAsk({params}, Inputs, given, Outputs, made) < 0;
  }} else if (!failed) {{
    {room}
    if (!failed) {{
      {begin}
      for (npy_intp first = 0; first < count; first += Block) {{
        const npy_intp length = count - first < Block ? count - first : Block;
        {buffers}
#pragma clang loop vectorize(assume_safety)
        for (npy_intp k = 0; k != length; ++k) {{
          {taken}
          {computed}
          {stored}
        }}
        for (npy_intp k = 0; k != length; ++k) {{
          {added}
        }}
      }}
      {end}
    }}
  }}
  for (PyArrayObject *array : whole)
    Py_XDECREF(array);
  {results}
  if (failed)
    {fail}
}}"""

_BOUNDS = """
    if (fine) {{
      const {item} *places = (const {item} *)PyArray_DATA(whole[{places}]);
      const npy_intp size = PyArray_DIM(whole[{of}], 0);
      bool outside = false;
      for (npy_intp k = 0; k != count; ++k) {{
        npy_intp at = (npy_intp)places[k];
        at += at < 0 ? size : 0;
        outside |= (npy_uintp)at >= (npy_uintp)size;
      }}
      fine = !outside;
    }}"""

_ROOM = """
    npy_intp size{i} = {size};
    failed = failed || !clinchPlace(&made[{i}], {dims}, &size{i}, {type});"""


def one_item(node, name, sub):
    """Returns the C of an Elemwise for one item, from x0, x1 and so on to y0 ..."""
    variables = node.inputs, node.outputs
    names = (
        [f"{letter}{i}" for i in range(len(of))] for letter, of in zip("xy", variables, strict=True)
    )
    return item_code(node.op.scalar_op, variables, name, names, sub)


def item_code(scalar, variables, name, names, sub):
    """Returns the C of a scalar Op for items of arrays, with these names."""
    scalar = exact(scalar, *variables)
    items = ([get_scalar_type(dtype=v.type.dtype).make_variable() for v in of] for of in variables)
    code = scalar.c_code(Apply(scalar, *items), f"{name}_scalar_", *names, sub)
    return f"{{\n{code}\n}}"


def may_fail(node, code_of):
    """Whether the C for one item says how it fails, or there is none."""
    fail = "a_failure_of_one_item"
    try:
        code = code_of(node, "probe", {"fail": fail})
    except NO_C:
        return True
    inner = getattr(node.op.scalar_op, "fgraph", None)
    # float16 has no C, also inside a composite.
    half = inner and any(v.type.dtype == "float16" for v in inner.variables)
    return fail in code or bool(half)


def _at(places, k):
    """Returns the place that an index means; negative ones count from the end."""
    return f"{places}[{k}] + ({places}[{k}] < 0 ? size_{places} : 0)"


def is_scatter(op):
    return type(op) in _SCATTERS


class _Writer:
    def __init__(self, op, node, name, sub):
        self.op, self.node, self.name, self.sub = op, node, name, sub
        self.middle, _ = op.parts(node.inputs)
        self.behind = [(place, is_scatter(inner)) for place, inner in op.behind]
        self.looped, self.single, self.indexed = [], [], []
        self.parts = {key: [] for key in ("begin", "taken", "stored", "added", "end")}
        self.room, self.buffers = [], []

    def item(self, i):
        return self.node.inputs[i].type.dtype_specs()[1]

    def made(self, i):
        return self.middle.outputs[i].type.dtype_specs()[1]

    def data(self, name, item, array):
        self.parts["begin"].append(f"{item} *const {name} = ({item} *)PyArray_DATA({array});")

    def inputs(self):
        """Writes how an item of each input of the Elemwise is read."""
        position = 0
        for i, gather in enumerate(self.op.gathers):
            v = self.node.inputs[position]
            self.data(f"in{i}", self.item(position), f"whole[{position}]")
            if gather is not None:
                self.index(f"at{i}", position + 1, position)
                where = _at(f"at{i}", "first + k")
                self.looped.append(position + 1)
            else:
                fixed = v.type.broadcastable[0]
                where = "0" if fixed else "first + k"
                (self.single if fixed else self.looped).append(position)
            self.parts["taken"].append(f"const {self.item(position)} x{i} = in{i}[{where}];")
            position += 1 if gather is None else 2
        return position

    def index(self, name, places, of):
        self.data(name, self.item(places), f"whole[{places}]")
        self.parts["begin"].append(f"const npy_intp size_{name} = PyArray_DIM(whole[{of}], 0);")
        self.indexed.append((places, of))

    def outputs(self, position):
        """Writes where the Elemwise's results go, and what is done with them."""
        for i, place in enumerate(self.op.kept):
            self.vector(i, "count", self.node.outputs[i])
            self.data(f"kept{i}", self.made(place), f"made[{i}]")
            self.parts["stored"].append(f"kept{i}[first + k] = y{place};")
        for place in sorted({place for place, _ in self.behind}):
            self.buffers.append(
                f"{self.made(place)} t{place}[Block] __attribute__((uninitialized));"
            )
            self.parts["stored"].append(f"t{place}[k] = y{place};")
        for i, (place, scatters) in enumerate(self.behind, len(self.op.kept)):
            if not scatters:
                self.sum(i, place)
                continue
            self.scatter(i, place, position)
            position += 2

    def vector(self, i, size, v):
        number = v.type.numpy_dtype.num
        dims = v.type.ndim
        self.room.append(_ROOM.format(i=i, dims=dims, size=size, type=number))

    def sum(self, i, place):
        self.vector(i, "1", self.node.outputs[i])
        item = self.made(place)
        self.parts["begin"].append(f"{item} sum{i} = 0;")
        self.parts["added"].append(f"sum{i} += t{place}[k];")
        self.parts["end"].append(f"*({item} *)PyArray_DATA(made[{i}]) = sum{i};")

    def scatter(self, i, place, position):
        self.vector(i, f"PyArray_DIM(whole[{position}], 0)", self.node.outputs[i])
        self.data(f"sums{i}", self.made(place), f"made[{i}]")
        self.index(f"to{i}", position + 1, position)
        self.looped.append(position + 1)
        self.parts["begin"].append(
            f"memcpy(sums{i}, PyArray_DATA(whole[{position}]), PyArray_NBYTES(made[{i}]));"
        )
        # Equal indices often follow one another: their sum stays in a register.
        self.parts["begin"].append(
            f"npy_intp last{i} = count ? {_at(f'to{i}', '0')} : 0;\n"
            f"{self.made(place)} sum{i} = count ? sums{i}[last{i}] : 0;"
        )
        self.parts["added"].append(
            f"""const npy_intp now{i} = {_at(f"to{i}", "first + k")};
          if (now{i} != last{i}) {{
            sums{i}[last{i}] = sum{i};
            sum{i} = sums{i}[now{i}];
            last{i} = now{i};
          }}
          sum{i} += t{place}[k];"""
        )
        self.parts["end"].append(f"if (count)\n  sums{i}[last{i}] = sum{i};")

    def computed(self):
        outputs = range(len(self.middle.outputs))
        declared = "".join(f"{self.made(i)} y{i};\n" for i in outputs)
        return declared + one_item(self.middle, self.name, self.sub)

    def bounds(self):
        seen = dict.fromkeys(
            (self.node.inputs[places], self.node.inputs[of], places, of)
            for places, of in self.indexed
        )
        once = {(places, of): (p, o) for places, of, p, o in seen}
        return "".join(_BOUNDS.format(item=self.item(p), places=p, of=o) for p, o in once.values())


def text(op, node, name, inputs, outputs, sub):
    writer = _Writer(op, node, name, sub)
    writer.outputs(writer.inputs())
    parts = {key: "\n".join(lines) for key, lines in writer.parts.items()}
    return _WHOLE.format(
        block=_BLOCK,
        n_inputs=len(inputs),
        n_outputs=len(outputs),
        inputs=", ".join(inputs),
        outputs=", ".join(outputs),
        looped=", ".join(map(str, writer.looped)),
        single=", ".join(map(str, writer.single or [-1])),
        bounds=writer.bounds(),
        room="".join(writer.room),
        buffers="\n".join(writer.buffers),
        computed=writer.computed(),
        params=sub["params"],
        results="".join(f"\n  {z} = made[{i}];" for i, z in enumerate(outputs)),
        fail=sub["fail"],
        **parts,
    )
