// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thunk, and what it says of a wrong output.

#include "Thunk.h"
#include "Border.h"
#include "CriticalSection.h"
#include "Notes.h"
#include "Raise.h"
#include "Upgrade.h"
#include "jit/Runtime/Thunk.h"
#include "lib/Support/AlignmentLimits.h"
#include "lib/Support/OutOfMemory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

using namespace clinch;

/// Returns zeroed memory, or null if there is none.
static void *allocateState(size_t Size) {
  Size =
      (std::max<size_t>(Size, 1) + StateAlignment - 1) & ~(StateAlignment - 1);
  void *State = std::aligned_alloc(StateAlignment, Size);
  if (State)
    std::memset(State, 0, Size);
  return State;
}

/// The items that a cell has room for, so that its storage is apart().
constexpr Py_ssize_t CellCapacity =
    apart(sizeof(PyObject *)) / sizeof(PyObject *);

static PyRef makeCell(const Variable *V) {
  auto *Value =
      V && V->isConstant() ? static_cast<PyObject *>(V->hostValue()) : nullptr;
  PyRef Cell = PyRef::steal(PyList_New(CellCapacity));
  if (!Cell)
    return Cell;
  Py_SET_SIZE(reinterpret_cast<PyVarObject *>(Cell.get()), 1);
  PyList_SET_ITEM(Cell.get(), 0, Py_NewRef(Value ? Value : Py_None));
  return Cell;
}

Expected<std::unique_ptr<Thunk>> Thunk::create(std::shared_ptr<const Program> P,
                                               std::vector<PyRef> Cells) {
  std::unique_ptr<Thunk> T(new Thunk(std::move(P)));
  const auto &Wanted = T->P->cells();
  Cells.resize(Wanted.size());
  for (size_t I = 0; I < Wanted.size(); ++I) {
    if (!Cells[I])
      Cells[I] = makeCell(Wanted[I]);
    if (!Cells[I])
      return hostError();
    T->Raw.push_back(Cells[I].get());
  }
  T->Cells = std::move(Cells);
  if (!T->cellsFit() || T->init() != 0)
    return hostError();
  return T;
}

int Thunk::init() {
  if (P->form() == Form::Function)
    return 0;
  State = allocateState(P->stateSize());
  if (!State) {
    PyErr_NoMemory();
    return -1;
  }
  int Number = callCode([&] { return P->init()(State, Raw.data()); });
  if (Number == 0 && !PyErr_Occurred()) {
    Run = P->run();
    Cleanup = P->cleanup();
    PendingUpgrade = P->upgrade();
    return 0;
  }
  if (Number == Abandoned) {
    State = nullptr;
    return -1;
  }
  // A failing init cleans up; one that returns 0 with an exception does not.
  if (Number == 0)
    P->cleanup()(State);
  Failed = P->task(unsigned(Number), /*InInit=*/true);
  explainFailure(*P, Failed, unsigned(Number), Raw);
  std::free(State);
  State = nullptr;
  return -1;
}

PyObject *clinch::outputValue(PyObject *Cell) {
  if (PyList_GET_SIZE(Cell) == 1) [[likely]]
    return cellValue(Cell);
  PyErr_SetString(PyExc_TypeError, "the cell of an output was changed while "
                                   "the function ran");
  return nullptr;
}

Thunk::~Thunk() { clear(); }

void Thunk::clear() {
  if (State) {
    PendingError Aside;
    if (Run)
      callCode([&] { return Cleanup(State), 0; });
    std::free(State);
    State = nullptr;
    Run = nullptr;
  }
  Cleared = true;
  Raw.clear();
  // Destroying the cells may run Python code, and a collector may then look at
  // this thunk.
  std::vector<PyRef> Gone = std::move(Cells);
  Cells.clear();
}

int Thunk::traverse(visitproc Visit, void *Arg) const {
  for (const PyRef &Cell : Cells)
    if (int Stop = Visit(Cell.get(), Arg))
      return Stop;
  return 0;
}

bool Thunk::cellsAreWhole() { return hasCells() && cellsFit(); }

bool Thunk::cellsFit() {
  for (size_t I = 0; I < Raw.size(); ++I) {
    PyObject *Cell = Raw[I];
    if (PyList_CheckExact(Cell) && PyList_GET_SIZE(Cell) == 1) [[likely]]
      continue;
    explainCell(*P, I, Cell);
    return false;
  }
  return true;
}

/// A finalizer may call a thunk that the garbage collector has cleared.
bool Thunk::hasCells() {
  if (!Cleared) [[likely]]
    return true;
  PyErr_SetString(PyExc_RuntimeError,
                  "this thunk was cleared by the garbage collector");
  return false;
}

int Thunk::run() { return cellsAreWhole() ? runUnchecked() : -1; }

int Thunk::runUnchecked() noexcept {
  if (Running && Run) [[unlikely]]
    return alreadyRunning();
  if (PendingUpgrade && pollUpgrade() != 0) [[unlikely]]
    return -1;
  bool Outer = std::exchange(Running, true);
  int Result =
      callCode([&] { return Run ? Run(State) : P->call()(Raw.data()); });
  Running = Outer;
  return Result == Abandoned ? abandon() : finish(Result);
}

/// Takes a new state: the old one may name what is gone.
int Thunk::abandon() noexcept {
  Failed = nullptr;
  if (!State)
    return -1;
  PendingError Aside;
  State = nullptr;
  Run = nullptr;
  Cleared = init() != 0;
  PyErr_Clear();
  return -1;
}

/// Between two runs the better code may take over the state. If it cannot be
/// used, the current code stays.
void Thunk::switchToUpgrade() {
  if (const Program::Entries *E = PendingUpgrade->take()) {
    Run = E->Run;
    Cleanup = E->Cleanup;
  }
  PendingUpgrade = nullptr;
}

int Thunk::pollUpgrade() noexcept {
  prepareToThrow();
  try {
    return lookForUpgrade();
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
    return -1;
  }
}

int Thunk::lookForUpgrade() {
  Upgrade &U = *PendingUpgrade;
  if (U.progress() == Upgrade::Progress::Waiting) {
    U.countRun();
    return 0;
  }
  switchToUpgrade();
  std::optional<std::string> Failure = U.tellFailure();
  return Failure ? PyErr_WarnEx(PyExc_RuntimeWarning, Failure->c_str(), 1) : 0;
}

int Thunk::settle(std::chrono::steady_clock::time_point Until) {
  Upgrade *U = P->upgrade();
  if (!U || Cleared)
    return 0;
  if (U->progress() == Upgrade::Progress::Waiting) {
    GilReleased Gil;
    bool Raised = false;
    U->wait(Until, [&] { return Raised = Gil.signalRaised(); });
    if (Raised)
      return -1;
  }
  if (U->progress() == Upgrade::Progress::Waiting)
    return 0;
  // Another thread may have taken or cleared it meanwhile, or runs it.
  if (pending() && !Running)
    switchToUpgrade();
  if (!U->failure())
    return 0;
  (void)U->tellFailure();
  raise(*U->failure());
  return -1;
}

std::string Thunk::code() const {
  const Upgrade *U = P->upgrade();
  if (!U)
    return tierName(P->level());
  std::string Wanted = tierName(P->level());
  if (State && !PendingUpgrade && !U->failure())
    return Wanted;
  return tierName(U->first()) + std::string("; ") + Wanted +
         (U->failure() ? " failed" : " is to come");
}

int Thunk::finish(int Result) noexcept {
  Failed = nullptr;
  if (Result == 0 && !PyErr_Occurred()) [[likely]]
    return 0;
  Failed = P->task(unsigned(Result), /*InInit=*/false);
  explainFailure(*P, Failed, unsigned(Result), Raw);
  return -1;
}

int Thunk::alreadyRunning() {
  PyErr_SetString(PyExc_RuntimeError,
                  "this function is running already, and in struct form it "
                  "keeps one state; call it when it has returned, or make one "
                  "for each caller (`copy.copy(f)`, or form=\"function\")");
  return -1;
}

/// Returns ", not aligned in memory" and the like, if \p Array says so.
static const char *flaw(PyObject *Array) {
  PyRef Flags = attributeOrNull(Array, "flags");
  auto Lacks = [&](const char *Flag) {
    PyRef Value = Flags ? attributeOrNull(Flags.get(), Flag) : PyRef();
    return Value && PyObject_Not(Value.get()) == 1;
  };
  const char *Found = "";
  if (Lacks("aligned"))
    Found = ", not aligned in memory";
  else if (Lacks("c_contiguous"))
    Found = ", not C-contiguous";
  PyErr_Clear();
  return Found;
}

/// Says \p Left as it is.
static std::string found(PyObject *Left) {
  if (!Left)
    return "NULL";
  PyRef Dtype = attributeOrNull(Left, "dtype");
  PyRef Shape = Dtype ? attributeOrNull(Left, "shape") : PyRef();
  PyErr_Clear();
  if (!Shape)
    return "a `" + std::string(Py_TYPE(Left)->tp_name) + "`";
  return "an array of " + describe(Dtype.get()) + " with shape " +
         describe(Shape.get()) + flaw(Left);
}

void clinch::clinch_wrong_output(PyObject *Left, const char *Hook,
                                 const char *Output,
                                 const char *Wanted) noexcept {
  if (PyErr_Occurred())
    return;
  prepareToThrow();
  try {
    PyErr_Format(PyExc_TypeError, "%s must set %s to %s; it left %s", Hook,
                 Output, Wanted, found(Left).c_str());
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  }
}

void clinch::addWrongOutput(CompileOptions &O) {
  O.Symbols.try_emplace("clinch_wrong_output",
                        reinterpret_cast<void *>(&clinch_wrong_output));
}
