// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// view_map and destroy_map of Python Ops.

#include "PyOp.h"

#include "PyHook.h"
#include "Raise.h"

#include <climits>

using namespace clinch;

/// Reads \p Item as a position; returns false if it is none.
static bool readPosition(PyObject *Item, unsigned &Out) {
  if (!PyIndex_Check(Item))
    return false;
  Py_ssize_t Value = PyNumber_AsSsize_t(Item, nullptr);
  Out = unsigned(Value);
  return !PyErr_Occurred() && Value >= 0 && Value <= INT_MAX;
}

static bool readInputs(PyObject *Value, std::vector<unsigned> &Inputs) {
  if (!PyList_Check(Value) && !PyTuple_Check(Value))
    return false;
  unsigned Input = 0;
  PyRef Items = PyRef::steal(PySequence_Tuple(Value));
  for (Py_ssize_t I = 0; Items && I < PyTuple_GET_SIZE(Items.get()); ++I) {
    if (!readPosition(PyTuple_GET_ITEM(Items.get(), I), Input))
      return false;
    Inputs.push_back(Input);
  }
  return bool(Items);
}

/// Reads a copy: the map belongs to the class, and reading a position may run
/// Python code.
static bool readMap(PyObject *Dict, AliasMap &Map) {
  PyRef Own = PyRef::steal(PyDict_Check(Dict) ? PyDict_Copy(Dict) : nullptr);
  PyObject *Key = nullptr, *Value = nullptr;
  for (Py_ssize_t At = 0; Own && PyDict_Next(Own.get(), &At, &Key, &Value);) {
    unsigned Output = 0;
    if (!readPosition(Key, Output) || !readInputs(Value, Map[Output]))
      return false;
  }
  return bool(Own);
}

static Expected<AliasMap> aliasesOf(PyObject *Op, const char *Attribute) {
  AliasMap Map;
  PyRef Dict = attributeOrNull(Op, Attribute);
  if (PyErr_Occurred())
    return hostError();
  if (!Dict || Dict.get() == Py_None || readMap(Dict.get(), Map))
    return Map;
  clearError();
  return Error(Error::Kind::Graph,
               "`" + classNameOf(Op) + "." + Attribute +
                   "` must map positions of outputs to lists of positions of "
                   "inputs, as {0: [1]} does; it is " +
                   describe(Dict.get()));
}

/// checkAliases() has refused graphs whose map cannot be read.
static AliasMap readAgain(PyObject *Op, const char *Attribute) {
  Expected<AliasMap> Map = aliasesOf(Op, Attribute);
  if (Map)
    return std::move(*Map);
  clearError();
  return {};
}

Status clinch::checkAliases(PyObject *Op) {
  for (const char *Attribute : {"view_map", "destroy_map"})
    CLINCH_TRY(aliasesOf(Op, Attribute));
  return Status::success();
}

AliasMap PyOp::viewMap() const { return readAgain(Object, "view_map"); }
AliasMap PyOp::destroyMap() const { return readAgain(Object, "destroy_map"); }
