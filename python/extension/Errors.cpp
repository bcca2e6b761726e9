// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Renders errors for Python.

#include "Objects.h"

#include "lib/Support/Faults.h"

using namespace clinch;
using namespace clinch::python;

/// Return what \p Dict has under \p Key, or "" or 0.
static std::string textIn(PyObject *Dict, const char *Key) {
  return toString(PyDict_GetItemString(Dict, Key));
}
static unsigned numberIn(PyObject *Dict, const char *Key) {
  PyObject *Item = PyDict_GetItemString(Dict, Key);
  return Item ? unsigned(PyLong_AsUnsignedLong(Item)) : 0;
}

/// Calls \p Read with each dict of \p List, which may be null. Returns false if
/// an exception is pending.
template <typename Reader> static bool readDicts(PyObject *List, Reader Read) {
  if (!List)
    return true;
  PyRef Items = PyRef::steal(PySequence_Fast(List, "a list was expected"));
  for (Py_ssize_t I = 0; Items && I < PySequence_Fast_GET_SIZE(Items.get());
       ++I) {
    PyObject *Item = PySequence_Fast_GET_ITEM(Items.get(), I);
    if (!PyDict_Check(Item)) {
      PyErr_SetString(PyExc_TypeError, "a diagnostic is a dict");
      return false;
    }
    if (!Read(Item) || PyErr_Occurred())
      return false;
  }
  return bool(Items);
}

/// Reads the parts of diagnostics that are shown. Any key may be missing.
static bool readDiagnostics(PyObject *List, std::vector<Diagnostic> &Out) {
  return readDicts(List, [&Out](PyObject *Dict) {
    Diagnostic D;
    std::string Level = textIn(Dict, "severity");
    D.Level = Level == "note"      ? Diagnostic::Severity::Note
              : Level == "warning" ? Diagnostic::Severity::Warning
                                   : Diagnostic::Severity::Error;
    D.Origin = textIn(Dict, "origin");
    D.Line = numberIn(Dict, "line");
    D.Column = numberIn(Dict, "column");
    D.Message = textIn(Dict, "message");
    D.SourceLine = textIn(Dict, "source_line");
    auto ReadFix = [&D](PyObject *Fix) {
      D.FixIts.push_back({numberIn(Fix, "begin_column"),
                          numberIn(Fix, "end_column"),
                          textIn(Fix, "replacement")});
      return true;
    };
    bool Read = readDicts(PyDict_GetItemString(Dict, "fixits"), ReadFix) &&
                readDiagnostics(PyDict_GetItemString(Dict, "notes"), D.Notes);
    Out.push_back(std::move(D));
    return Read;
  });
}

/// render(message, diagnostics, colour): Error::render() without its final
/// newline.
PyObject *python::renderError(PyObject *, PyObject *Args) {
  PyObject *Message = nullptr, *Given = nullptr;
  int Colour = 0;
  std::vector<Diagnostic> Diags;
  if (!PyArg_ParseTuple(Args, "UOp:render", &Message, &Given, &Colour) ||
      !readDiagnostics(Given, Diags))
    return nullptr;
  Error E(Error::Kind::Compile, toString(Message), std::move(Diags));
  std::string Text = E.render(Colour);
  if (Text.ends_with('\n'))
    Text.pop_back();
  return fromString(Text).release();
}

/// fault_count(kind, count): returns the message of an error that counts its
/// diagnostics, or "" for other kinds.
PyObject *python::faultCountOf(PyObject *, PyObject *Args) {
  const char *Name = nullptr;
  Py_ssize_t Count = 0;
  if (!PyArg_ParseTuple(Args, "sn:fault_count", &Name, &Count))
    return nullptr;
  std::string_view Kind = Name;
  if (Kind == "compile" || Kind == "rule")
    return fromString(faultCount(Kind == "rule" ? Error::Kind::Rule
                                                : Error::Kind::Compile,
                                 size_t(Count)))
        .release();
  return fromString("").release();
}
