// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles on parameters and enumerations *- C++ -*.

#include "Objects.h"

#include "../../jit/Runtime/Raise.h"
#include "clinch/Contract/Type.h"

using namespace clinch;
using namespace clinch::python;

/// native_params([(name, type), ...])
PyObject *python::nativeParams(PyObject *, PyObject *Fields) {
  std::vector<std::pair<std::string, TypePtr>> All;
  PyRef Items = PyRef::steal(PySequence_List(Fields));
  if (!Items)
    return nullptr;
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Items.get()); ++I) {
    const char *Name = nullptr;
    PyObject *Type = nullptr;
    if (!PyArg_ParseTuple(PyList_GET_ITEM(Items.get(), I), "sO", &Name, &Type))
      return nullptr;
    All.emplace_back(Name, typeOf(Type));
    if (!All.back().second)
      return nullptr;
  }
  Expected<TypePtr> T = paramsType(std::move(All));
  return T ? wrapNative(std::move(*T)).release() : raiseNull(T.error());
}

static bool parseConstant(PyObject *Item, EnumSpec::Constant &C) {
  const char *Name = nullptr, *Alias = nullptr;
  PyObject *Value = nullptr;
  if (!PyArg_ParseTuple(Item, "ssO", &Name, &Alias, &Value))
    return false;
  C.Name = Name;
  C.Alias = Alias;
  if (PyFloat_Check(Value))
    C.Value = PyFloat_AS_DOUBLE(Value);
  else
    C.Value = int64_t(PyLong_AsLongLong(Value));
  return !PyErr_Occurred();
}

/// native_enum(kind, ctype, [(name, alias, value), ...], headers, support)
PyObject *python::nativeEnum(PyObject *, PyObject *Args) {
  EnumSpec Spec;
  int Kind = 0;
  const char *CType = nullptr, *Support = nullptr;
  PyObject *Constants = nullptr, *Headers = nullptr;
  if (!PyArg_ParseTuple(Args, "isO!O!s", &Kind, &CType, &PyList_Type,
                        &Constants, &PyList_Type, &Headers, &Support))
    return nullptr;
  Spec.What = Kind == 0   ? EnumSpec::Values
              : Kind == 1 ? EnumSpec::List
                          : EnumSpec::CNames;
  Spec.CType = CType;
  Spec.SupportCode = Support;
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Headers); ++I)
    Spec.Headers.push_back(toString(PyList_GET_ITEM(Headers, I)));
  Spec.Constants.resize(size_t(PyList_GET_SIZE(Constants)));
  for (size_t I = 0; I < Spec.Constants.size(); ++I)
    if (!parseConstant(PyList_GET_ITEM(Constants, Py_ssize_t(I)),
                       Spec.Constants[I]))
      return nullptr;
  Expected<TypePtr> T = enumType(std::move(Spec));
  return T ? wrapNative(std::move(*T)).release() : raiseNull(T.error());
}
