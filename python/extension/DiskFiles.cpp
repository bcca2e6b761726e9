// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cache's files, for Python.

#include "Objects.h"

#include "jit/Compiler/DiskEntries.h"

using namespace clinch;
using namespace clinch::python;

/// read_entry(folder, key)
PyObject *python::readEntry(PyObject *, PyObject *Args) {
  const char *Folder = nullptr, *Key = nullptr;
  if (!PyArg_ParseTuple(Args, "ss", &Folder, &Key))
    return nullptr;
  auto Bytes = readDiskEntry(Folder, Key);
  if (!Bytes)
    Py_RETURN_NONE;
  return PyBytes_FromStringAndSize(Bytes->data(), Py_ssize_t(Bytes->size()));
}

/// is_entry(key, bytes)
PyObject *python::isEntry(PyObject *, PyObject *Args) {
  const char *Key = nullptr, *Bytes = nullptr;
  Py_ssize_t Size = 0;
  if (!PyArg_ParseTuple(Args, "sy#", &Key, &Bytes, &Size))
    return nullptr;
  return PyBool_FromLong(isDiskEntry(Key, {Bytes, size_t(Size)}));
}

/// add_entry(folder, key, bytes): returns whether it was added.
PyObject *python::addEntry(PyObject *, PyObject *Args) {
  const char *Folder = nullptr, *Key = nullptr, *Bytes = nullptr;
  Py_ssize_t Size = 0;
  if (!PyArg_ParseTuple(Args, "ssy#", &Folder, &Key, &Bytes, &Size))
    return nullptr;
  return PyBool_FromLong(addDiskEntry(Folder, Key, {Bytes, size_t(Size)}));
}
