// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An Op whose hooks are Python.

#include "PyOp.h"

#include "Raise.h"
#include "clinch/Graph/Graph.h"

using namespace clinch;

static PyRef toList(const std::vector<std::string> &Names) {
  PyRef List = PyRef::steal(PyList_New(Py_ssize_t(Names.size())));
  for (size_t I = 0; List && I < Names.size(); ++I)
    PyList_SET_ITEM(List.get(), Py_ssize_t(I), fromString(Names[I]).release());
  return List;
}

static PyObject *pythonNode(const Apply &Node) {
  auto *Object = static_cast<PyObject *>(Node.info().HostNode);
  return Object ? Object : Py_None;
}

PyOp::Text PyOp::codeText(const char *Hook, const Op::Args &A,
                          bool Optional) const {
  PyRef Name = fromString(A.Name), Inputs = toList(A.Inputs),
        Outputs = toList(A.Outputs), Dict = toDict(A.Sub);
  if (!Name || !Inputs || !Outputs || !Dict)
    return hostError();
  HookCall Call{Object, Hook, "`" + A.Name + "`"};
  Call.Made = A.Node.info().Creation;
  Call.Args = {pythonNode(A.Node), Name.get(), Inputs.get(), Outputs.get(),
               Dict.get()};
  Call.Optional = Optional;
  return callTextHook(Call);
}

PyOp::Text PyOp::nodeText(const char *Hook, const Apply &Node,
                          const std::string &Name, PyObject *Dict) const {
  PyRef NameObject = fromString(Name);
  if (!NameObject)
    return hostError();
  HookCall Call{Object, Hook, "`" + Name + "`"};
  Call.Made = Node.info().Creation;
  Call.Args = {pythonNode(Node), NameObject.get()};
  if (Dict)
    Call.Args.push_back(Dict);
  return callTextHook(Call);
}

PyOp::Text PyOp::code(const char *Hook, CodeHook Of, const Op::Args &A) const {
  return leavesToDefault(Hook) ? ((*Default).*Of)(A) : codeText(Hook, A, true);
}

PyOp::Text PyOp::ofNode(const char *Hook, NodeHook Of, const Apply &Node,
                        const std::string &Name) const {
  return leavesToDefault(Hook) ? ((*Default).*Of)(Node, Name)
                               : nodeText(Hook, Node, Name);
}

bool PyOp::flag(const char *Attribute, bool Otherwise) const {
  PyRef Value = attributeOrNull(Object, Attribute);
  int True = Value && Value.get() != Py_None ? PyObject_IsTrue(Value.get())
                                             : int(Otherwise);
  if (True < 0 || PyErr_Occurred()) {
    clearError();
    return Otherwise;
  }
  return True != 0;
}

/// Support code for Ops without the GIL: there the usual functions that set
/// exceptions take it for that moment.
static constexpr const char *NoGilSupport = R"(
#include <stdarg.h>
static inline void clinch_take_gil(PyThreadState **saved) {
  PyEval_RestoreThread(*saved);
}
static inline void clinch_set_string(PyObject *type, const char *message) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyErr_SetString(type, message);
  PyGILState_Release(state);
}
static inline void clinch_set_none(PyObject *type) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyErr_SetNone(type);
  PyGILState_Release(state);
}
static inline PyObject *clinch_no_memory(void) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyErr_NoMemory();
  PyGILState_Release(state);
  return NULL;
}
static inline PyObject *clinch_format(PyObject *type, const char *format, ...) {
  va_list arguments;
  PyGILState_STATE state = PyGILState_Ensure();
  va_start(arguments, format);
  PyErr_FormatV(type, format, arguments);
  va_end(arguments);
  PyGILState_Release(state);
  return NULL;
}
)";

/// Releases the GIL before the code and takes it back however the code is left:
/// at its end, by `fail`, by a C++ exception. Puts what precedes the code on
/// its first line, to keep the author's line numbers.
static void withoutGil(HookText &Code, const std::string &Name) {
  Code.Text =
      "{ PyThreadState *clinch_gil_" + Name +
      " __attribute__((cleanup(clinch_take_gil))) = PyEval_SaveThread(); "
      "void (*PyErr_SetString)(PyObject *, const char *) "
      "__attribute__((unused)) = clinch_set_string; "
      "void (*PyErr_SetNone)(PyObject *) __attribute__((unused)) = "
      "clinch_set_none; "
      "PyObject *(*PyErr_NoMemory)(void) __attribute__((unused)) = "
      "clinch_no_memory; "
      "PyObject *(*PyErr_Format)(PyObject *, const char *, ...) "
      "__attribute__((unused)) = clinch_format; {" +
      Code.Text + "\n} }\n";
}

CodeProvider::Strings PyOp::c_support_code() const {
  Strings Texts = PyProvided::c_support_code();
  if (Texts && flag("nogil", false))
    Texts->insert(Texts->begin(), NoGilSupport);
  return Texts;
}

PyOp::Text PyOp::c_code(const Op::Args &A) const {
  if (leavesToDefault("c_code"))
    return Default->c_code(A);
  Text Code = codeText("c_code", A, false);
  if (Code && flag("nogil", false))
    withoutGil(*Code, A.Name);
  return Code;
}
#define OP_CODE(Hook)                                                          \
  PyOp::Text PyOp::Hook(const Op::Args &A) const {                             \
    return code(#Hook, &Op::Hook, A);                                          \
  }
#define OP_NODE(Hook)                                                          \
  PyOp::Text PyOp::Hook(const Apply &Node, const std::string &Name) const {    \
    return ofNode(#Hook, &Op::Hook, Node, Name);                               \
  }
#include "lib/Contract/Hooks.def"

PyOp::Text PyOp::c_init_code_struct(const Op::Args &A) const {
  if (leavesToDefault("c_init_code_struct"))
    return Default->c_init_code_struct(A);
  PyRef Dict = toDict(A.Sub);
  return Dict ? nodeText("c_init_code_struct", A.Node, A.Name, Dict.get())
              : hostError();
}

Expected<std::string>
PyOp::c_code_cache_version_apply(const Apply &Node) const {
  if (leavesToDefault("c_code_cache_version_apply") &&
      leavesToDefault("c_code_cache_version"))
    return Default->c_code_cache_version_apply(Node);
  PyRef Own = attributeOrNull(Object, "c_code_cache_version_apply");
  if (!Own)
    return PyErr_Occurred() ? Expected<std::string>(hostError())
                            : c_code_cache_version();
  HookCall Call{Object, "c_code_cache_version_apply"};
  Call.Args = {pythonNode(Node)};
  return callVersionHook(Call);
}

Expected<Op::VarNames> PyOp::c_var_names() const {
  HookCall Call{Object, "c_var_names"};
  CLINCH_TRY_ASSIGN(HookReturn R, callHook(Call));
  PyRef Value = R.Value;
  if (!Value || Value.get() == Py_None)
    return VarNames();
  if (PyUnicode_Check(Value.get())) { // The lists may be text.
    PyRef Ast = PyRef::steal(PyImport_ImportModule("ast"));
    Value = PyRef::steal(
        Ast ? PyObject_CallMethod(Ast.get(), "literal_eval", "O", Value.get())
            : nullptr);
    if (!Value)
      return hostError();
  }
  if (!PySequence_Check(Value.get()) || PySequence_Size(Value.get()) != 2)
    return Error(Error::Kind::Hook,
                 hookSubject(Call) +
                     " must return two lists of names, inputs "
                     "and outputs; it returned " +
                     describe(Value.get()) + ".");
  PyRef Ins = PyRef::steal(PySequence_GetItem(Value.get(), 0));
  PyRef Outs = PyRef::steal(PySequence_GetItem(Value.get(), 1));
  if (!Ins || !Outs)
    return hostError();
  VarNames Names;
  if (!readNames(Ins.get(), Names.Inputs) ||
      !readNames(Outs.get(), Names.Outputs))
    return hostError();
  return Names;
}

bool PyOp::checkInput() const { return flag("check_input", true); }

/// The Ops on arrays that come with the package do.
bool PyOp::leavesWhatItSays(const Apply &Node) const {
  if (leavesToDefault("c_code"))
    return Default->leavesWhatItSays(Node);
  PyRef Code = attributeOrNull(Object, "c_code");
  PyRef Home = Code ? attributeOrNull(Code.get(), "__module__") : PyRef();
  clearError();
  return Home && toString(Home.get()).starts_with("clinch.tensor.");
}

bool PyOp::hasCode() const {
  if (leavesToDefault("c_code"))
    return Default->hasCode();
  PyRef Code = attributeOrNull(Object, "c_code");
  clearError();
  return Code && Code.get() != Py_None;
}
