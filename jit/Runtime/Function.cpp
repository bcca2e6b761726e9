//===- Function.cpp - A graph that can be called from C++ -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clinch/Runtime/Function.h"

#include "CriticalSection.h"
#include "Raise.h"
#include "Recycling.h"
#include "ScalarReader.h"
#include "Thunk.h"

#include <algorithm>

using namespace clinch;

Error clinch::takePythonError() {
  PyObject *Type = nullptr, *Value = nullptr, *Traceback = nullptr;
  PyErr_Fetch(&Type, &Value, &Traceback);
  PyErr_NormalizeException(&Type, &Value, &Traceback);
  PyRef Kind = PyRef::steal(Type), What = PyRef::steal(Value),
        Where = PyRef::steal(Traceback);
  if (!What)
    return {Error::Kind::Host, "Python raised an exception."};
  std::string Text =
      std::string(Py_TYPE(What.get())->tp_name) + ": " + describe(What.get());
  PyRef Notes = attributeOrNull(What.get(), "__notes__");
  PyErr_Clear();
  for (Py_ssize_t I = 0;
       Notes && PyList_Check(Notes.get()) && I < PyList_GET_SIZE(Notes.get());
       ++I)
    Text += "\n" + toString(PyList_GET_ITEM(Notes.get(), I));
  return {Error::Kind::Host, std::move(Text)};
}

Function::Function(std::unique_ptr<Thunk> T) : T(std::move(T)) {}
Function::Function(Function &&) noexcept = default;
Function &Function::operator=(Function &&) noexcept = default;
Function::~Function() = default;

size_t Function::cellOf(const Variable *V) const {
  const auto &Cells = T->program().cells();
  return size_t(std::find(Cells.begin(), Cells.end(), V) - Cells.begin());
}

Expected<Function> Function::create(Session &S, Graph G) {
  return create(S, std::move(G), Options());
}

Expected<Function> Function::create(Session &S, Graph Given,
                                    Function::Options O) {
  installScalarReader();
  auto G = std::make_shared<const Graph>(std::move(Given));
  ProgramOptions Options;
  Options.Assemble.Shape = O.Shape;
  Options.Assemble.Lang = O.Lang;
  Options.Assemble.NoRecycling = aliasedVariables(*G);
  Options.Level = O.Level;
  auto P = Program::build(G, S, Options);
  if (!P)
    return PyErr_Occurred() ? takePythonError() : P.takeError();
  Expected<std::unique_ptr<Thunk>> T = Thunk::create(*P, {});
  if (!T)
    return takePythonError();
  Function F(std::move(*T));
  for (const Variable *V : G->inputs())
    F.InputCells.push_back(F.cellOf(V));
  for (const Variable *V : G->outputs())
    F.OutputCells.push_back(F.cellOf(V));
  F.Recycled = recycledOutputs(*G, Options.Assemble.NoRecycling);
  return F;
}

/// Takes values that a caller still holds out of the cells for one run.
static std::vector<PyRef> takeHeld(Thunk &T, const std::vector<size_t> &Cells,
                                   const std::vector<bool> &Recycled) {
  std::vector<PyRef> Held(Cells.size());
  for (size_t I = 0; I < Cells.size(); ++I) {
    PyObject *Value = cellValue(T.cell(Cells[I]));
    if (!Recycled[I] || Value == Py_None || isUnshared(Value))
      continue;
    Held[I] = PyRef::borrow(Value);
    setCell(T.cell(Cells[I]), Py_NewRef(Py_None));
  }
  return Held;
}

Expected<std::vector<PyRef>>
Function::call(std::span<PyObject *const> Arguments) {
  if (Arguments.size() != InputCells.size())
    return Error(Error::Kind::InvalidArgument,
                 "The function takes " + std::to_string(InputCells.size()) +
                     " arguments, and " + std::to_string(Arguments.size()) +
                     (Arguments.size() == 1 ? " was given." : " were given."));
  if (T->running() && T->program().form() == Form::Struct)
    return Error(Error::Kind::InvalidArgument,
                 "The function is running already, and in struct form it keeps "
                 "one state.");
  if (!T->cellsAreWhole())
    return takePythonError();
  std::vector<PyRef> Values;
  Values.reserve(OutputCells.size()); // Nothing may fail after the run.
  std::vector<PyRef> Held = takeHeld(*T, OutputCells, Recycled);
  for (size_t I = 0; I < Arguments.size(); ++I)
    setCell(T->cell(InputCells[I]), Py_NewRef(Arguments[I]));
  int Result = T->runUnchecked();
  for (size_t I = 0; Result == 0 && I < OutputCells.size(); ++I)
    Values.push_back(PyRef::borrow(cellValue(T->cell(OutputCells[I]))));
  for (size_t I = 0; I < Held.size(); ++I)
    if (Result != 0 && Held[I]) // Restore the cells.
      setCell(T->cell(OutputCells[I]), Held[I].release());
  for (size_t Cell : InputCells)
    setCell(T->cell(Cell), Py_NewRef(Py_None));
  if (Result != 0)
    return takePythonError();
  return Values;
}
