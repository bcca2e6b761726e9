/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
int clinch_entry(double *buffer, intptr_t count, double *result, void *data) {
  PyGILState_STATE state = PyGILState_Ensure();
  npy_intp shape = count, stride = sizeof(double);
  PyObject *in[] = {
      clinch_view(buffer, 1, &shape, &stride, NPY_DOUBLE, NPY_ARRAY_WRITEABLE)};
  PyObject *made = clinch_call(in, 1);
  int done = 0;
  if (made) {
    *result = PyFloat_AsDouble(made);
    done = !(*result == -1.0 && PyErr_Occurred());
  }
  Py_XDECREF(made);
  PyGILState_Release(state);
  return done;
}
