// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a thunk and keeps its events.

#include "Machine.h"

#include "jit/Runtime/Raise.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace clinch;
using namespace clinch::testing;

Journal clinch::testing::TheJournal;

static int recordEvent(int Kind, int Number) {
  TheJournal.Events.push_back({Kind, Number});
  if (Kind != Opened || Number != TheJournal.FailAt)
    return 0;
  if (TheJournal.How == 1)
    PyErr_SetString(PyExc_ValueError, "told to fail");
  return TheJournal.How;
}

/// Gives a buffer, or takes one back.
static void *countBuffer(void *Old) {
  TheJournal.Buffers += Old ? -1 : 1;
  TheJournal.MostBuffers = std::max(TheJournal.MostBuffers, TheJournal.Buffers);
  if (!Old)
    return malloc(1);
  free(Old);
  return nullptr;
}

Session &clinch::testing::session() {
  static std::shared_ptr<Session> S = [] {
    if (!Py_IsInitialized())
      Py_Initialize();
    Session::Options O;
    O.DiskCache = false;
    return Session::create(O);
  }();
  return *S;
}

Machine::Machine(const Graph &G, const AssembleOptions &O, Tier Level) {
  Session &S = session();
  Expected<ThunkSource> T = assemble(G, O);
  if (!T) {
    ADD_FAILURE() << T.error().render();
    return;
  }
  Source = std::move(*T);
  Source.Options.Level = Level;
  for (const std::string &Flag : sanitizerFlags())
    Source.Options.Flags.push_back(Flag);
  Source.Options.Symbols = {
      {"clinch_test_event", reinterpret_cast<void *>(&recordEvent)},
      {"clinch_test_buffer", reinterpret_cast<void *>(&countBuffer)}};
  addThrown(Source.Options);
  Expected<Module> M = S.compile(Source.Source, Source.Options);
  if (!M) {
    ADD_FAILURE() << M.error().render() << Source.Source.Text;
    return;
  }
  Code = std::move(*M);
  Mark = PyLong_FromLong(987654321);
  for (const Variable *V : Source.Cells) {
    PyObject *Cell = PyList_New(1);
    PyList_SET_ITEM(Cell, 0, Py_NewRef(Py_None));
    Cells.push_back(Cell);
    bool IsInput = std::count(G.inputs().begin(), G.inputs().end(), V);
    (IsInput || V->isConstant() ? Given : Outputs).push_back(V);
    if (V->isConstant())
      set(V, *static_cast<long *>(V->hostValue()));
  }
  if (Source.Shape == Form::Struct)
    State.resize(*Code.lookupAs<const size_t *>("clinch_state_size"));
}

Machine::~Machine() {
  for (PyObject *Cell : Cells)
    Py_DECREF(Cell);
  Py_XDECREF(Mark);
}

PyObject *Machine::cell(const Variable *V) const {
  auto It = std::find(Source.Cells.begin(), Source.Cells.end(), V);
  return Cells[It - Source.Cells.begin()];
}

int Machine::init() {
  if (State.empty())
    return 0;
  std::fill(State.begin(), State.end(), 0);
  return Code.lookupAs<int (*)(void *, PyObject *const *)>("clinch_init")(
      State.data(), Cells.data());
}

int Machine::run() {
  if (State.empty())
    return Code.lookupAs<int (*)(PyObject *const *)>("clinch_call")(
        Cells.data());
  return Code.lookupAs<int (*)(void *)>("clinch_run")(State.data());
}

void Machine::cleanup() {
  if (!State.empty())
    Code.lookupAs<void (*)(void *)>("clinch_cleanup")(State.data());
}

void Machine::set(const Variable *V, long Value) {
  // Beyond what Python shares, so that its references can be counted.
  PyList_SetItem(cell(V), 0, PyLong_FromLong(Value + 1000000));
}

long Machine::get(const Variable *V) const {
  return PyLong_AsLong(PyList_GET_ITEM(cell(V), 0));
}

void Machine::markOutputs() {
  for (const Variable *V : Outputs)
    PyList_SetItem(cell(V), 0, Py_NewRef(Mark));
}

bool Machine::untouched() const {
  for (const Variable *V : Outputs)
    if (PyList_GET_ITEM(cell(V), 0) != Mark)
      return false;
  return size_t(Py_REFCNT(Mark)) == Outputs.size() + 1;
}

std::vector<Py_ssize_t> Machine::references() const {
  std::vector<Py_ssize_t> Counts;
  for (const Variable *V : Given)
    Counts.push_back(Py_REFCNT(PyList_GET_ITEM(cell(V), 0)));
  Counts.push_back(Py_REFCNT(Py_None));
  return Counts;
}

std::vector<int> Machine::speaking(bool InInit) const {
  std::vector<int> Numbers;
  for (const Task &T : Source.Tasks)
    if (T.InInit == InInit && T.What != Task::Kind::Sync &&
        !(T.Var && T.Var->type().className() == "Silent"))
      Numbers.push_back(int(T.Number));
  return Numbers;
}

/// Blocks of Ops that release nothing say nothing when they close.
static bool saysClosed(const Task &T) {
  return T.What != Task::Kind::Code || T.Node->op().className() != "QuietSum";
}

std::vector<Event> Machine::expected(bool InInit, int FailAt,
                                     const std::vector<int> &Syncing) const {
  std::vector<Event> Events;
  std::vector<int> Numbers = speaking(InInit);
  size_t Open = 0;
  while (Open < Numbers.size()) {
    Events.push_back({Opened, Numbers[Open++]});
    if (Numbers[Open - 1] == FailAt)
      break;
  }
  // Of an output that is kept, a run only syncs.
  Numbers.resize(Open);
  for (const Task &T : Source.Tasks)
    if (!FailAt && T.InInit == InInit && T.What == Task::Kind::Sync)
      Numbers.insert(std::lower_bound(Numbers.begin(), Numbers.end(), T.Number),
                     int(T.Number));
  Open = Numbers.size();
  while (Open-- > 0) {
    int N = Numbers[Open];
    if (!FailAt && std::count(Syncing.begin(), Syncing.end(), N))
      Events.push_back({Synced, N});
    const Task &T = *Source.task(unsigned(N), InInit);
    if (T.What != Task::Kind::Sync && saysClosed(T))
      Events.push_back({Closed, N});
  }
  return Events;
}
