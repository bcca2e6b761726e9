// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of Python, and the native ones they stand for.

#include "PyType.h"
#include "PyHook.h"
#include "PyOp.h"
#include "Raise.h"
#include "clinch/Graph/Graph.h"

#include <climits>

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

/// Reads \p Item as a position; returns false if it is none.
static bool readPosition(PyObject *Item, unsigned &Out) {
  if (!PyIndex_Check(Item))
    return false;
  Py_ssize_t Value = PyNumber_AsSsize_t(Item, nullptr);
  Out = unsigned(Value);
  return !PyErr_Occurred() && Value >= 0 && Value <= INT_MAX;
}

static bool readInputs(PyObject *Value, std::vector<unsigned> &Inputs) {
  if (!PyList_Check(Value) && !PyTuple_Check(Value))
    return false;
  unsigned Input = 0;
  PyRef Items = PyRef::steal(PySequence_Tuple(Value));
  for (Py_ssize_t I = 0; Items && I < PyTuple_GET_SIZE(Items.get()); ++I) {
    if (!readPosition(PyTuple_GET_ITEM(Items.get(), I), Input))
      return false;
    Inputs.push_back(Input);
  }
  return bool(Items);
}

/// Reads a copy: the map belongs to the class, and reading a position may run
/// Python code.
static bool readMap(PyObject *Dict, AliasMap &Map) {
  PyRef Own = PyRef::steal(PyDict_Check(Dict) ? PyDict_Copy(Dict) : nullptr);
  PyObject *Key = nullptr, *Value = nullptr;
  for (Py_ssize_t At = 0; Own && PyDict_Next(Own.get(), &At, &Key, &Value);) {
    unsigned Output = 0;
    if (!readPosition(Key, Output) || !readInputs(Value, Map[Output]))
      return false;
  }
  return bool(Own);
}

static Expected<AliasMap> aliasesOf(PyObject *Op, const char *Attribute) {
  AliasMap Map;
  PyRef Dict = attributeOrNull(Op, Attribute);
  if (PyErr_Occurred())
    return hostError();
  if (!Dict || Dict.get() == Py_None || readMap(Dict.get(), Map))
    return Map;
  clearError();
  return Error(Error::Kind::Graph,
               "`" + classNameOf(Op) + "." + Attribute +
                   "` must map positions of outputs to lists of positions of "
                   "inputs, as {0: [1]} does; it is " +
                   describe(Dict.get()));
}

/// checkAliases() has refused graphs whose map cannot be read.
static AliasMap readAgain(PyObject *Op, const char *Attribute) {
  Expected<AliasMap> Map = aliasesOf(Op, Attribute);
  if (Map)
    return std::move(*Map);
  clearError();
  return {};
}

Status clinch::checkAliases(PyObject *Op) {
  for (const char *Attribute : {"view_map", "destroy_map"})
    CLINCH_TRY(aliasesOf(Op, Attribute));
  return Status::success();
}

AliasMap PyOp::viewMap() const { return readAgain(Object, "view_map"); }
AliasMap PyOp::destroyMap() const { return readAgain(Object, "destroy_map"); }
