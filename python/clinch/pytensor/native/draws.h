/* What is drawn, and how; `draws.py` has the same as a ctypes structure.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
typedef struct Draw Draw;
struct Draw {
  int (*run)(const Draw *, PyObject *generator, PyObject *size,
             PyObject **parameters, PyObject **next, PyObject **made);
  PyObject *copy; /* copies a generator; null where it is changed in place */
  PyObject *ask;  /* what `perform` calls, where NumPy knows what is wrong */
  void *draw;     /* NumPy's function for one number */
  int how, count, type; /* of `How`; of parameters; NumPy's, of the result */
  const int *rules;     /* of `Rule`, for each parameter */
};
