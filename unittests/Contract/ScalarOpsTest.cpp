// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts and dtypes of scalar Ops.

#include "OpCode.h"
#include "lib/Contract/Scalar.h"
#include "lib/Contract/ScalarOpTable.h"

#include <set>

using namespace clinch;

namespace {
TypePtr scalar(const char *Dtype) { return *scalarType(Dtype); }

std::vector<TypePtr> scalars(std::initializer_list<const char *> Dtypes) {
  std::vector<TypePtr> Types;
  for (const char *D : Dtypes)
    Types.push_back(scalar(D));
  return Types;
}

/// "dtype: text".
std::string applied(const std::shared_ptr<const Op> &O,
                    const std::vector<TypePtr> &Inputs) {
  Expected<TypePtr> T = resultType(*O, Inputs);
  if (!T)
    return T.error().message();
  return (*T)->dtype() + ": " + codeOf(*O, Inputs, *T);
}
std::string op(const char *Name, std::initializer_list<const char *> Dtypes) {
  return applied(*scalarOp(Name), scalars(Dtypes));
}

/// A type as the seeds write one: it says nothing of its items.
class Opaque : public Type {
public:
  explicit Opaque(std::string Declared = "", std::string Support = "")
      : Declared(std::move(Declared)), Support(std::move(Support)) {}
  std::string className() const override { return "Opaque"; }
  Text c_declare(const Type::Args &) const override {
    return HookText(Declared);
  }
  Strings c_support_code() const override { return Strings({Support}); }
  Text c_init(const Type::Args &) const override { return HookText(); }
  Text c_extract(const Type::Args &) const override { return HookText(); }
  Text c_sync(const Type::Args &) const override { return HookText(); }

private:
  std::string Declared, Support;
};
} // namespace

TEST(ScalarOps, FloatsReadAsWritten) {
  TypePtr F = floatType();
  EXPECT_EQ(applied(*scalarOp("add"), {F, F}), "float64: z = a + b;");
  EXPECT_EQ(applied(*scalarOp("mul"), {F, F}), "float64: z = a * b;");
  EXPECT_EQ(applied(*scalarOp("exp"), {F}), "float64: z = exp(a);");
  EXPECT_EQ(*resultType(**scalarOp("add"), {F, F}), F);
  EXPECT_EQ(op("add", {"float32", "float32"}), "float32: z = a + b;");
  EXPECT_EQ(op("sin", {"float32"}), "float32: z = sinf(a);");
}

TEST(ScalarOps, ComplexIsDividedInItsPrecisionAndElseComputedInDouble) {
  EXPECT_EQ(op("true_div", {"complex64", "complex64"}),
            "complex64: z = clinch_to_complex64(clinch_complex_divf("
            "clinch_from_complex64(a), clinch_from_complex64(b)));");
  EXPECT_EQ(op("true_div", {"complex64", "float64"}),
            "complex128: z = clinch_to_complex128(clinch_complex_div("
            "clinch_from_complex64(a), clinch_make_complex(b, 0)));");
  EXPECT_EQ(op("mul", {"complex64", "float32"}),
            "complex64: z = clinch_to_complex64(clinch_complex_mul("
            "clinch_from_complex64(a), clinch_make_complex(b, 0)));");
  EXPECT_EQ(op("abs", {"complex64"}),
            "float32: z = hypot(__real__ clinch_from_complex64(a), __imag__ "
            "clinch_from_complex64(a));");
  EXPECT_EQ(op("complex", {"float32", "float32"}),
            "complex64: z = clinch_to_complex64(clinch_make_complex(a, b));");
  EXPECT_EQ(op("lt", {"complex64", "int8"}),
            "`lt` is not defined for complex64.");
}

TEST(ScalarOps, OneTypeOfTheUsersOwnIsComputedAsItStands) {
  auto T = std::make_shared<Opaque>();
  EXPECT_EQ(applied(*scalarOp("add"), {T, T}), ": z = a + b;");
  EXPECT_EQ(*resultType(**scalarOp("add"), {T, T}), T);
  EXPECT_EQ(applied(*scalarOp("add"), {T, floatType()}),
            "`add` cannot compute with a `Opaque`, which says no dtype.");
  EXPECT_EQ(applied(*scalarOp("identity"), {T}),
            "`identity` cannot compute with a `Opaque`, which says no dtype.");
}

TEST(ScalarOps, AStructIsNoNumber) {
  const std::string Struct = "typedef struct { long a, b; } pair;";
  auto Result = [](const char *Declared, const std::string &Support = "") {
    auto T = std::make_shared<Opaque>(Declared, Support);
    auto Made = resultType(**scalarOp("add"), {T, T});
    return Made ? "taken" : Made.error().message();
  };
  EXPECT_EQ(Result("pair %(name)s;", Struct),
            "`add` takes numbers, and a variable of `Opaque` is none in C: "
            "`pair x;`.");
  EXPECT_EQ(Result("double *%(name)s;"),
            "`add` takes numbers, and a variable of `Opaque` is none in C: "
            "`double *x;`.");
  EXPECT_EQ(Result("double %(name)s;"), "taken");
  EXPECT_EQ(Result("real %(name)s;", "typedef double real;"), "taken");
  EXPECT_EQ(Result("double %(nam)s;").substr(0, 21), "In `Opaque.c_declare`");
}

TEST(ScalarOps, WrongCountsArraysAndNames) {
  TypePtr F = floatType();
  EXPECT_EQ(applied(*scalarOp("add"), {F}), "`add` takes 2 inputs, not 1.");
  EXPECT_EQ(applied(*scalarOp("neg"), {F, F}), "`neg` takes 1 input, not 2.");
  EXPECT_EQ(applied(*scalarOp("neg"), {*tensorType({"float64", {-1}})}),
            "`neg` takes scalars, not a `TensorType`; over arrays it is "
            "`Elemwise(neg)`.");
  EXPECT_EQ(scalarOp("ad").error().message(),
            "There is no scalar Op `ad`; did you mean `add`?");
  EXPECT_EQ(scalarOp("hypto").error().message(),
            "There is no scalar Op `hypto`; did you mean `hypot`?");
  EXPECT_EQ(scalarOp("convolve").error().message(),
            "There is no scalar Op `convolve`.");
}

TEST(ScalarOps, TableHasEachNameOnceAndAllOpsAreVersioned) {
  std::set<std::string> Names;
  for (const ScalarOpInfo &Row : scalarOpTable()) {
    EXPECT_TRUE(Names.insert(Row.Name).second) << Row.Name;
    auto O = scalarOp(Row.Name);
    ASSERT_TRUE(O);
    EXPECT_EQ((*O)->className(), Row.Name);
    EXPECT_FALSE((*O)->c_code_cache_version()->empty());
  }
  EXPECT_GE(Names.size(), 70u);
}
