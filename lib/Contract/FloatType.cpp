// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python's float as a C double.

#include "CNames.h"
#include "clinch/Contract/Type.h"
#include "lib/Contract/Scalar.h"
#include "lib/Support/Forks.h"

using namespace clinch;

namespace {
/// Has the dtype of a float64 scalar, but its values are Python's floats.
class FloatType final : public Type {
public:
  std::string className() const override { return "Double"; }
  std::string dtype() const override { return "float64"; }
  Expected<std::string> c_element_type() const override { return "double"; }
  Expected<bool> c_is_simple() const override { return true; }
  Expected<std::string> c_code_cache_version() const override { return "(1,)"; }
  Expected<std::string> c_literal(const Variable &Constant) const override {
    return constantText(Constant, *findScalar("float64"));
  }

  Text c_declare(const Type::Args &) const override {
    return ownText("double %(name)s;");
  }
  Text c_init(const Type::Args &) const override {
    return ownText("%(name)s = 0.0;");
  }
  Text c_extract(const Type::Args &A) const override;
  Text c_sync(const Type::Args &) const override;
};
} // namespace

Type::Text FloatType::c_extract(const Type::Args &A) const {
  if (A.CheckInput)
    return ownText(
        "if (!PyFloat_Check(py_%(name)s)) {\n"
        "  PyErr_Format(PyExc_TypeError, \"expected a float, not %%.200s\",\n"
        "               Py_TYPE(py_%(name)s)->tp_name);\n"
        "  %(fail)s\n"
        "}\n"
        "%(name)s = PyFloat_AS_DOUBLE(py_%(name)s);");
  // Even unchecked, another object's memory must not be read as a double.
  return ownText("%(name)s = PyFloat_AsDouble(py_%(name)s);");
}

Type::Text FloatType::c_sync(const Type::Args &) const {
  // If memory runs out, py_ keeps its object and the MemoryError stays pending.
  return ownText("{\n"
                 "  PyObject *new_%(name)s = PyFloat_FromDouble(%(name)s);\n"
                 "  if (new_%(name)s) {\n"
                 "    Py_XDECREF(py_%(name)s);\n"
                 "    py_%(name)s = new_%(name)s;\n"
                 "  }\n"
                 "}");
}

TypePtr clinch::floatType() {
  static constinit ForProcess<TypePtr> Only;
  return Only.get([] { return new TypePtr(std::make_shared<FloatType>()); });
}
