// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks graphs and applies fix-its.

#include "BuildArguments.h"
#include "Objects.h"

#include "../../jit/Runtime/CriticalSection.h"
#include "../../jit/Runtime/ProcessSession.h"
#include "../../jit/Runtime/Raise.h"
#include "jit/Compiler/EngineLibrary.h"
#include "lib/Support/Forks.h"

using namespace clinch;
using namespace clinch::python;

/// The checker of the process; null until startChecker(). It checks one text at
/// a time, in the critical section of processObject().
static std::unique_ptr<TextChecker> Checker;
static EngineConfig CheckerConfig;

static Expected<TextChecker *> makeChecker() {
  LockGuard Guard(lockOf(ProcessLock::EngineLoading));
  if (!Checker) {
    CLINCH_TRY_ASSIGN(Checker, createChecker("", CheckerConfig));
  }
  return Checker.get();
}

/// Returns false with an exception if startChecker() was not called.
static bool hasStarted() {
  CriticalSection Turn(processObject());
  if (!Checker)
    PyErr_SetString(PyExc_RuntimeError, "start_checker() comes first");
  return bool(Checker);
}

/// start_checker(folders, cache): must precede check() and fixed(). `folders`
/// is as in configure(); `cache` is the folder of precompiled headers, or "".
PyObject *python::startChecker(PyObject *, PyObject *Args) {
  PyObject *Folders = nullptr;
  const char *Cache = nullptr;
  EngineConfig Config;
  if (!PyArg_ParseTuple(Args, "O!s:start_checker", &PyList_Type, &Folders,
                        &Cache))
    return nullptr;
  Config.PrefixCacheDir = Cache;
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Folders); ++I)
    Config.PrefixDirs.push_back(toString(PyList_GET_ITEM(Folders, I)));
  CriticalSection Turn(processObject());
  if (!Checker)
    CheckerConfig = std::move(Config);
  if (auto Made = makeChecker(); !Made)
    return raiseNull(Made.error());
  Py_RETURN_NONE;
}

static Expected<std::vector<Finding>> checkText(const Graph &G,
                                                const ProgramOptions &O) {
  Expected<ThunkSource> Source = assemble(G, O.Assemble);
  if (!Source) {
    // Incomplete texts of hooks are found before Clang sees them.
    Error E = Source.takeError();
    if (E.diagnostics().empty())
      return E;
    std::vector<Finding> Found;
    for (Diagnostic &D : E.diagnostics())
      Found.push_back({std::move(D), ""});
    return Found;
  }
  CompileOptions Options = Source->Options;
  Options.Level = O.Level;
  Options.Flags.insert(Options.Flags.begin(), O.Flags.begin(), O.Flags.end());
  CriticalSection Turn(processObject());
  const EngineUse Use;
  if (!Use)
    return Error(Error::Kind::Crash,
                 "The compiler crashed over an earlier text, or its process "
                 "was forked: it is not used again.");
  auto Found = Checker->check(Source->Source, Options, pythonFacts());
  if (!Found) {
    if (Found.error().kind() == Error::Kind::Crash)
      loseEngine();
    return Found;
  }
  std::vector<Diagnostic> All;
  for (Finding &F : *Found)
    All.push_back(std::move(F.What));
  nameAuthors(All, *Source);
  for (size_t I = 0; I < All.size(); ++I)
    (*Found)[I].What = std::move(All[I]);
  return Found;
}

/// check(inputs, outputs, ...), as Program(): returns [(diagnostic, check)].
PyObject *python::checkGraph(PyObject *, PyObject *Args, PyObject *Keywords) {
  BuildArguments B;
  if (!hasStarted())
    return nullptr;
  if (Status S = B.parse(Args, Keywords); !S)
    return raiseNull(S.error());
  Expected<std::unique_ptr<ImportedGraph>> Imported = B.import();
  if (!Imported)
    return raiseNull(Imported.error());
  auto Found = checkText((*Imported)->graph(), B.Options);
  if (!Found)
    return raiseNull(Found.error());
  PyRef List = PyRef::steal(PyList_New(0));
  for (const Finding &F : *Found) {
    PyRef One = diagnosticsToPython({F.What});
    PyRef Pair =
        PyRef::steal(One ? Py_BuildValue("(OO)", PyList_GET_ITEM(One.get(), 0),
                                         fromString(F.Check).get())
                         : nullptr);
    if (!List || !Pair || PyList_Append(List.get(), Pair.get()) < 0)
      return nullptr;
  }
  return List.release();
}

/// completions(text, name, options): returns the names that may stand where the
/// text ends.
PyObject *python::completeText(PyObject *, PyObject *Args) {
  PyObject *Text = nullptr, *Name = nullptr, *Options = nullptr;
  CompileOptions O;
  if (!PyArg_ParseTuple(Args, "UUO!:completions", &Text, &Name, &PyDict_Type,
                        &Options) ||
      !parseOptions(Options, O) || !hasStarted())
    return nullptr;
  CriticalSection Turn(processObject());
  const EngineUse Use;
  if (!Use)
    return PyList_New(0);
  auto Found = Checker->completions({toString(Name), toString(Text)}, O);
  if (!Found) {
    if (Found.error().kind() == Error::Kind::Crash)
      loseEngine();
    return raiseNull(Found.error());
  }
  PyRef List = PyRef::steal(PyList_New(0));
  for (const std::string &One : *Found)
    if (!List || PyList_Append(List.get(), fromString(One).get()))
      return nullptr;
  return List.release();
}

/// Reads (line, its text, begin column, end column, replacement).
static bool readFix(PyObject *Item, LineFix &Out) {
  PyObject *Before = nullptr, *Replacement = nullptr;
  if (!PyArg_ParseTuple(Item, "IUIIU", &Out.Line, &Before, &Out.Fix.BeginColumn,
                        &Out.Fix.EndColumn, &Replacement))
    return false;
  Out.Before = toString(Before);
  Out.Fix.Replacement = toString(Replacement);
  return true;
}

/// fixed(name, text, fixes): returns the text with the fixes applied.
PyObject *python::fixedText(PyObject *, PyObject *Args) {
  PyObject *Name = nullptr, *Text = nullptr, *Given = nullptr;
  if (!PyArg_ParseTuple(Args, "UUO!:fixed", &Name, &Text, &PyList_Type, &Given))
    return nullptr;
  if (!hasStarted())
    return nullptr;
  std::vector<LineFix> Fixes;
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Given); ++I)
    if (!readFix(PyList_GET_ITEM(Given, I), Fixes.emplace_back()))
      return nullptr;
  CriticalSection Turn(processObject());
  Expected<std::string> Result =
      Checker->fixed({toString(Name), toString(Text)}, Fixes);
  return Result ? fromString(*Result).release() : raiseNull(Result.error());
}
