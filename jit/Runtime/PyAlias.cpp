//===- PyAlias.cpp - view_map and destroy_map of Python Ops -----*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PyOp.h"

#include "PyHook.h"

using namespace clinch;

static void addInputs(PyObject *Inputs, std::vector<unsigned> &Out) {
  PyRef Items = PyRef::steal(PySequence_List(Inputs));
  for (Py_ssize_t I = 0; Items && I < PyList_GET_SIZE(Items.get()); ++I) {
    long Index = PyLong_AsLong(PyList_GET_ITEM(Items.get(), I));
    if (Index >= 0)
      Out.push_back(unsigned(Index));
  }
  PyErr_Clear();
}

/// {output: [input, ...]}; what is no such thing is no alias.
static AliasMap aliasesOf(PyObject *Op, const char *Attribute) {
  AliasMap Map;
  PyRef Dict = attributeOrNull(Op, Attribute);
  PyErr_Clear();
  if (!Dict || !PyDict_Check(Dict.get()))
    return Map;
  PyObject *Key = nullptr, *Value = nullptr;
  for (Py_ssize_t At = 0; PyDict_Next(Dict.get(), &At, &Key, &Value);) {
    long Output = PyLong_AsLong(Key);
    if (Output >= 0)
      addInputs(Value, Map[unsigned(Output)]);
    PyErr_Clear();
  }
  return Map;
}

AliasMap PyOp::viewMap() const { return aliasesOf(Object, "view_map"); }
AliasMap PyOp::destroyMap() const { return aliasesOf(Object, "destroy_map"); }
