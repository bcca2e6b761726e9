// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy's arrays.

#include "CNames.h"
#include "ScalarSupport.h"
#include "clinch/Contract/Type.h"
#include "lib/Contract/Scalar.h"
#include "lib/Support/Text.h"

using namespace clinch;

namespace {
class TensorType final : public Type {
public:
  TensorType(TensorSpec Spec, const ScalarInfo &Item)
      : Spec(std::move(Spec)), Item(Item) {}

  std::string className() const override { return "TensorType"; }
  std::string dtype() const override { return Spec.Dtype; }
  int ndim() const override { return static_cast<int>(Spec.Shape.size()); }
  Expected<std::string> c_element_type() const override {
    return std::string(Item.CType);
  }
  Expected<std::string> c_code_cache_version() const override { return "(1,)"; }
  Strings c_headers(std::string_view) const override {
    return Strings({"<numpy/arrayobject.h>"});
  }
  Strings c_init_code() const override { return Strings({"import_array();"}); }
  Strings c_support_code() const override;

  Text c_declare(const Type::Args &) const override;
  Text c_init(const Type::Args &) const override {
    return ownText(ReferenceInit);
  }
  Text c_extract(const Type::Args &A) const override;
  Text c_extract_out(const Type::Args &) const override;
  Text c_sync(const Type::Args &) const override {
    return ownText(ReferenceSync);
  }
  Text c_cleanup(const Type::Args &) const override {
    return ownText(ReferenceCleanup);
  }
  std::string outputCheck() const override;

  bool equals(const Type &Other) const override {
    const auto *T = dynamic_cast<const TensorType *>(&Other);
    return T && T->Spec == Spec;
  }

private:
  std::string isWrong() const;
  std::string reusable() const;
  std::string description() const;
  TensorSpec Spec;
  const ScalarInfo &Item;
};
} // namespace

/// Text that computes with complex items needs their Scalar's support code.
CodeProvider::Strings TensorType::c_support_code() const {
  const char *Helpers = "#include <clinch/array.h>";
  if (Item.Kind != ScalarKind::Complex)
    return Strings({Helpers});
  return Strings({Helpers, ComplexSupport});
}

/// The array that a hook is given, as NumPy's functions take it.
static std::string array() { return "((PyArrayObject *)py_%(name)s)"; }

Type::Text TensorType::c_declare(const Type::Args &) const {
  return ownText("typedef " + std::string(Item.CType) +
                 " dtype_%(name)s;\nPyArrayObject *%(name)s;");
}

/// Returns a condition that is true of a value that the Type does not take.
std::string TensorType::isWrong() const {
  std::string Text =
      "!clinch_is_array(py_%(name)s, " + std::string(Item.TypeNum) + ", \"" +
      std::string(Item.Name) + "\", " + std::to_string(ndim()) + ")";
  const auto Add = [&](const std::string &Check) {
    Text += " ||\n    !clinch_" + Check + ")";
  };
  for (size_t I = 0; I < Spec.Shape.size(); ++I)
    if (Spec.Shape[I] != TensorSpec::AnyLength)
      Add("has_length(py_%(name)s, " + std::to_string(I) + ", " +
          std::to_string(Spec.Shape[I]));
  if (Spec.Contiguous)
    Add("is_contiguous(py_%(name)s");
  if (Spec.Aligned)
    Add("is_aligned(py_%(name)s");
  return Text;
}

static constexpr std::string_view TakeReference =
    "%(name)s = (PyArrayObject *)Py_NewRef(py_%(name)s);";

Type::Text TensorType::c_extract(const Type::Args &A) const {
  // NULL first: a failing check goes straight to the cleanup.
  std::string Text(ReferenceInit);
  if (A.CheckInput)
    Text += "\nif (" + isWrong() + ")\n  %(fail)s";
  return ownText(Text + "\n" + std::string(TakeReference));
}

std::string TensorType::reusable() const {
  std::string Text = "clinch_is_reusable(py_%(name)s, " +
                     std::string(Item.TypeNum) + ", " + std::to_string(ndim()) +
                     ")";
  if (Spec.Contiguous)
    Text += " &&\n    PyArray_IS_C_CONTIGUOUS(" + array() + ")";
  for (size_t I = 0; I < Spec.Shape.size(); ++I)
    if (Spec.Shape[I] != TensorSpec::AnyLength)
      Text += " &&\n    PyArray_DIMS(" + array() + ")[" + std::to_string(I) +
              "] == " + std::to_string(Spec.Shape[I]);
  return Text;
}

Type::Text TensorType::c_extract_out(const Type::Args &) const {
  // Any other object in the cell is no error; it is just not reused.
  return ownText(std::string(ReferenceInit) + "\nif (" + reusable() + ")\n  " +
                 std::string(TakeReference));
}

/// "an array of float64 with 1 dimension"
std::string TensorType::description() const {
  std::string Text =
      Spec.Contiguous ? "a C-contiguous array of " : "an array of ";
  Text +=
      std::string(Item.Name) + " with " + counted(size_t(ndim()), "dimension");
  for (size_t I = 0; I < Spec.Shape.size(); ++I)
    if (Spec.Shape[I] != TensorSpec::AnyLength)
      Text += ", length " + std::to_string(Spec.Shape[I]) + " in dimension " +
              std::to_string(I);
  return Text;
}

std::string TensorType::outputCheck() const {
  std::string Wrong = "!%(name)s || !clinch_has_dtype(%(name)s, " +
                      std::string(Item.TypeNum) +
                      ") ||\n    PyArray_ISBYTESWAPPED(%(name)s) ||\n"
                      "    PyArray_NDIM(%(name)s) != " +
                      std::to_string(ndim());
  for (size_t I = 0; I < Spec.Shape.size(); ++I)
    if (Spec.Shape[I] != TensorSpec::AnyLength)
      Wrong += " ||\n    PyArray_DIMS(%(name)s)[" + std::to_string(I) +
               "] != " + std::to_string(Spec.Shape[I]);
  if (Spec.Contiguous)
    Wrong += " ||\n    !PyArray_IS_C_CONTIGUOUS(%(name)s)";
  if (Spec.Aligned)
    Wrong += " ||\n    !PyArray_ISALIGNED(%(name)s)";
  return "if (" + Wrong +
         ") {\n"
         "  clinch_wrong_output((PyObject *)%(name)s, %(left)s,\n"
         "                      \"" +
         description() +
         "\");\n"
         "  Py_CLEAR(%(name)s);\n" // Or the next run would be given it.
         "  %(fail)s\n"
         "}";
}

Expected<TypePtr> clinch::tensorType(TensorSpec Spec) {
  CLINCH_TRY_ASSIGN(auto *Item, scalarInfo(Spec.Dtype));
  if (Spec.Shape.size() > 64)
    return Error(Error::Kind::InvalidArgument,
                 "An array has at most 64 dimensions, not " +
                     std::to_string(Spec.Shape.size()) + ".");
  for (size_t I = 0; I < Spec.Shape.size(); ++I)
    if (Spec.Shape[I] < TensorSpec::AnyLength)
      return Error(Error::Kind::InvalidArgument,
                   "Dimension " + std::to_string(I) +
                       " of an array cannot have the length " +
                       std::to_string(Spec.Shape[I]) + ".");
  return TypePtr(std::make_shared<TensorType>(std::move(Spec), *Item));
}
