// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles on casts, generic and file Ops.

#include "Objects.h"

#include "../../jit/Runtime/PyHook.h"
#include "../../jit/Runtime/Raise.h"
#include "clinch/Contract/Op.h"
#include "lib/Contract/GenericOps.h"
#include "lib/Contract/Scalar.h"

using namespace clinch;
using namespace clinch::python;

PyObject *python::nativeCastOp(PyObject *, PyObject *Dtype) {
  auto O = castOp(toString(Dtype));
  return O ? wrapNative(std::shared_ptr<const Op>(std::move(*O))).release()
           : raiseNull(O.error());
}

static bool readGeneric(const std::string &Name, GenericOp &Out) {
  static const std::pair<const char *, GenericOp> All[] = {
      {"deep_copy", GenericOp::DeepCopy},
      {"view", GenericOp::View},
      {"shape", GenericOp::Shape},
      {"shape_i", GenericOp::ShapeI}};
  for (const auto &[Known, Op] : All)
    if (Name == Known) {
      Out = Op;
      return true;
    }
  PyErr_Format(PyExc_ValueError, "there is no generic Op `%s`", Name.c_str());
  return false;
}

/// native_generic_op(name, dimension=0)
PyObject *python::nativeGenericOp(PyObject *, PyObject *Args) {
  const char *Name = nullptr;
  unsigned I = 0;
  GenericOp Kind = GenericOp::View;
  if (!PyArg_ParseTuple(Args, "s|I", &Name, &I) || !readGeneric(Name, Kind))
    return nullptr;
  return wrapNative(genericOp(Kind, I)).release();
}

/// register_code(op, class, code, check_input, version)
PyObject *python::registerGenericCode(PyObject *, PyObject *Args) {
  const char *Name = nullptr, *Code = nullptr, *CheckInput = nullptr,
             *Version = nullptr;
  PyObject *Class = nullptr;
  GenericOp Kind = GenericOp::View;
  if (!PyArg_ParseTuple(Args, "sO!sss", &Name, &PyType_Type, &Class, &Code,
                        &CheckInput, &Version) ||
      !readGeneric(Name, Kind))
    return nullptr;
  registerCode(Kind, registryKeyOf(Class), Code, Version, CheckInput);
  Py_RETURN_NONE;
}

PyObject *python::isRegistered(PyObject *, PyObject *Args) {
  const char *Name = nullptr;
  PyObject *Class = nullptr;
  GenericOp Kind = GenericOp::View;
  if (!PyArg_ParseTuple(Args, "sO!", &Name, &PyType_Type, &Class) ||
      !readGeneric(Name, Kind))
    return nullptr;
  return PyBool_FromLong(
      registeredCode(Kind, registryKeyOf(Class)).has_value());
}

/// native_file_op(class_name, files, function, num_inputs, num_outputs,
/// check_input)
PyObject *python::nativeFileOp(PyObject *, PyObject *Args) {
  COpSpec Spec;
  const char *Class = nullptr, *Function = nullptr;
  PyObject *Files = nullptr;
  int CheckInput = 1;
  if (!PyArg_ParseTuple(Args, "sO!sIIp", &Class, &PyList_Type, &Files,
                        &Function, &Spec.NumInputs, &Spec.NumOutputs,
                        &CheckInput))
    return nullptr;
  Spec.ClassName = Class;
  Spec.Function = Function;
  Spec.CheckInput = CheckInput;
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Files); ++I)
    Spec.Files.push_back(toString(PyList_GET_ITEM(Files, I)));
  auto O = cFileOp(std::move(Spec));
  return O ? wrapNative(std::move(*O)).release() : raiseNull(O.error());
}
