"""`Blockwise`: runs an Op of ours for each item of a batch, in a loop in C."""

import json

from clinch.integrations.pytensor.native.op import Asked, are_tensors

_UNWANTED = json.dumps(
    "Runtime broadcasting not allowed. At least one input has a distinct batch "
    "dimension length of 1, but was not marked as broadcastable.\nIf broadcasting was "
    "intended, use `specify_broadcastable` on the relevant input."
)

_LOOP = """{{
  const int dims = {dims}, inputs = {n_inputs}, outputs = {n_outputs};
  PyArrayObject *given[] = {{{given}}}, *made[] = {{{made}}};
  const int fixed[][dims] = {{{fixed}}};
  npy_intp batch[dims], total = 1;
  const char *wrong = nullptr;
  for (int d = 0; d != dims; ++d) {{
    batch[d] = 1;
    for (int i = 0; i != inputs; ++i) {{
      npy_intp n = PyArray_DIM(given[i], d);
      if (n != 1 && batch[d] != 1 && n != batch[d])
        wrong = "shape mismatch: objects cannot be broadcast to a single shape";
      if (n != 1)
        batch[d] = n;
    }}
    for (int i = 0; i != inputs; ++i)
      if (batch[d] != 1 && PyArray_DIM(given[i], d) == 1 && !fixed[i][d])
        wrong = {unwanted};
    total *= batch[d];
  }}
  if (wrong) {{
    PyErr_SetString(PyExc_ValueError, wrong);
    {fail}
  }}{shapes}
  bool failed = false;
  for (int i = 0; i != outputs && !failed; ++i)
    failed = !clinchPlace(&made[i], dims + cores[i], shapes[i], types[i]);
  for (npy_intp number = 0; number != total && !failed; ++number) {{
    PyArrayObject *part[inputs] = {{}}, *found[outputs] = {{}};
    for (int i = 0; i != inputs && !failed; ++i) {{
      part[i] = part_{name}(given[i], batch, dims, number);
      failed = !part[i];
    }}
    failed = failed || core_{name}({arguments}) < 0;
    for (int i = 0; i != outputs && !failed; ++i) {{
      PyArrayObject *to = part_{name}(made[i], batch, dims, number);
      failed = !to || PyArray_CopyInto(to, found[i]) < 0;
      Py_XDECREF(to);
    }}
    for (PyArrayObject *a : part)
      Py_XDECREF(a);
    for (PyArrayObject *a : found)
      Py_XDECREF(a);
  }}{taken}
  if (failed)
    {fail}
}}"""

_PART = """
  /* A view of one of a batch; the array outlives it. */
  static PyArrayObject *part_{name}(PyArrayObject *of, const npy_intp *batch, int dims,
                                    npy_intp number) {{
    char *data = PyArray_BYTES(of);
    for (int d = dims - 1; d >= 0; --d) {{
      if (PyArray_DIM(of, d) != 1)
        data += number % batch[d] * PyArray_STRIDE(of, d);
      number /= batch[d];
    }}
    Py_INCREF(PyArray_DESCR(of));
    return (PyArrayObject *)PyArray_NewFromDescr(
        &PyArray_Type, PyArray_DESCR(of), PyArray_NDIM(of) - dims,
        PyArray_DIMS(of) + dims, PyArray_STRIDES(of) + dims, data,
        PyArray_FLAGS(of) & NPY_ARRAY_WRITEABLE, nullptr);
  }}
  int core_{name}({parameters}) {{
    {code}
    return 0;
  }}
"""


class Batched(Asked):
    """`Blockwise` of `core`, an apply of ours."""

    def __init__(self, original, core):
        super().__init__(original)
        self.core = core

    def prepare_node(self, node, storage_map, compute_map, impl):
        self.core.op.prepare_node(self.core, storage_map, compute_map, impl)

    def get_params(self, node):
        return self.core.op.get_params(self.core)

    def c_support_code(self, **how):
        return self.core.op.c_support_code(**how)

    def c_support_code_struct(self, node, name):
        inputs = [f"given{i}" for i in range(len(node.inputs))]
        outputs = [f"found{i}" for i in range(len(node.outputs))]
        parameters = ", ".join(
            ["PyObject *params"]
            + [f"PyArrayObject *{v}" for v in inputs]
            + [f"PyArrayObject *&{v}" for v in outputs]
        )
        sub = {"fail": "return -1;", "params": "params"}
        code = self.core.op.c_code(self.core, name, inputs, outputs, sub)
        own = self.core.op.c_support_code_struct(self.core, name)
        return own + _PART.format(name=name, parameters=parameters, code=code)

    def c_init_code_struct(self, node, name, sub):
        return self.core.op.c_init_code_struct(self.core, name, sub)

    def c_cleanup_code_struct(self, node, name):
        return self.core.op.c_cleanup_code_struct(self.core, name)

    def c_code(self, node, name, inputs, outputs, sub):
        op, dims = self.original, self.original.batch_ndim(node)
        patterns = (v.type.broadcastable[:dims] for v in node.inputs)
        fixed = ", ".join(f"{{{', '.join(str(int(b)) for b in p)}}}" for p in patterns)
        arguments = [sub["params"], *(f"part[{i}]" for i in range(len(inputs)))]
        arguments += [f"found[{i}]" for i in range(len(outputs))]
        return _LOOP.format(
            dims=dims,
            n_inputs=len(inputs),
            n_outputs=len(outputs),
            given=", ".join(inputs),
            made=", ".join(outputs),
            fixed=fixed,
            unwanted=_UNWANTED,
            name=name,
            arguments=", ".join(arguments),
            shapes=_shapes(op, node, dims),
            taken="".join(f"\n  {z} = made[{i}];" for i, z in enumerate(outputs)),
            fail=sub["fail"],
        )


def _shapes(op, node, dims):
    """Returns C text with each output's shape, its rank without the batch, and type."""
    places = _places(op)
    batch = [f"batch[{d}]" for d in range(dims)]
    core = [
        [f"PyArray_DIM(given[{places[n][0]}], {dims + places[n][1]})" for n in names]
        for names in op.outputs_sig
    ]
    shapes = ", ".join(f"{{{', '.join([*batch, *sizes])}}}" for sizes in core)
    ranks = ", ".join(str(len(sizes)) for sizes in core)
    types = ", ".join(str(v.type.numpy_dtype.num) for v in node.outputs)
    return f"""
  npy_intp shapes[][{max(dims + len(sizes) for sizes in core)}] = {{{shapes}}};
  const int cores[] = {{{ranks}}}, types[] = {{{types}}};"""


def _places(op):
    """Maps the name of each size to its (input, dimension)."""
    return {name: (i, d) for i, names in enumerate(op.inputs_sig) for d, name in enumerate(names)}


def for_batch(node, native):
    """Returns an Op with C, or None; `native` finds the apply for one item."""
    op = node.op
    if not are_tensors(*node.inputs, *node.outputs) or not op.batch_ndim(node):
        return None
    if not all(name in _places(op) for names in op.outputs_sig for name in names):
        return None
    core = native(op._create_dummy_core_node(node.inputs))
    return Batched(op, core) if core is not None and isinstance(core.op, Asked) else None
