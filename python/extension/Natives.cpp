// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles on the shipped Types and Ops.

#include "Objects.h"

#include "../../jit/Runtime/Raise.h"
#include "lib/Contract/ScalarOpTable.h"

using namespace clinch;
using namespace clinch::python;

static PyObject *wrapped(Expected<TypePtr> T) {
  return T ? wrapNative(std::move(*T)).release() : raiseNull(T.error());
}

PyObject *python::nativeFloat(PyObject *, PyObject *) {
  return wrapped(floatType());
}
PyObject *python::nativeGeneric(PyObject *, PyObject *) {
  return wrapped(genericType());
}
PyObject *python::nativeScalar(PyObject *, PyObject *Dtype) {
  return wrapped(scalarType(toString(Dtype)));
}

/// native_tensor(dtype, shape, contiguous=False, aligned=True): None in `shape`
/// means any length.
PyObject *python::nativeTensor(PyObject *, PyObject *Args) {
  const char *Dtype = nullptr;
  PyObject *Shape = nullptr;
  int Contiguous = 0, Aligned = 1;
  if (!PyArg_ParseTuple(Args, "sO!|pp", &Dtype, &PyTuple_Type, &Shape,
                        &Contiguous, &Aligned))
    return nullptr;
  TensorSpec Spec;
  Spec.Contiguous = Contiguous != 0;
  Spec.Aligned = Aligned != 0;
  Spec.Dtype = Dtype;
  for (Py_ssize_t I = 0; I < PyTuple_GET_SIZE(Shape); ++I) {
    PyObject *Length = PyTuple_GET_ITEM(Shape, I);
    Spec.Shape.push_back(Length == Py_None ? TensorSpec::AnyLength
                                           : PyLong_AsLongLong(Length));
  }
  return PyErr_Occurred() ? nullptr : wrapped(tensorType(std::move(Spec)));
}

static std::vector<std::string> stringsOf(PyObject *List) {
  std::vector<std::string> Out;
  PyRef Items = PyRef::steal(PySequence_List(List));
  for (Py_ssize_t I = 0; Items && I < PyList_GET_SIZE(Items.get()); ++I)
    Out.push_back(toString(PyList_GET_ITEM(Items.get(), I)));
  return Out;
}

/// native_cdata(ctype, freefunc, headers, header_dirs, libraries, lib_dirs,
/// compile_args, support_code, version)
PyObject *python::nativeCData(PyObject *, PyObject *Args) {
  const char *CType = nullptr, *Free = nullptr, *Support = nullptr,
             *Version = nullptr;
  PyObject *Lists[5] = {};
  if (!PyArg_ParseTuple(Args, "ssOOOOOss", &CType, &Free, &Lists[0], &Lists[1],
                        &Lists[2], &Lists[3], &Lists[4], &Support, &Version))
    return nullptr;
  CDataSpec Spec;
  Spec.CType = CType;
  Spec.FreeFunction = Free;
  std::vector<std::string> *Targets[] = {&Spec.Headers, &Spec.HeaderDirs,
                                         &Spec.Libraries, &Spec.LibraryDirs,
                                         &Spec.CompileArgs};
  for (size_t I = 0; I < 5; ++I)
    *Targets[I] = stringsOf(Lists[I]);
  Spec.SupportCode = Support;
  Spec.Version = Version;
  return PyErr_Occurred() ? nullptr : wrapped(cdataType(std::move(Spec)));
}

PyObject *python::nativeScalarOp(PyObject *, PyObject *Name) {
  auto O = scalarOp(toString(Name));
  return O ? wrapNative(std::move(*O)).release() : raiseNull(O.error());
}

/// Returns what becomes of a Python integer that the dtype of the other
/// operands does not hold, as `clinch.base.integers.beyond` reads it.
static const char *beyondOf(const ScalarOpInfo &Info) {
  switch (Info.Rule) {
  case ResultRule::Compare:
    return "order";
  case ResultRule::Bool:
    return "truth";
  case ResultRule::Quotient:
    return "float64";
  case ResultRule::Float:
  case ResultRule::RealFloat:
  case ResultRule::Complex:
    return "float";
  default:
    return "";
  }
}

/// [(name, arity, NumPy's name or None, rule of Python integers), ...]
PyObject *python::scalarOps(PyObject *, PyObject *) {
  PyRef List = PyRef::steal(PyList_New(0));
  for (const ScalarOpInfo &Info : scalarOpTable()) {
    PyRef Row = PyRef::steal(Py_BuildValue("(sIzs)", Info.Name, Info.Arity,
                                           Info.NumPy, beyondOf(Info)));
    if (!List || !Row || PyList_Append(List.get(), Row.get()) < 0)
      return nullptr;
  }
  return List.release();
}
