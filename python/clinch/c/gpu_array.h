/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#ifndef CLINCH_GPU_ARRAY
#define CLINCH_GPU_ARRAY
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* An array on a device, or one of NumPy's if it is simulated. */
typedef struct {
  PyObject *object; /* As Python has it; null: there is none yet. */
  void *data;
  void *stream; /* Whose work makes the items; launch on it. */
  int ndim, simulated, device;
  char *lent; /* What simulated kernels may use. */
  size_t lent_bytes;
  const char *typestr;             /* Such as "<f4". */
  Py_ssize_t shape[8], strides[8]; /* Strides in bytes. */
} clinch_gpu_array;

static inline Py_ssize_t clinch_gpu_size(const clinch_gpu_array *a) {
  Py_ssize_t size = 1;
  for (int i = 0; i < a->ndim; ++i)
    size *= a->shape[i];
  return size;
}

static inline int clinch_gpu_is_contiguous(const clinch_gpu_array *a) {
  Py_ssize_t wanted = atoi(a->typestr + 2);
  for (int i = a->ndim - 1; i >= 0; wanted *= a->shape[i--])
    if (a->shape[i] != 1 && a->strides[i] != wanted)
      return clinch_gpu_size(a) == 0;
  return 1;
}

/* Tells the simulator whether kernels may use the memory that is lent. */
static inline void clinch_gpu_tell(const clinch_gpu_array *a, int is_lent) {
  if (!a->simulated || !a->lent_bytes)
    return;
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyObject *module = PyImport_ImportModule("clinch._clinch");
  PyObject *made =
      module ? PyObject_CallMethod(module, "lend_memory", "KKi",
                                   (unsigned long long)(uintptr_t)a->lent,
                                   (unsigned long long)a->lent_bytes, is_lent)
             : NULL;
  Py_XDECREF(made);
  Py_XDECREF(module);
  PyErr_Restore(type, value, trace);
}

static inline void clinch_gpu_release(clinch_gpu_array *a) {
  PyObject *object = a->object;
  if (object)
    clinch_gpu_tell(a, 0);
  a->object = NULL;
  Py_XDECREF(object);
}

/* Lends the bytes from the first item to the last. */
static inline void clinch_gpu_lend(clinch_gpu_array *a) {
  a->lent = (char *)a->data;
  a->lent_bytes = clinch_gpu_size(a) ? atoi(a->typestr + 2) : 0;
  for (int i = 0; a->lent_bytes && i < a->ndim; ++i) {
    const Py_ssize_t step = (a->shape[i] - 1) * a->strides[i];
    a->lent += step < 0 ? step : 0;
    a->lent_bytes += step < 0 ? -step : step;
  }
  clinch_gpu_tell(a, 1);
}

static inline int clinch_gpu_numbers(PyObject *given, int count,
                                     Py_ssize_t *numbers) {
  for (int i = 0; i < count; ++i) {
    numbers[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(given, i));
    if (numbers[i] == -1 && PyErr_Occurred())
      return -1;
  }
  return 0;
}

/* Reads what the protocol says of an array. */
static inline int clinch_gpu_read(clinch_gpu_array *a, PyObject *said) {
  PyObject *shape = PyDict_GetItemString(said, "shape");
  PyObject *strides = PyDict_GetItemString(said, "strides");
  PyObject *data = PyDict_GetItemString(said, "data");
  PyObject *stream = PyDict_GetItemString(said, "stream");
  PyObject *typestr = PyDict_GetItemString(said, "typestr");
  if (!shape || !PyTuple_Check(shape) || !data || !PyTuple_Check(data) ||
      !PyTuple_GET_SIZE(data) || !typestr || !PyUnicode_Check(typestr)) {
    PyErr_SetString(PyExc_TypeError, "this is no array interface");
    return -1;
  }
  if (PyTuple_GET_SIZE(shape) != a->ndim ||
      PyUnicode_CompareWithASCIIString(typestr, a->typestr)) {
    PyErr_Format(
        PyExc_TypeError,
        "expected an array of %s with %d dimensions, not of %U with %zd",
        a->typestr, a->ndim, typestr, PyTuple_GET_SIZE(shape));
    return -1;
  }
  if (clinch_gpu_numbers(shape, a->ndim, a->shape))
    return -1;
  if (strides && PyTuple_Check(strides)) {
    if (clinch_gpu_numbers(strides, a->ndim, a->strides))
      return -1;
  } else {
    Py_ssize_t stride = atoi(a->typestr + 2);
    for (int i = a->ndim - 1; i >= 0; stride *= a->shape[i--])
      a->strides[i] = stride;
  }
  a->data = PyLong_AsVoidPtr(PyTuple_GET_ITEM(data, 0));
  a->stream = stream && stream != Py_None ? PyLong_AsVoidPtr(stream) : NULL;
  return PyErr_Occurred() ? -1 : 0;
}

/* Fills `a`, whose type is known, from an array; -1 with an exception if it
   cannot. */
static inline int clinch_gpu_extract(clinch_gpu_array *a, PyObject *object) {
  PyObject *said =
      PyObject_GetAttrString(object, a->simulated ? "__array_interface__"
                                                  : "__cuda_array_interface__");
  int failed = !said || !PyDict_Check(said) || clinch_gpu_read(a, said);
  Py_XDECREF(said);
  if (failed) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_TypeError, "this is no array interface");
    return -1;
  }
  Py_INCREF(object);
  clinch_gpu_release(a);
  a->object = object;
  clinch_gpu_lend(a);
  return 0;
}

/* Makes `a` what a function of clinch.device.memory returns; steals `made`. */
static inline int clinch_gpu_take(clinch_gpu_array *a, PyObject *made) {
  int failed = !made || clinch_gpu_extract(a, made);
  Py_XDECREF(made);
  return failed ? -1 : 0;
}

/* Gives `a` memory for `shape`, whose items stand one after another: what it
   has, if that fits. */
static inline int clinch_gpu_prepare(clinch_gpu_array *a,
                                     const Py_ssize_t *shape) {
  if (a->object && !memcmp(a->shape, shape, a->ndim * sizeof *shape) &&
      clinch_gpu_is_contiguous(a))
    return 0;
  PyObject *lengths = PyTuple_New(a->ndim);
  for (int i = 0; lengths && i < a->ndim; ++i) {
    PyObject *length = PyLong_FromSsize_t(shape[i]);
    if (!length)
      Py_CLEAR(lengths);
    else
      PyTuple_SET_ITEM(lengths, i, length);
  }
  PyObject *module = PyImport_ImportModule("clinch.device.memory");
  PyObject *made =
      lengths && module
          ? PyObject_CallMethod(module, "empty", "Osii", lengths, a->typestr,
                                a->simulated, a->device)
          : NULL;
  Py_XDECREF(lengths);
  Py_XDECREF(module);
  return clinch_gpu_take(a, made);
}

/* Makes `a` a copy of `from`. */
static inline int clinch_gpu_copy(clinch_gpu_array *a,
                                  const clinch_gpu_array *from) {
  PyObject *module = PyImport_ImportModule("clinch.device.memory");
  PyObject *made = module ? PyObject_CallMethod(module, "copied", "Oi",
                                                from->object, from->simulated)
                          : NULL;
  Py_XDECREF(module);
  return clinch_gpu_take(a, made);
}

#endif
