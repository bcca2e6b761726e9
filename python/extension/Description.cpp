// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program as plain data.

#include "BuildArguments.h"
#include "Objects.h"

#include "../../jit/Runtime/ProcessSession.h"
#include "../../jit/Runtime/Raise.h"
#include "jit/Compiler/DiskEntries.h"
#include "lib/Contract/PythonPrefix.h"

using namespace clinch;
using namespace clinch::python;

static PyRef listOf(const std::vector<std::string> &Texts) {
  PyRef List = PyRef::steal(PyList_New(0));
  for (const std::string &Text : Texts) {
    PyRef Item = fromString(Text);
    if (!List || !Item || PyList_Append(List.get(), Item.get()) < 0)
      return {};
  }
  return List;
}

static bool readList(PyObject *List, std::vector<std::string> &Out) {
  PyRef Items = PyRef::steal(PySequence_List(List));
  for (Py_ssize_t I = 0; Items && I < PyList_GET_SIZE(Items.get()); ++I)
    Out.push_back(toString(PyList_GET_ITEM(Items.get(), I)));
  return bool(Items);
}

static PyRef regionsToPython(const std::vector<Region> &Regions) {
  PyRef List = PyRef::steal(PyList_New(0));
  for (const Region &R : Regions) {
    PyRef Item = PyRef::steal(Py_BuildValue(
        "(NiINnnNNN)", fromString(R.Name).release(), int(R.Kind), R.Block,
        fromString(R.Label).release(), Py_ssize_t(R.Begin), Py_ssize_t(R.End),
        fromString(R.Required).release(), listOf(R.Reserved).release(),
        listOf(R.Parts).release()));
    if (!List || !Item || PyList_Append(List.get(), Item.get()) < 0)
      return {};
  }
  return List;
}

static bool readRegions(PyObject *List, std::vector<Region> &Out) {
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(List); ++I) {
    PyObject *Name = nullptr, *Required = nullptr, *Reserved = nullptr;
    PyObject *Label = nullptr, *Parts = nullptr;
    Py_ssize_t Begin = 0, End = 0;
    int Kind = 0;
    unsigned Block = 0;
    Region R;
    if (!PyArg_ParseTuple(PyList_GET_ITEM(List, I), "OiIOnnOOO", &Name, &Kind,
                          &Block, &Label, &Begin, &End, &Required, &Reserved,
                          &Parts))
      return false;
    R.Name = toString(Name);
    R.Kind = Region::Role(Kind);
    R.Block = Block;
    R.Label = toString(Label);
    R.Begin = size_t(Begin);
    R.End = size_t(End);
    R.Required = toString(Required);
    if (!readList(Reserved, R.Reserved) || !readList(Parts, R.Parts))
      return false;
    Out.push_back(std::move(R));
  }
  return true;
}

static PyRef tasksToPython(const std::vector<Task> &Tasks) {
  PyRef List = PyRef::steal(PyList_New(0));
  for (const Task &T : Tasks) {
    PyRef Item = PyRef::steal(Py_BuildValue("(IiNi)", T.Number, int(T.What),
                                            fromString(T.Subject).release(),
                                            int(T.InInit)));
    if (!List || !Item || PyList_Append(List.get(), Item.get()) < 0)
      return {};
  }
  return List;
}

static bool readTasks(PyObject *List, std::vector<Task> &Out) {
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(List); ++I) {
    Task T;
    int What = 0, InInit = 0;
    PyObject *Subject = nullptr;
    if (!PyArg_ParseTuple(PyList_GET_ITEM(List, I), "IiOi", &T.Number, &What,
                          &Subject, &InInit))
      return false;
    T.What = Task::Kind(What);
    T.Subject = toString(Subject);
    T.InInit = InInit;
    Out.push_back(std::move(T));
  }
  return true;
}

static PyObject *toPython(const ThunkSource &S, const ProgramOptions &O) {
  CompileOptions C = S.Options;
  C.Level = O.Level;
  addLaunched(C, O); // Which says the device that the code is for.
  C.Flags.insert(C.Flags.begin(), O.Flags.begin(), O.Flags.end());
  const CodeOrigin Origin = codeOrigin(C);
  return Py_BuildValue(
      "{s:N,s:N,s:N,s:N,s:i,s:i,s:i,s:i,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:i,"
      "s:i,s:i,s:N,s:n,s:N,s:N,s:i,s:N,s:i,s:i}",
      "build", fromString(Origin.Build).release(), "processor",
      fromString(Origin.Processor).release(), "name",
      fromString(S.Source.Name).release(), "text",
      fromString(S.Source.Text).release(), "form", int(S.Shape), "language",
      int(C.Lang), "tier", int(O.Level), "prefix", int(!C.Prefix.empty()),
      "include_dirs", listOf(C.IncludeDirs).release(), "defines",
      listOf(C.Defines).release(), "flags", listOf(C.Flags).release(),
      "forbidden_flags", listOf(C.ForbiddenFlags).release(), "libraries",
      listOf(C.Libraries).release(), "library_dirs",
      listOf(C.LibraryDirs).release(), "regions",
      regionsToPython(C.Regions).release(), "failure_variable",
      fromString(C.FailureVariable).release(), "disk_cache",
      int(C.UseDiskCache), "module_init", int(S.Init), "keep_code",
      int(S.KeepCode), "key", fromString(S.Key).release(), "cells",
      Py_ssize_t(S.Cells.size()), "tasks", tasksToPython(S.Tasks).release(),
      "variables", listOf(C.Variables).release(), "launches", int(C.Launches),
      "device", fromString(C.Device).release(), "simulate", int(O.Simulate),
      "check", int(O.Check));
}

/// describe(inputs, outputs, ...): returns all that load() needs, as a dict.
PyObject *python::describeProgram(PyObject *, PyObject *Args,
                                  PyObject *Keywords) {
  BuildArguments B;
  if (Status S = B.parse(Args, Keywords); !S)
    return raiseNull(S.error());
  Expected<std::unique_ptr<ImportedGraph>> I = B.import();
  if (!I)
    return raiseNull(I.error());
  Expected<ThunkSource> Source = assemble((*I)->graph(), B.Options.Assemble);
  if (!Source)
    return raiseNull(Source.error());
  return toPython(*Source, B.Options);
}

namespace {
/// Reads the items of a description. Valid becomes false if one is missing.
struct Reader {
  PyObject *Dict;
  bool Valid = true;

  PyObject *item(const char *Name) {
    PyObject *Item = PyDict_GetItemString(Dict, Name);
    Valid &= Item != nullptr;
    return Item ? Item : Py_None;
  }
  std::string text(const char *Name) { return toString(item(Name)); }
  int number(const char *Name) {
    long Value = PyLong_AsLong(item(Name));
    Valid &= !PyErr_Occurred();
    return int(Value);
  }
  void list(const char *Name, std::vector<std::string> &Out) {
    Valid = Valid && readList(item(Name), Out);
  }
  PyObject *listItem(const char *Name) {
    PyObject *Item = item(Name);
    Valid &= PyList_Check(Item);
    return Item;
  }
};
} // namespace

/// Returns false with an exception if \p Dict is not a description.
static bool fromPython(PyObject *Dict, ThunkSource &S, ProgramOptions &O) {
  Reader R{Dict};
  CompileOptions &C = S.Options;
  S.Source = {R.text("name"), R.text("text")};
  S.Shape = Form(R.number("form"));
  C.Lang = Language(R.number("language"));
  C.Launches = R.number("launches");
  O.Device = R.text("device");
  O.Simulate = R.number("simulate");
  O.Check = R.number("check");
  O.Level = Tier(R.number("tier"));
  if (R.number("prefix"))
    C.Prefix = PythonPrefix;
  R.list("include_dirs", C.IncludeDirs);
  R.list("defines", C.Defines);
  R.list("flags", C.Flags);
  R.list("forbidden_flags", C.ForbiddenFlags);
  R.list("libraries", C.Libraries);
  R.list("library_dirs", C.LibraryDirs);
  R.list("variables", C.Variables);
  C.FailureVariable = R.text("failure_variable");
  C.UseDiskCache = R.number("disk_cache");
  S.Init = ModuleInit(R.number("module_init"));
  S.KeepCode = R.number("keep_code");
  S.Key = R.text("key");
  S.Cells.assign(size_t(std::max(0, R.number("cells"))), nullptr);
  PyObject *Regions = R.listItem("regions"), *Tasks = R.listItem("tasks");
  if (R.Valid && readRegions(Regions, C.Regions) && readTasks(Tasks, S.Tasks))
    return true;
  clearError();
  PyErr_SetString(PyExc_ValueError,
                  "this is no description of a program, or one of another "
                  "version of Clinch");
  return false;
}

/// code_origin(description): returns (build, processor), as in describe(), of
/// the code that this process would produce. None means code for this
/// processor.
PyObject *python::originOf(PyObject *, PyObject *Description) {
  ThunkSource Source;
  ProgramOptions O;
  if (Description == Py_None)
    Source.Options.CPU = "host";
  else if (!PyDict_Check(Description))
    return PyErr_Format(PyExc_TypeError, "a description is a dict, not a %s",
                        Py_TYPE(Description)->tp_name);
  else if (!fromPython(Description, Source, O))
    return nullptr;
  Source.Options.Level = O.Level;
  const CodeOrigin Origin = codeOrigin(Source.Options);
  return Py_BuildValue("NN", fromString(Origin.Build).release(),
                       fromString(Origin.Processor).release());
}

/// load(description, object=b""): returns a Program without its graph.
PyObject *python::loadProgram(PyObject *, PyObject *Args) {
  PyObject *Dict = nullptr;
  const char *Object = "";
  Py_ssize_t Size = 0;
  if (!PyArg_ParseTuple(Args, "O!|y#", &PyDict_Type, &Dict, &Object, &Size))
    return nullptr;
  ThunkSource Source;
  ProgramOptions O;
  if (!fromPython(Dict, Source, O))
    return nullptr;
  Session &S = processSession();
  auto P = Program::load(nullptr, std::move(Source), S, O,
                         std::string(Object, size_t(Size)));
  return P ? makeProgram(nullptr, std::move(*P), {}).release()
           : raiseNull(P.error());
}
