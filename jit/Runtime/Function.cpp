// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph that can be called from C++.

#include "FunctionImpl.h"

#include "CriticalSection.h"
#include "ProcessSession.h"
#include "Raise.h"
#include "Recycling.h"
#include "ScalarReader.h"

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

static size_t cellOf(const Thunk &T, const Variable *V) {
  const auto &Cells = T.program().cells();
  return size_t(std::find(Cells.begin(), Cells.end(), V) - Cells.begin());
}

Expected<Function> Function::create(Session &S, Graph G) {
  return create(S, std::move(G), Options());
}

Expected<Function> Function::create(Session &S, Graph Given,
                                    Function::Options O) {
  CLINCH_TRY(pythonHasBegun());
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
  auto I = std::make_shared<Impl>();
  I->T = std::move(*T);
  for (const Variable *V : G->inputs())
    I->InputCells.push_back(cellOf(*I->T, V));
  for (const Variable *V : G->outputs())
    I->OutputCells.push_back(cellOf(*I->T, V));
  I->Recycled = recycledOutputs(*G, Options.Assemble.NoRecycling);
  if (!I->keepApart(O))
    return takePythonError();
  return Function(std::move(I));
}

bool Function::Impl::keepApart(const Options &O) {
  const Graph &G = graph();
  CopiedInputs =
      O.Mutable ? std::vector<bool>(G.inputs().size()) : destroyedInputs(G);
  CopiedOutputs =
      O.Borrow ? std::vector<bool>(G.outputs().size()) : sharedOutputs(G);
  auto Any = [](const std::vector<bool> &Flags) {
    return std::find(Flags.begin(), Flags.end(), true) != Flags.end();
  };
  if (!Any(CopiedInputs) && !Any(CopiedOutputs))
    return true;
  PyRef Copy = PyRef::steal(PyImport_ImportModule("copy"));
  if (Copy)
    DeepCopy = attribute(Copy.get(), "deepcopy");
  return bool(DeepCopy);
}

/// Returns the value or a copy; null with an exception.
static PyRef own(PyObject *Value, bool Copied, const PyRef &DeepCopy) {
  if (!Copied)
    return PyRef::borrow(Value);
  return PyRef::steal(PyObject_CallOneArg(DeepCopy.get(), Value));
}

bool Function::Impl::fill(std::span<PyObject *const> Arguments) {
  for (size_t I = 0; I < Arguments.size(); ++I) {
    PyRef Value = own(Arguments[I], CopiedInputs[I], DeepCopy);
    if (!Value)
      return false;
    setCell(T->cell(InputCells[I]), Value.release());
  }
  return true;
}

bool Function::Impl::takeOutputs(std::vector<PyRef> &Values) {
  for (size_t I = 0; I < OutputCells.size(); ++I) {
    PyObject *Value = outputValue(T->cell(OutputCells[I]));
    Values.push_back(Value ? own(Value, CopiedOutputs[I], DeepCopy) : PyRef());
    if (!Values.back())
      return false;
  }
  return true;
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
  if (Arguments.size() != I->InputCells.size())
    return Error(Error::Kind::InvalidArgument,
                 "The function takes " + std::to_string(I->InputCells.size()) +
                     " arguments, and " + std::to_string(Arguments.size()) +
                     (Arguments.size() == 1 ? " was given." : " were given."));
  if (I->T->running() && I->T->program().form() == Form::Struct)
    return Error(Error::Kind::InvalidArgument,
                 "The function is running already, and in struct form it keeps "
                 "one state.");
  if (!I->T->cellsAreWhole())
    return takePythonError();
  std::vector<PyRef> Values;
  Values.reserve(
      I->OutputCells.size()); // Memory must not run out after the run.
  std::vector<PyRef> Held = takeHeld(*I->T, I->OutputCells, I->Recycled);
  int Result = I->fill(Arguments) ? I->T->runUnchecked() : -1;
  const bool Ran = Result == 0 && I->takeOutputs(Values);
  for (size_t N = 0; N < Held.size(); ++N)
    if (Result != 0 && Held[N]) // Restore the cells.
      setCell(I->T->cell(I->OutputCells[N]), Held[N].release());
  for (size_t Cell : I->InputCells)
    setCell(I->T->cell(Cell), Py_NewRef(Py_None));
  if (!Ran)
    return takePythonError();
  return Values;
}
