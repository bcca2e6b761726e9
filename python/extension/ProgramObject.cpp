// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// _clinch.Program.

#include "BuildArguments.h"
#include "Objects.h"

#include "../../jit/Runtime/Border.h"
#include "../../jit/Runtime/CriticalSection.h"
#include "../../jit/Runtime/Function.h"
#include "../../jit/Runtime/ProcessSession.h"
#include "../../jit/Runtime/Raise.h"
#include "../../jit/Runtime/Upgrade.h"

#include <algorithm>
#include <new>

using namespace clinch;
using namespace clinch::python;

static ProgramObject *self(PyObject *O) {
  return reinterpret_cast<ProgramObject *>(O);
}

/// A CompileError keeps the text that did not compile.
static PyObject *raiseWithSource(const Error &E, const std::string &Text) {
  raise(E);
  PyObject *Type = nullptr, *Value = nullptr, *Traceback = nullptr;
  PyErr_Fetch(&Type, &Value, &Traceback);
  PyErr_NormalizeException(&Type, &Value, &Traceback);
  PyRef Source = fromString(Text);
  if (!Text.empty() && Value && PyObject_HasAttrString(Value, "source"))
    PyObject_SetAttrString(Value, "source", Source.get());
  PyErr_Clear();
  PyErr_Restore(Type, Value, Traceback);
  return nullptr;
}

static PyObject *create(PyTypeObject *, PyObject *Args, PyObject *Keywords) {
  BuildArguments B;
  if (Status S = B.parse(Args, Keywords); !S)
    return raiseNull(S.error());
  Expected<std::unique_ptr<ImportedGraph>> Imported = B.import();
  if (!Imported)
    return raiseNull(Imported.error());
  Session &S = processSession(B.Isolated);
  std::string Text;
  B.Options.FailedText = &Text;
  // The ProgramObject keeps the graph alive for as long as the program.
  B.Options.DescribeType = [Graph = Imported->get()](const Type &T) {
    return Graph->describeType(T);
  };
  auto P = Program::build((*Imported)->sharedGraph(), S, B.Options);
  if (!P)
    return raiseWithSource(P.error(), Text);
  const Graph &G = (*Imported)->graph();
  std::vector<bool> Recycled =
      recycledOutputs(G, B.Options.Assemble.NoRecycling);
  return makeProgram(std::move(*Imported), std::move(*P), std::move(Recycled))
      .release();
}

PyRef python::makeProgram(std::unique_ptr<ImportedGraph> Imported,
                          std::shared_ptr<const Program> P,
                          std::vector<bool> Recycled) {
  PyTypeObject *Class = programClass();
  PyObject *O = Class->tp_alloc(Class, 0);
  if (!O)
    return {};
  new (&self(O)->Imported) std::unique_ptr<ImportedGraph>(std::move(Imported));
  new (&self(O)->P) std::shared_ptr<const Program>(std::move(P));
  new (&self(O)->Recycled) std::vector<bool>(std::move(Recycled));
  return PyRef::steal(O);
}

static int traverse(PyObject *O, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(O));
  return self(O)->Imported ? self(O)->Imported->traverse(visit, arg) : 0;
}

static void destroy(PyObject *O) {
  PyTypeObject *Class = Py_TYPE(O);
  PyObject_GC_UnTrack(O);
  PendingError Aside;
  std::destroy_at(&self(O)->Recycled);
  std::destroy_at(&self(O)->P); // Its adaptors borrow what Imported owns.
  std::destroy_at(&self(O)->Imported);
  Class->tp_free(O);
  Py_DECREF(Class);
}

/// Returns the variable of a cell, borrowed; null if it is not known.
static PyObject *variableAt(PyObject *O, size_t Cell) {
  const Variable *V = self(O)->P->cells()[Cell];
  return V && self(O)->Imported ? self(O)->Imported->pythonVariable(*V)
                                : nullptr;
}

/// instantiate(cells=None): `cells` is a sequence of lists or None, in the
/// order of the property `cells`, or a dict {variable: list}.
static PyObject *instantiate(PyObject *O, PyObject *Args, PyObject *Keywords) {
  static const char *Names[] = {"cells", nullptr};
  PyObject *Given = nullptr;
  if (!PyArg_ParseTupleAndKeywords(Args, Keywords, "|O:instantiate",
                                   const_cast<char **>(Names), &Given))
    return nullptr;
  const auto &Wanted = self(O)->P->cells();
  std::vector<PyRef> Cells(Wanted.size());
  bool ByVariable = Given && PyDict_Check(Given);
  if (ByVariable) {
    CriticalSection Turn(Given);
    for (size_t I = 0; I < Wanted.size(); ++I)
      if (PyObject *V = variableAt(O, I))
        Cells[I] = PyRef::borrow(PyDict_GetItemWithError(Given, V));
  } else if (Given && Given != Py_None) {
    PyRef Items = PyRef::steal(PySequence_List(Given));
    if (!Items)
      return nullptr;
    if (size_t(PyList_GET_SIZE(Items.get())) != Wanted.size())
      return PyErr_Format(PyExc_ValueError,
                          "this program has %zu cells, and %zd were given",
                          Wanted.size(), PyList_GET_SIZE(Items.get()));
    for (size_t I = 0; I < Wanted.size(); ++I) {
      PyObject *Cell = PyList_GET_ITEM(Items.get(), Py_ssize_t(I));
      if (Cell != Py_None)
        Cells[I] = PyRef::borrow(Cell);
    }
  }
  if (PyErr_Occurred())
    return nullptr;
  return makeThunk(self(O), std::move(Cells)).release();
}

static PyObject *getCells(PyObject *O, void *) {
  const auto &Cells = self(O)->P->cells();
  PyObject *Tuple = PyTuple_New(Py_ssize_t(Cells.size()));
  for (size_t I = 0; Tuple && I < Cells.size(); ++I) {
    PyObject *V = variableAt(O, I);
    PyTuple_SET_ITEM(Tuple, Py_ssize_t(I), Py_NewRef(V ? V : Py_None));
  }
  return Tuple;
}

static PyObject *flagsToPython(const std::vector<bool> &Flags) {
  PyObject *Tuple = PyTuple_New(Py_ssize_t(Flags.size()));
  for (size_t I = 0; Tuple && I < Flags.size(); ++I)
    PyTuple_SET_ITEM(Tuple, Py_ssize_t(I), PyBool_FromLong(Flags[I]));
  return Tuple;
}

static PyObject *getRecycled(PyObject *O, void *) {
  return flagsToPython(self(O)->Recycled);
}

static PyObject *getDestroyed(PyObject *O, void *) {
  if (!self(O)->Imported)
    return PyTuple_New(0);
  return flagsToPython(destroyedInputs(self(O)->Imported->graph()));
}

static PyObject *pythonSubject(ProgramObject *Self, const Task &T) {
  PyObject *Subject = nullptr;
  if (T.Node)
    Subject = static_cast<PyObject *>(T.Node->info().HostNode);
  else if (T.Var && Self->Imported)
    Subject = Self->Imported->pythonVariable(*T.Var);
  return Subject ? Subject : Py_None;
}

static PyRef taskToPython(ProgramObject *Self, const Task &T) {
  return PyRef::steal(Py_BuildValue(
      "{sIsNsssNsOsO}", "number", T.Number, "label",
      fromString(T.label()).release(), "hook", T.hook(), "subject",
      fromString(T.Subject).release(), "in_init", T.InInit ? Py_True : Py_False,
      "of", pythonSubject(Self, T)));
}

static PyObject *getTasks(PyObject *O, void *) {
  PyRef List = PyRef::steal(PyList_New(0));
  for (const Task &T : self(O)->P->tasks()) {
    PyRef Item = taskToPython(self(O), T);
    if (!List || !Item || PyList_Append(List.get(), Item.get()) < 0)
      return nullptr;
  }
  return List.release();
}

/// Returns (first items, how many are left out, last items); at most \p Most.
template <typename MakerT>
static PyObject *withoutMiddle(const std::vector<const Task *> &All,
                               PyObject *Most, MakerT &&Make) {
  size_t Limit = PyLong_AsSize_t(Most);
  if (PyErr_Occurred())
    return nullptr;
  const size_t LeftOut = All.size() > Limit ? All.size() - Limit : 0;
  const size_t First = LeftOut ? (Limit + 1) / 2 : All.size();
  auto listOf = [&](size_t From, size_t To) {
    PyRef List = PyRef::steal(PyList_New(0));
    for (size_t I = From; List && I < To; ++I) {
      PyRef Item = Make(*All[I]);
      if (!Item || PyList_Append(List.get(), Item.get()) < 0)
        return PyRef();
    }
    return List;
  };
  PyRef Head = listOf(0, First), Tail = listOf(First + LeftOut, All.size());
  if (!Head || !Tail)
    return nullptr;
  return Py_BuildValue("OnO", Head.get(), Py_ssize_t(LeftOut), Tail.get());
}

static PyObject *appliesOf(PyObject *O, PyObject *Most) {
  std::vector<const Task *> Codes;
  for (const Task &T : self(O)->P->tasks())
    if (T.What == Task::Kind::Code)
      Codes.push_back(&T);
  return withoutMiddle(Codes, Most, [&](const Task &T) {
    return PyRef::borrow(pythonSubject(self(O), T));
  });
}

static PyObject *ladder(PyObject *O, PyObject *Most) {
  std::vector<const Task *> Rungs;
  for (const Task &T : self(O)->P->tasks())
    Rungs.push_back(&T);
  std::stable_partition(Rungs.begin(), Rungs.end(),
                        [](const Task *T) { return T->InInit; });
  return withoutMiddle(Rungs, Most,
                       [&](const Task &T) { return taskToPython(self(O), T); });
}

static PyObject *getStats(PyObject *O, void *) {
  const Program &P = *self(O)->P;
  return statsToPython(P.module(), P.warnings(), P.assembleMilliseconds());
}

static PyObject *stage(PyObject *O, PyObject *Name) {
  Expected<Stage> Which = parseStage(toString(Name));
  if (!Which)
    return raiseNull(Which.error());
  return stageToPython(self(O)->P->module(), *Which);
}

static PyObject *symbol(PyObject *O, PyObject *Name) {
  void *Address = self(O)->P->module().lookup(toString(Name));
  if (!Address)
    Py_RETURN_NONE;
  return PyLong_FromVoidPtr(Address);
}

static PyObject *getKey(PyObject *O, void *) {
  return fromString(self(O)->P->sourceKey()).release();
}

static PyObject *getCacheKeys(PyObject *O, void *) {
  const Program &P = *self(O)->P;
  const std::string Better = P.upgrade() ? P.upgrade()->key() : "";
  const std::string &First = P.module().key();
  return Better.empty() ? Py_BuildValue("(s)", First.c_str())
                        : Py_BuildValue("(ss)", First.c_str(), Better.c_str());
}

static PyMethodDef Methods[] = {
    {"instantiate", withKeywords(border<instantiate>),
     METH_VARARGS | METH_KEYWORDS, "A Thunk with these cells."},
    {"stage", border<stage>, METH_O,
     "The text of a stage that was kept, or None."},
    {"symbol", border<symbol>, METH_O, "The address of a symbol, or None."},
    {"applies", border<appliesOf>, METH_O,
     "applies(most): (the first ones, how many are left out, the last ones)."},
    {"ladder", border<ladder>, METH_O,
     "The same of the tasks, those that run once before the others."},
    {nullptr, nullptr, 0, nullptr}};
static PyGetSetDef GetSet[] = {
    {"cells", border<getCells>, nullptr, "The Variable that each cell is for.",
     nullptr},
    {"tasks", border<getTasks>, nullptr,
     "Which hook each block number stands for.", nullptr},
    {"stats", border<getStats>, nullptr, "Times, sizes, cache.", nullptr},
    {"recycled", border<getRecycled>, nullptr,
     "Of each output: its storage may be used again.", nullptr},
    {"destroyed", border<getDestroyed>, nullptr,
     "Of each input: an Op works in place on it.", nullptr},
    {"key", border<getKey>, nullptr, "The content's key.", nullptr},
    {"cache_keys", border<getCacheKeys>, nullptr,
     "What its code is called in the cache on disk, better code last.",
     nullptr},
    {}};

PyTypeObject *python::programClass() {
  static PyType_Slot Slots[] = {
      {Py_tp_doc, const_cast<char *>(
                      "A graph that has become machine code, without state.")},
      {Py_tp_new, slot<create>()},
      {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
      {Py_tp_methods, Methods},
      {Py_tp_getset, GetSet},
      {0, nullptr}};
  static PyType_Spec Spec = {"clinch._clinch.Program", sizeof(ProgramObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, Slots};
  static auto *Class = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&Spec));
  return Class;
}
