// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of C's own numbers, enums and structs.

#include "CNames.h"
#include "DescribedType.h"
#include "clinch/Contract/Type.h"
#include "lib/Contract/Params.h"
#include "lib/Contract/Scalar.h"

#include <algorithm>
#include <cstdint>
#include <set>

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

static bool isFloat(const std::string &CType) {
  return CType == "double" || CType == "float" || CType == "npy_float64" ||
         CType == "npy_float32";
}

/// Capitals, digits, underscores, and a capital first.
static bool isConstantName(const std::string &Name) {
  return isIdentifier(Name) && Name[0] >= 'A' && Name[0] <= 'Z' &&
         std::none_of(Name.begin(), Name.end(),
                      [](char C) { return C >= 'a' && C <= 'z'; });
}

static std::string valueText(const std::variant<int64_t, double> &Value) {
  if (const auto *Int = std::get_if<int64_t>(&Value))
    return *Int == INT64_MIN ? "(-9223372036854775807LL - 1)"
                             : "(" + std::to_string(*Int) + ")";
  return scalarLiteral(*findScalar("float64"), std::get_if<double>(&Value));
}

namespace {
class EnumType final : public DescribedType<EnumSpec> {
public:
  using DescribedType::DescribedType;

  std::string className() const override {
    return Spec.What == EnumSpec::Values ? "EnumType"
           : Spec.What == EnumSpec::List ? "EnumList"
                                         : "CEnumType";
  }
  Strings c_support_code() const override;
  Expected<std::string> c_element_type() const override { return Spec.CType; }
  Expected<bool> c_is_simple() const override { return true; }
  Expected<std::string> c_code_cache_version() const override;

  Text c_declare(const Type::Args &) const override {
    return HookText(Spec.CType + " %(name)s;");
  }
  Text c_init(const Type::Args &) const override {
    return HookText("%(name)s = (" + Spec.CType + ")0;");
  }
  Text c_extract(const Type::Args &A) const override;
  Text c_sync(const Type::Args &) const override {
    return Error(Error::Kind::Graph, "An enumeration cannot be an output.");
  }
  bool equals(const Type &Other) const override;

private:
  std::string number() const;
  std::string choose() const;
  std::string check() const;
};
} // namespace

/// Each constant is a text of its own, so the same constant in two enumerations
/// is no conflict, but the same name with another value is.
static std::string macro(const std::string &Name, const std::string &Value) {
  return "#ifdef " + Name + "\n#error \"the constant `" + Name +
         "` has two meanings\"\n#endif\n#define " + Name + " " + Value + "\n";
}

CodeProvider::Strings EnumType::c_support_code() const {
  std::vector<std::string> All;
  if (!Spec.SupportCode.empty())
    All.push_back(Spec.SupportCode);
  for (const EnumSpec::Constant &C : Spec.Constants) {
    if (Spec.What != EnumSpec::CNames)
      All.push_back(macro(C.Name, valueText(C.Value)));
    if (isConstantName(C.Alias))
      All.push_back(macro(C.Alias, C.Name));
  }
  return All;
}

Expected<std::string> EnumType::c_code_cache_version() const {
  std::string Text = "(1, '" + Spec.CType + "'";
  for (const EnumSpec::Constant &C : Spec.Constants)
    Text += ", '" + C.Name + "', " + valueText(C.Value);
  return Text + ")";
}

/// Reads Python's number into `at_%(name)s`.
std::string EnumType::number() const {
  const bool Float = Spec.What != EnumSpec::CNames && isFloat(Spec.CType);
  return std::string(Float ? "double" : "long long") + " at_%(name)s = " +
         (Float ? "PyFloat_AsDouble" : "PyLong_AsLongLong") +
         "(py_%(name)s);\n"
         "if (at_%(name)s == -1 && PyErr_Occurred()) {\n"
         "  %(fail)s\n"
         "}\n";
}

std::string EnumType::choose() const {
  std::string Text;
  for (size_t I = 0; I < Spec.Constants.size(); ++I)
    Text += (I ? "else if" : "if") + std::string(" (at_%(name)s == ") +
            std::to_string(I) + ")\n  %(name)s = (" + Spec.CType + ")" +
            Spec.Constants[I].Name + ";\n";
  return Text;
}

/// The last `else`, or the whole `if`: no constant has this number.
std::string EnumType::check() const {
  std::string Names, Condition;
  for (const EnumSpec::Constant &C : Spec.Constants) {
    Names += (Names.empty() ? "" : ", ") + C.Name;
    Condition += (Condition.empty() ? "" : " && ") +
                 std::string("at_%(name)s != ") + C.Name;
  }
  return (Spec.What == EnumSpec::CNames ? "else" : "if (" + Condition + ")") +
         " {\n"
         "  PyErr_Format(PyExc_ValueError,\n"
         "               \"%%R is the number of none of " +
         Names +
         "\",\n"
         "               py_%(name)s);\n"
         "  %(fail)s\n"
         "}\n";
}

Type::Text EnumType::c_extract(const Type::Args &) const {
  std::string Set = "%(name)s = (" + Spec.CType + ")at_%(name)s;\n";
  return HookText(
      "{\n" + number() +
      (Spec.What == EnumSpec::CNames ? choose() + check() : check() + Set) +
      "}");
}

bool EnumType::equals(const Type &Other) const {
  const auto *E = dynamic_cast<const EnumType *>(&Other);
  if (!E || E->Spec.What != Spec.What || E->Spec.CType != Spec.CType)
    return false;
  return E->Spec.Headers == Spec.Headers &&
         E->Spec.SupportCode == Spec.SupportCode &&
         std::equal(
             Spec.Constants.begin(), Spec.Constants.end(),
             E->Spec.Constants.begin(), E->Spec.Constants.end(),
             [](const EnumSpec::Constant &A, const EnumSpec::Constant &B) {
               return A.Name == B.Name && A.Alias == B.Alias &&
                      A.Value == B.Value;
             });
}

static Status checkNames(const EnumSpec &Spec) {
  std::set<std::string> Names;
  for (const EnumSpec::Constant &C : Spec.Constants) {
    bool Good = Spec.What == EnumSpec::CNames
                    ? isIdentifier(C.Name) && !isKeyword(C.Name)
                    : isConstantName(C.Name);
    if (!Good)
      return Error(Error::Kind::InvalidArgument,
                   "The constant `" + C.Name + "` of an enumeration must be " +
                       (Spec.What == EnumSpec::CNames
                            ? "a name in C."
                            : "of capitals, digits and underscores, with a "
                              "capital first."));
    for (const std::string &Name : {C.Name, C.Alias})
      if (!Name.empty() && !Names.insert(Name).second)
        return Error(Error::Kind::InvalidArgument,
                     "An enumeration has the name `" + Name + "` twice.");
  }
  return Status::success();
}

Expected<TypePtr> clinch::enumType(EnumSpec Spec) {
  if (Spec.Constants.empty())
    return Error(Error::Kind::InvalidArgument,
                 "An enumeration needs at least one constant.");
  CLINCH_TRY(checkNames(Spec));
  if (Spec.What != EnumSpec::Values)
    for (size_t I = 0; I < Spec.Constants.size(); ++I)
      Spec.Constants[I].Value = static_cast<int64_t>(I);
  return TypePtr(std::make_shared<EnumType>(std::move(Spec)));
}
