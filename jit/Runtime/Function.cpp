// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled function, and storage that its calls use again.

#include "Function.h"
#include "CriticalSection.h"
#include "NativeHooks.h"
#include "ProcessSession.h"
#include "Raise.h"

#include <algorithm>
#include <unordered_set>

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

namespace {
struct Alias {
  const Variable *Output, *Input;
};
} // namespace

static void addAliases(const Apply &A, const AliasMap &Map,
                       std::vector<Alias> &Out) {
  for (const auto &[Output, Inputs] : Map)
    for (unsigned Input : Inputs)
      if (Output < A.outputs().size() && Input < A.inputs().size())
        Out.push_back({A.outputs()[Output], A.inputs()[Input]});
}

std::vector<const Variable *> clinch::aliasedVariables(const Graph &G) {
  std::vector<Alias> Aliases;
  for (const Apply &A : G.applies()) {
    addAliases(A, A.op().viewMap(), Aliases);
    addAliases(A, A.op().destroyMap(), Aliases);
  }
  std::vector<const Variable *> Out;
  std::unordered_set<const Variable *> Seen;
  for (const Alias &A : Aliases)
    for (const Variable *V : {A.Output, A.Input})
      if (Seen.insert(V).second)
        Out.push_back(V);
  return Out;
}

/// Adds \p V and everything that it aliases.
static void addRoots(const Variable *V,
                     std::unordered_set<const Variable *> &Roots) {
  std::vector<const Variable *> Stack = {V};
  while (!Stack.empty()) {
    const Variable *Top = Stack.back();
    Stack.pop_back();
    if (!Roots.insert(Top).second || !Top->owner())
      continue;
    std::vector<Alias> Aliases;
    addAliases(*Top->owner(), Top->owner()->op().viewMap(), Aliases);
    addAliases(*Top->owner(), Top->owner()->op().destroyMap(), Aliases);
    for (const Alias &A : Aliases)
      if (A.Output == Top)
        Stack.push_back(A.Input);
  }
}

std::vector<bool> clinch::destroyedInputs(const Graph &G) {
  std::unordered_set<const Variable *> Roots;
  for (const Apply &A : G.applies()) {
    std::vector<Alias> Destroyed;
    addAliases(A, A.op().destroyMap(), Destroyed);
    for (const Alias &D : Destroyed)
      addRoots(D.Input, Roots);
  }
  std::vector<bool> Out;
  Out.reserve(G.inputs().size());
  for (const Variable *V : G.inputs())
    Out.push_back(Roots.count(V));
  return Out;
}

static bool isSimple(const Variable &V) {
  Expected<bool> Simple = V.type().c_is_simple();
  return Simple && *Simple;
}

std::vector<bool> clinch::sharedOutputs(const Graph &G) {
  std::unordered_set<const Variable *> Taken; // By others than an output.
  const std::vector<bool> Destroyed = destroyedInputs(G);
  for (size_t I = 0; I < Destroyed.size(); ++I)
    if (!Destroyed[I])
      Taken.insert(G.inputs()[I]);
  std::vector<bool> Out;
  Out.reserve(G.outputs().size());
  for (const Variable *V : G.outputs()) {
    std::unordered_set<const Variable *> Roots;
    addRoots(V, Roots);
    Out.push_back(!isSimple(*V) &&
                  std::any_of(Roots.begin(), Roots.end(), [&](auto *R) {
                    return R->isConstant() || Taken.count(R);
                  }));
    if (!Out.back())
      Taken.insert(Roots.begin(), Roots.end());
  }
  return Out;
}

std::vector<bool>
clinch::recycledOutputs(const Graph &G,
                        const std::vector<const Variable *> &NotThese) {
  std::vector<bool> Out;
  Out.reserve(G.outputs().size());
  for (const Variable *V : G.outputs()) {
    bool Input =
        std::find(G.inputs().begin(), G.inputs().end(), V) != G.inputs().end();
    Out.push_back(V->owner() && !Input && !isSimple(*V) &&
                  std::find(NotThese.begin(), NotThese.end(), V) ==
                      NotThese.end());
  }
  return Out;
}
