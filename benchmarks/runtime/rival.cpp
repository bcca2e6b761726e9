// What `make bench` holds the runtime against, built by g++ -O3: a
// METH_FASTCALL function written by hand, and a loop that calls code with
// nothing between.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <ctime>

static PyObject *byHand(PyObject *, PyObject *const *Args, Py_ssize_t Count) {
  if (Count != 3) {
    PyErr_SetString(PyExc_TypeError, "three floats are needed");
    return nullptr;
  }
  for (int I = 0; I < 3; ++I)
    if (!PyFloat_Check(Args[I])) {
      PyErr_SetString(PyExc_TypeError, "expected a float");
      return nullptr;
    }
  double X = PyFloat_AS_DOUBLE(Args[0]), Y = PyFloat_AS_DOUBLE(Args[1]),
         Z = PyFloat_AS_DOUBLE(Args[2]);
  return PyFloat_FromDouble((X + Y) * Z);
}

// repeat(run, state, count): seconds that count calls of run(state) take.
static PyObject *repeat(PyObject *, PyObject *Args) {
  unsigned long long Run = 0, State = 0;
  Py_ssize_t Count = 0;
  if (!PyArg_ParseTuple(Args, "KKn", &Run, &State, &Count))
    return nullptr;
  auto *Code = reinterpret_cast<int (*)(void *)>(Run);
  timespec Start, End;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Start);
  for (Py_ssize_t I = 0; I < Count; ++I)
    if (Code(reinterpret_cast<void *>(State)) != 0)
      return PyErr_Format(PyExc_RuntimeError, "the code failed");
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &End);
  return PyFloat_FromDouble(double(End.tv_sec - Start.tv_sec) +
                            1e-9 * double(End.tv_nsec - Start.tv_nsec));
}

static PyMethodDef Functions[] = {
    {"by_hand", reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(byHand)),
     METH_FASTCALL, nullptr},
    {"repeat", repeat, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};
static PyModuleDef Definition = {PyModuleDef_HEAD_INIT, "clinch_rival", nullptr,
                                 -1, Functions};

PyMODINIT_FUNC PyInit_clinch_rival() { return PyModule_Create(&Definition); }
