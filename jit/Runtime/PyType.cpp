// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Type whose hooks are Python.

#include "PyType.h"

#include "Raise.h"
#include "clinch/Graph/Graph.h"

using namespace clinch;

PyType::Text PyType::text(const char *Hook, const Type::Args &A,
                          bool TellsCheckInput, bool Optional) const {
  PyRef Name = fromString(A.Name), Sub = toDict(A.Sub);
  if (!Name || !Sub)
    return hostError();
  HookCall Call{Object, Hook,
                A.Of.empty() ? "`" + A.Name + "`" : std::string(A.Of)};
  Call.Args = {Name.get(), Sub.get()};
  if (TellsCheckInput) {
    Call.Keyword = "check_input";
    Call.KeywordValue = A.CheckInput ? Py_True : Py_False;
  }
  Call.Optional = Optional;
  return callTextHook(Call);
}

#define TYPE_TEXT(Hook, TellsCheckInput, Optional)                             \
  PyType::Text PyType::Hook(const Type::Args &A) const {                       \
    return text(#Hook, A, TellsCheckInput, Optional);                          \
  }
#include "lib/Contract/Hooks.def"

PyType::Text PyType::c_extract_out(const Type::Args &A) const {
  PyRef Own = attributeOrNull(Object, "c_extract_out");
  if (!Own && PyErr_Occurred())
    return hostError();
  return Own ? text("c_extract_out", A, true, false) : Type::c_extract_out(A);
}

Expected<bool> PyType::c_is_simple() const {
  // A method or, in old code, an attribute.
  PyRef Own = attributeOrNull(Object, "c_is_simple");
  if (!Own)
    return PyErr_Occurred() ? Expected<bool>(hostError()) : false;
  if (PyCallable_Check(Own.get())) {
    CLINCH_TRY_ASSIGN(HookReturn R, callHook(HookCall{Object, "c_is_simple"}));
    Own = R.Value;
  }
  int Simple = Own ? PyObject_IsTrue(Own.get()) : 0;
  return Simple < 0 ? Expected<bool>(hostError()) : Simple != 0;
}

Expected<std::string> PyType::c_literal(const Variable &Constant) const {
  auto *Value = static_cast<PyObject *>(Constant.hostValue());
  HookCall Call{Object, "c_literal",
                Constant.name().empty() ? "a constant"
                                        : "`" + Constant.name() + "`"};
  Call.NoneIsNothing = true;
  Call.Args = {Value};
  if (!Value)
    return std::string();
  CLINCH_TRY_ASSIGN(HookText Text, callTextHook(Call));
  return std::move(Text.Text);
}

Expected<std::string> PyType::c_element_type() const {
  HookCall Call{Object, "c_element_type"};
  Call.NoneIsNothing = true;
  CLINCH_TRY_ASSIGN(HookText Text, callTextHook(Call));
  return std::move(Text.Text);
}

std::string PyType::dtype() const {
  PyRef Own = attributeOrNull(Object, "dtype");
  if (!Own)
    clearError();
  return toString(Own.get());
}

std::string PyType::registryKey() const {
  return registryKeyOf(reinterpret_cast<PyObject *>(Py_TYPE(Object)));
}

int PyType::ndim() const {
  PyRef Own = attributeOrNull(Object, "ndim");
  long Count = Own && PyLong_Check(Own.get()) ? PyLong_AsLong(Own.get()) : -1;
  clearError();
  return int(Count);
}

std::string PyType::outputCheck() const {
  return leavesToDefault("c_declare") ? Default->outputCheck() : "";
}

bool PyType::equals(const Type &Other) const {
  const auto *Their = dynamic_cast<const PyType *>(&Other);
  if (!Their)
    return false;
  int Equal = PyObject_RichCompareBool(Object, Their->object(), Py_EQ);
  if (Equal < 0)
    clearError();
  return Equal > 0;
}
