// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors as Python's exceptions.

#include "Raise.h"
#include "PyRef.h"
#include "jit/Cuda/Driver.h"

#include <Python.h>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <typeinfo>

using namespace clinch;

static PyObject *ErrorModule = nullptr;

void clinch::setErrorModule(PyObject *Module) {
  Py_XSETREF(ErrorModule, Py_XNewRef(Module));
}

PyObject *clinch::errorModule() { return ErrorModule; }

/// In the order of Error::Kind and of Severity.
static constexpr const char *KindNames[] = {
    "compile", "rule", "link",  "argument", "graph",
    "hook",    "host", "limit", "crash",    "io"};
static constexpr const char *SeverityNames[] = {"note", "warning", "error"};

static PyRef fixItsToPython(const std::vector<Diagnostic::FixIt> &FixIts) {
  PyRef List = PyRef::steal(PyList_New(0));
  for (const Diagnostic::FixIt &F : FixIts) {
    PyRef Item = PyRef::steal(Py_BuildValue(
        "{sIsIsN}", "begin_column", F.BeginColumn, "end_column", F.EndColumn,
        "replacement", fromString(F.Replacement).release()));
    if (!List || !Item || PyList_Append(List.get(), Item.get()) < 0)
      return {};
  }
  return List;
}

PyRef clinch::diagnosticsToPython(const std::vector<Diagnostic> &Diags) {
  PyRef List = PyRef::steal(PyList_New(0));
  for (const Diagnostic &D : Diags) {
    PyRef Item = PyRef::steal(Py_BuildValue(
        "{sssNsIsIsNsNsNsNsNsNsNsNsIsI}", "severity",
        SeverityNames[unsigned(D.Level)], "origin",
        fromString(D.Origin).release(), "line", D.Line, "column", D.Column,
        "message", fromString(D.Message).release(), "source_line",
        fromString(D.SourceLine).release(), "fixits",
        fixItsToPython(D.FixIts).release(), "notes",
        diagnosticsToPython(D.Notes).release(), "class",
        fromString(D.Class).release(), "hook", fromString(D.Hook).release(),
        "subject", fromString(D.Subject).release(), "file",
        fromString(D.File).release(), "block", D.Block, "apply", D.Apply));
    if (!List || !Item || PyList_Append(List.get(), Item.get()) < 0)
      return {};
  }
  return List;
}

/// Returns the package's exception; null if there is none or that failed.
static PyRef makeException(const Error &E) {
  if (!ErrorModule)
    return {};
  PyRef Diags = diagnosticsToPython(E.diagnostics());
  PyRef Message = fromString(E.message());
  if (!Diags || !Message)
    return {};
  return PyRef::steal(PyObject_CallMethod(ErrorModule, "make_error", "sOO",
                                          KindNames[unsigned(E.kind())],
                                          Message.get(), Diags.get()));
}

void clinch::raise(const Error &E) {
  if (E.kind() == Error::Kind::Host && PyErr_Occurred())
    return;
  if (PyRef Exception = makeException(E)) {
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(Exception.get())),
                    Exception.get());
    return;
  }
  if (!PyErr_Occurred()) {
    PyRef Text = fromString(E.render());
    PyErr_SetObject(PyExc_RuntimeError, Text.get());
  }
}

PyObject *clinch::raiseNull(const Error &E) {
  raise(E);
  return nullptr;
}

Error clinch::hostError() {
  PendingError Aside;
  return {Error::Kind::Host, "Python raised an exception."};
}

void clinch::addNote(const std::string &Note) {
  PyObject *Type = nullptr, *Value = nullptr, *Traceback = nullptr;
  PyErr_Fetch(&Type, &Value, &Traceback);
  PyErr_NormalizeException(&Type, &Value, &Traceback);
  if (Value && Traceback)
    PyException_SetTraceback(Value, Traceback);
  if (Value) {
    PyRef Text = fromString(Note);
    PyRef Done = PyRef::steal(
        Text ? PyObject_CallMethod(Value, "add_note", "O", Text.get())
             : nullptr);
    if (!Done) // Of a class that takes none, or out of memory.
      PyErr_Clear();
  }
  PyErr_Restore(Type, Value, Traceback);
}

void clinch::setFailedApply(size_t Position) {
  PyObject *Type = nullptr, *Value = nullptr, *Traceback = nullptr;
  PyErr_Fetch(&Type, &Value, &Traceback);
  PyErr_NormalizeException(&Type, &Value, &Traceback);
  PyRef Number = PyRef::steal(PyLong_FromSize_t(Position));
  if (!Number || !Value ||
      PyObject_SetAttrString(Value, "clinch_apply", Number.get()) < 0)
    PyErr_Clear();
  PyErr_Restore(Type, Value, Traceback);
}

// The exceptions of compiled code.

void clinch::clinch_thrown(const char *Hook) noexcept {
  if (PyErr_Occurred())
    return;
  std::type_info *Type = abi::__cxa_current_exception_type();
  char *Name =
      Type ? abi::__cxa_demangle(Type->name(), nullptr, nullptr, nullptr)
           : nullptr;
  const char *Shown = Name ? Name : "an unknown exception";
  try {
    throw;
  } catch (const std::exception &E) {
    PyErr_Format(PyExc_RuntimeError, "%s threw `%s`: %s", Hook, Shown,
                 E.what());
  } catch (...) {
    PyErr_Format(PyExc_RuntimeError, "%s threw `%s`", Hook, Shown);
  }
  std::free(Name);
}

void clinch::clinch_assertion(const char *What, const char *File, unsigned Line,
                              const char *) noexcept {
  PyGILState_STATE State = PyGILState_Ensure(); // An Op may run without it.
  if (!PyErr_Occurred())
    PyErr_Format(PyExc_AssertionError, "%s:%u: `%s` is false", File, Line,
                 What);
  PyGILState_Release(State);
}

void clinch::clinch_asserted(const char *What, const char *File, unsigned Line,
                             const char *Function) {
  clinch_assertion(What, File, Line, Function);
  throw AssertionFailed();
}

void clinch::addThrown(CompileOptions &O) {
  const std::pair<const char *, void *> Ours[] = {
      {"clinch_thrown", reinterpret_cast<void *>(&clinch_thrown)},
      {"clinch_assertion", reinterpret_cast<void *>(&clinch_assertion)},
      {"clinch_asserted", reinterpret_cast<void *>(&clinch_asserted)}};
  for (const auto &[Name, Address] : Ours)
    O.Symbols.try_emplace(Name, Address);
}

/// Sets what the package makes of the problem, or without it a RuntimeError.
static void setProblem() {
  if (PyErr_Occurred()) {
    cuda::takeProblem();
    return;
  }
  PyRef Module = PyRef::steal(PyImport_ImportModule("clinch.device.launches"));
  PyRef Made =
      Module
          ? PyRef::steal(PyObject_CallMethod(Module.get(), "problem", nullptr))
          : PyRef();
  if (Made && PyExceptionInstance_Check(Made.get())) {
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(Made.get())),
                    Made.get());
    return;
  }
  PyErr_Clear();
  const std::optional<cuda::Problem> P = cuda::takeProblem();
  PyErr_SetString(PyExc_RuntimeError,
                  P ? P->What.message().c_str() : "a kernel's launch failed");
}

int clinch::clinch_launch_failed() noexcept {
  if (!cuda::lastProblem())
    return 0;
  PyGILState_STATE State = PyGILState_Ensure(); // An Op may run without it.
  setProblem();
  PyGILState_Release(State);
  return 1;
}

void clinch::addLaunched(CompileOptions &Options, const ProgramOptions &O) {
  if (!Options.Launches)
    return;
  Options.Simulate = O.Simulate || O.Check;
  Options.Check = O.Check;
  // Else what the assembler says, which all later devices take.
  const std::string Device =
      O.Device.empty() && !Options.Simulate ? cuda::firstDevice() : O.Device;
  if (!Device.empty())
    Options.Device = Device;
  Options.Symbols.try_emplace("clinch_launch_failed",
                              reinterpret_cast<void *>(&clinch_launch_failed));
}
