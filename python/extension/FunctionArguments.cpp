// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments by position and by name *- C++ -*.

#include "FunctionObject.h"

using namespace clinch;
using namespace clinch::python;

static std::string listOfNames(const FunctionObject &F) {
  std::string Out;
  for (size_t I = 0; I < F.Inputs->size(); ++I) {
    std::string Name = toString((*F.Inputs)[I].Name.get());
    Out += (I ? ", " : "") + (Name.empty() ? "?" : Name);
  }
  return Out;
}

static std::string takes(const FunctionObject &F) {
  size_t Count = F.Inputs->size();
  if (Count == 0)
    return describe(F.Name) + "() takes no arguments";
  return describe(F.Name) + "() takes " + std::to_string(Count) +
         (Count == 1 ? " argument (" : " arguments (") + listOfNames(F) + ")";
}

static bool typeError(const std::string &Message) {
  PyErr_SetString(PyExc_TypeError, Message.c_str());
  return false;
}

static Py_ssize_t inputNamed(const FunctionObject &F, PyObject *Name) {
  for (size_t I = 0; I < F.Inputs->size(); ++I) {
    PyObject *Known = (*F.Inputs)[I].Name.get();
    if (Known && PyUnicode_Check(Known) && PyUnicode_Compare(Known, Name) == 0)
      return Py_ssize_t(I);
  }
  return -1;
}

bool python::bindArguments(const FunctionObject &F, PyObject *const *Args,
                           size_t Count, PyObject *Names,
                           std::vector<PyObject *> &Bound) {
  if (Count > F.Inputs->size())
    return typeError(takes(F) + ", and " + std::to_string(Count) +
                     (Count == 1 ? " was given" : " were given"));
  Bound.assign(F.Inputs->size(), nullptr);
  for (size_t I = 0; I < Count; ++I)
    Bound[I] = Args[I];
  for (Py_ssize_t N = 0; Names && N < PyTuple_GET_SIZE(Names); ++N) {
    PyObject *Name = PyTuple_GET_ITEM(Names, N);
    Py_ssize_t At = inputNamed(F, Name);
    if (At < 0)
      return typeError(takes(F) + ", none of them `" + toString(Name) + "`");
    if (Bound[size_t(At)])
      return typeError(describe(F.Name) + "() got two values for `" +
                       toString(Name) + "`");
    Bound[size_t(At)] = Args[Count + size_t(N)];
  }
  for (size_t I = 0; I < Bound.size(); ++I) {
    if (Bound[I] || (*F.Inputs)[I].Defaulted)
      continue;
    if (!Names)
      return typeError(takes(F) + ", and " + std::to_string(Count) +
                       (Count == 1 ? " was given" : " were given"));
    std::string Name = toString((*F.Inputs)[I].Name.get());
    return typeError(takes(F) + ", and the value of number " +
                     std::to_string(I + 1) +
                     (Name.empty() ? "" : " (`" + Name + "`)") + " is missing");
  }
  return true;
}
