// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters of Ops, a struct in C.

#pragma once

#include "clinch/Contract/Type.h"

#include <string>
#include <vector>

namespace clinch {

/// A member of the struct: `%(params)s->Name`.
struct ParamField {
  std::string Name;
  TypePtr T;
};

/// What paramsType() returns.
class ParamsType : public Type {
public:
  virtual const std::vector<ParamField> &fields() const = 0; ///< By name.
  /// "struct clinch_params_...", the value of `PARAMS_TYPE`.
  virtual const std::string &structType() const = 0;
};

/// The filled texts of one field's hooks; the variable has the field's name.
struct FieldText {
  std::string Name;
  std::string Declare, Extract, Cleanup;
  std::string Types, Members;         ///< The parts of Declare.
  std::vector<std::string> Variables; ///< Declared by Declare.
};

Expected<FieldText> fieldText(const ParamField &F);

/// "clinch_params_..."; equal texts get equal names.
std::string structName(const std::vector<FieldText> &Fields);

/// The struct \p Name, `NAME_read(params, values)` and `NAME_release(params)`.
std::string structText(const std::string &Name,
                       const std::vector<FieldText> &Fields);

/// clinch_params_item returns the item of a mapping, or the attribute of any
/// other object, as a new reference. clinch_params_failed adds a note that
/// names the parameter that could not be read.
inline constexpr const char *ParamsSupport = R"c(
static PyObject *clinch_params_item(PyObject *values, const char *name) {
  PyObject *item;
  if (!PyMapping_Check(values))
    return PyObject_GetAttrString(values, name);
  item = PyMapping_GetItemString(values, name);
  if (item || !PyErr_ExceptionMatches(PyExc_LookupError))
    return item;
  PyErr_Clear();
  PyErr_Format(PyExc_KeyError, "there is no parameter `%s`", name);
  return NULL;
}
static int clinch_params_failed(const char *name) {
  PyObject *type, *value, *trace, *note, *done = NULL;
  if (!PyErr_Occurred())
    PyErr_SetString(PyExc_RuntimeError, "a parameter cannot be read");
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  note = PyUnicode_FromFormat("while the parameter `%s` was read", name);
  if (note && value)
    done = PyObject_CallMethod(value, "add_note", "O", note);
  PyErr_Clear();
  Py_XDECREF(done);
  Py_XDECREF(note);
  PyErr_Restore(type, value, trace);
  return -1;
}
)c";

} // namespace clinch
