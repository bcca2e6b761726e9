/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
/* An argument or a result of a generalised ufunc: its dtype, and which of the
   ufunc's dimensions it has. */
struct clinch_argument {
  int typenum, ndim;
  const int *dims;
};
struct clinch_gufunc {
  int inputs, outputs;
  const struct clinch_argument *operands; /* the inputs, then the outputs */
};

/* Views of the caller's memory, one for each operand; of what there is no
   memory for, NULL. */
static void clinch_views(const struct clinch_gufunc *g, char **args, npy_intp i,
                         const npy_intp *core, const npy_intp *steps,
                         PyObject **views) {
  int count = g->inputs + g->outputs;
  const npy_intp *stride = steps + count;
  for (int k = 0; k < count; ++k) {
    const struct clinch_argument *operand = &g->operands[k];
    npy_intp shape[NPY_MAXDIMS];
    for (int j = 0; j < operand->ndim; ++j)
      shape[j] = core[operand->dims[j]];
    views[k] =
        clinch_view(args[k] + i * steps[k], operand->ndim, shape, stride,
                    operand->typenum, k < g->inputs ? 0 : NPY_ARRAY_WRITEABLE);
    stride += operand->ndim;
  }
}

/* NumPy's loop of the ufunc, whose data are a clinch_gufunc. */
static void clinch_gufunc_loop(char **args, const npy_intp *dims,
                               const npy_intp *steps, void *data) {
  const struct clinch_gufunc *g = (const struct clinch_gufunc *)data;
  PyGILState_STATE state = PyGILState_Ensure();
  for (npy_intp i = 0; i < dims[0] && !PyErr_Occurred(); ++i) {
    PyObject *views[NPY_MAXARGS];
    clinch_views(g, args, i, dims + 1, steps, views);
    PyObject *made = clinch_call(views, g->inputs);
    for (int k = 0; k < g->outputs; ++k) {
      PyObject *place = views[g->inputs + k];
      if (made && place && !PyErr_Occurred())
        PyArray_CopyObject((PyArrayObject *)place, PyList_GET_ITEM(made, k));
      Py_XDECREF(place);
    }
    Py_XDECREF(made);
  }
  PyGILState_Release(state);
}
