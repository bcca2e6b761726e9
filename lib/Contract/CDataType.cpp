// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opaque C data in a capsule.

#include "CNames.h"
#include "DescribedType.h"
#include "clinch/Contract/Type.h"

using namespace clinch;

// The capsule's context holds the free function, so one destructor serves all.
static constexpr const char *Destructor = R"c(
static void clinch_free_capsule(PyObject *capsule) {
  void (*release)(void *) = (void (*)(void *))PyCapsule_GetContext(capsule);
  void *data = PyCapsule_GetPointer(capsule, NULL);
  if (release && data)
    release(data);
}
)c";

namespace {
class CDataType final : public DescribedType<CDataSpec> {
public:
  using DescribedType::DescribedType;

  std::string className() const override { return "CDataType"; }
  Strings c_compile_args(std::string_view) const override {
    return Spec.CompileArgs;
  }
  Strings c_support_code() const override {
    if (Spec.SupportCode.empty())
      return Strings({Destructor});
    return Strings({Destructor, Spec.SupportCode});
  }
  Expected<std::string> c_code_cache_version() const override {
    if (Spec.SupportCode.empty() && Spec.Headers.empty())
      return "(1,)";
    return Spec.Version;
  }
  Expected<std::string> c_element_type() const override { return Spec.CType; }
  bool keepsCode() const override { return true; }

  /// On the stack: an Op always makes new data, so each run must free its own.
  Expected<bool> c_is_simple() const override { return true; }
  Text c_declare(const Type::Args &) const override;
  Text c_init(const Type::Args &) const override;
  Text c_extract(const Type::Args &A) const override;
  Text c_extract_out(const Type::Args &A) const override { return c_init(A); }
  Text c_sync(const Type::Args &) const override;
  Text c_cleanup(const Type::Args &) const override;

  bool equals(const Type &Other) const override {
    const auto *T = dynamic_cast<const CDataType *>(&Other);
    return T && T->Spec == Spec;
  }
};
} // namespace

// `%(name)s_borrowed`: a capsule owns the data and will free it.

Type::Text CDataType::c_declare(const Type::Args &) const {
  return HookText(Spec.CType + " %(name)s;\nint %(name)s_borrowed;");
}

Type::Text CDataType::c_init(const Type::Args &) const {
  return HookText("%(name)s = NULL;\n%(name)s_borrowed = 0;");
}

Type::Text CDataType::c_extract(const Type::Args &) const {
  // A wrong object is refused even unchecked, as it has no pointer.
  return HookText("%(name)s = NULL;\n"
                  "%(name)s_borrowed = 1;\n"
                  "if (py_%(name)s != Py_None) {\n"
                  "  if (!PyCapsule_CheckExact(py_%(name)s)) {\n"
                  "    PyErr_Format(PyExc_TypeError,\n"
                  "                 \"expected a capsule, not %%.200s\",\n"
                  "                 Py_TYPE(py_%(name)s)->tp_name);\n"
                  "    %(fail)s\n"
                  "  }\n"
                  "  %(name)s = (" +
                  Spec.CType +
                  ")PyCapsule_GetPointer(py_%(name)s, NULL);\n"
                  "  if (%(name)s == NULL) {\n"
                  "    %(fail)s\n"
                  "  }\n"
                  "}");
}

Type::Text CDataType::c_sync(const Type::Args &) const {
  const std::string Release =
      Spec.FreeFunction.empty()
          ? ""
          : "  if (new_%(name)s && PyCapsule_SetContext(\n"
            "          new_%(name)s, (void *)" +
                Spec.FreeFunction +
                ") != 0)\n"
                "    Py_CLEAR(new_%(name)s);\n";
  // If memory runs out, the data stays ours and the MemoryError pending.
  return HookText(
      "if (%(name)s == NULL) {\n"
      "  Py_XDECREF(py_%(name)s);\n"
      "  py_%(name)s = Py_None;\n"
      "  Py_INCREF(Py_None);\n"
      "} else if (!%(name)s_borrowed) {\n"
      "  PyObject *new_%(name)s = PyCapsule_New((void *)%(name)s, NULL,\n"
      "                                         clinch_free_capsule);\n" +
      Release +
      "  if (new_%(name)s) {\n"
      "    Py_XDECREF(py_%(name)s);\n"
      "    py_%(name)s = new_%(name)s;\n"
      "    %(name)s_borrowed = 1;\n"
      "  }\n"
      "}");
}

Type::Text CDataType::c_cleanup(const Type::Args &) const {
  if (Spec.FreeFunction.empty())
    return HookText();
  return HookText("if (%(name)s && !%(name)s_borrowed)\n  " +
                  Spec.FreeFunction + "(%(name)s);");
}

Expected<TypePtr> clinch::cdataType(CDataSpec Spec) {
  if (Spec.CType.empty())
    return Error(Error::Kind::InvalidArgument,
                 "A CDataType needs the C type of its pointer, such as "
                 "`struct table *`.");
  if (!Spec.FreeFunction.empty() && !isIdentifier(Spec.FreeFunction))
    return Error(Error::Kind::InvalidArgument,
                 "The free function of a CDataType must be the name of a "
                 "function, not `" +
                     Spec.FreeFunction + "`.");
  return TypePtr(std::make_shared<CDataType>(std::move(Spec)));
}
