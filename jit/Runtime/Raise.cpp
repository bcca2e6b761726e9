// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors become Python exceptions.

#include "Raise.h"

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
