//===- ScalarOpsTest.cpp - Texts and dtypes of scalar Ops ----------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpCode.h"
#include "lib/Contract/ScalarItem.h"
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
std::string cast(const char *To, const char *From) {
  return applied(*castOp(To), scalars({From}));
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

TEST(ScalarOps, MixedInputsAreConverted) {
  EXPECT_EQ(op("mul", {"float32", "int64"}),
            "float64: z = ((double)a) * ((double)b);");
  EXPECT_EQ(op("sqrt", {"int16"}), "float32: z = sqrtf(((float)a));");
  EXPECT_EQ(op("lt", {"int8", "uint8"}),
            "bool: z = ((npy_int16)a) < ((npy_int16)b);");
  EXPECT_EQ(applied(*scalarOp("add"), {floatType(), scalar("int8")}),
            "float64: z = a + ((double)b);");
}

TEST(ScalarOps, IntegersWithoutACommonTypeAreComparedByTheirOrder) {
  EXPECT_EQ(op("lt", {"int8", "uint64"}),
            "bool: z = (a < 0 ? -1 : ((npy_uint64)a > b) - ((npy_uint64)a < "
            "b)) < 0;");
  EXPECT_EQ(op("lt", {"uint64", "int64"}),
            "bool: z = 0 < (b < 0 ? -1 : ((npy_uint64)b > a) - ((npy_uint64)b "
            "< a));");
  EXPECT_EQ(op("eq", {"bool", "uint64"}), "bool: z = ((npy_uint64)a) == b;");
  EXPECT_EQ(op("maximum", {"uint64", "int64"}),
            "float64: z = clinch_maximum(((double)a), ((double)b));");
}

TEST(ScalarOps, IntegersWrap) {
  EXPECT_EQ(op("add", {"int32", "int32"}),
            "int32: z = (npy_int32)((npy_uint32)a + (npy_uint32)b);");
  EXPECT_EQ(op("mul", {"uint16", "uint16"}),
            "uint16: z = (npy_uint16)((npy_uint32)a * (npy_uint32)b);");
  EXPECT_EQ(op("neg", {"int64"}), "int64: z = (npy_int64)(0 - (npy_uint64)a);");
}

TEST(ScalarOps, IntegerDivisionIsGuardedAndFloatIsNot) {
  EXPECT_EQ(op("int_div", {"int64", "int64"}),
            "int64: if (b == 0) {\n"
            "  PyErr_SetString(PyExc_ZeroDivisionError,\n"
            "                  \"integer division or modulo by zero\");\n"
            "  FAIL\n"
            "}\n"
            "z = (npy_int64)clinch_floor_div(a, b);");
  EXPECT_EQ(op("int_div", {"float64", "float64"}),
            "float64: z = clinch_floor_div_float(a, b);");
}

TEST(ScalarOps, BoolsFollowNumPy) {
  EXPECT_EQ(op("add", {"bool", "bool"}), "bool: z = a | b;");
  EXPECT_EQ(op("sub", {"bool", "bool"}), "`sub` is not defined for bool.");
  EXPECT_EQ(op("mod", {"bool", "bool"}).substr(0, 6), "int8: ");
  EXPECT_EQ(op("true_div", {"bool", "bool"}),
            "float64: z = ((double)a) / ((double)b);");
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

TEST(ScalarOps, BranchesIgnoreTheCondition) {
  EXPECT_EQ(op("switch", {"bool", "int8", "int16"}),
            "int16: z = ((npy_int16)a) ? ((npy_int16)b) : c;");
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

TEST(Casts, Texts) {
  EXPECT_EQ(cast("int8", "int64"), "int8: z = (npy_int8)a;");
  EXPECT_EQ(cast("int8", "float64"), "int8: z = (npy_int8)clinch_to_int(a);");
  EXPECT_EQ(cast("uint64", "float32"),
            "uint64: z = (npy_uint64)clinch_to_uint(a);");
  EXPECT_EQ(cast("bool", "float64"), "bool: z = a != 0;");
  EXPECT_EQ(cast("bool", "complex64"),
            "bool: z = clinch_from_complex64(a) != 0;");
  EXPECT_EQ(cast("complex64", "complex128"),
            "complex64: z = clinch_to_complex64(clinch_from_complex128(a));");
  EXPECT_EQ(cast("complex64", "int8"),
            "complex64: z = clinch_to_complex64(clinch_make_complex(a, 0));");
}

TEST(Casts, ComplexToRealIsNoCast) {
  EXPECT_EQ(cast("float64", "complex128"),
            "`cast_float64` is not defined for complex128: take `real`, `imag` "
            "or `abs` first.");
}
