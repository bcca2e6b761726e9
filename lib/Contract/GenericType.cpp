// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any Python object.

#include "OwnText.h"
#include "ReferenceText.h"
#include "clinch/Contract/Type.h"
#include "lib/Support/Forks.h"

using namespace clinch;

namespace {
class GenericType final : public Type {
public:
  std::string className() const override { return "Generic"; }
  Expected<std::string> c_code_cache_version() const override { return "(1,)"; }
  Text c_declare(const Type::Args &) const override {
    return ownText("PyObject *%(name)s;");
  }
  Text c_init(const Type::Args &) const override {
    return ownText(ReferenceInit);
  }
  Text c_extract(const Type::Args &) const override {
    return ownText("Py_INCREF(py_%(name)s);\n%(name)s = py_%(name)s;");
  }
  Text c_sync(const Type::Args &) const override {
    return ownText(ReferenceSync);
  }
  Text c_cleanup(const Type::Args &) const override {
    return ownText(ReferenceCleanup);
  }
  std::string outputCheck() const override {
    return "if (!%(name)s) {\n"
           "  clinch_wrong_output(NULL, %(left)s, \"an object\");\n"
           "  %(fail)s\n"
           "}";
  }
};
} // namespace

TypePtr clinch::genericType() {
  static constinit ForProcess<TypePtr> Only;
  return Only.get([] { return new TypePtr(std::make_shared<GenericType>()); });
}
