//===- ScalarTest.cpp - Item types, promotion, constants -----------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Contract/Scalar.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>

using namespace clinch;

namespace {
std::string up(const char *A, const char *B) {
  return std::string(upcast(*findScalar(A), *findScalar(B)).Name);
}
template <typename T> std::string literal(const char *Dtype, T Value) {
  return scalarLiteral(*findScalar(Dtype), &Value);
}
} // namespace

TEST(Scalar, FindsEachByItsName) {
  for (const ScalarInfo &S : allScalars())
    EXPECT_EQ(findScalar(S.Name), &S);
  EXPECT_EQ(allScalars().size(), 13u);
}

TEST(Scalar, RefusesHalfKnowingly) {
  Expected<const ScalarInfo *> S = scalarInfo("float16");
  ASSERT_FALSE(S);
  EXPECT_EQ(S.error().message(),
            "The dtype `float16` is not supported: C has no arithmetic for "
            "NumPy's half; use `float32`.");
}

TEST(Scalar, UnknownDtypeNamesAll) {
  Expected<const ScalarInfo *> S = scalarInfo("float65");
  ASSERT_FALSE(S);
  EXPECT_EQ(S.error().message(),
            "There is no dtype `float65`: there are bool, int8, int16, int32, "
            "int64, uint8, uint16, uint32, uint64, float32, float64, "
            "complex64, complex128.");
}

// The table of numpy.promote_types, row by row.
TEST(Scalar, UpcastsAsNumPyDoes) {
  const char *Names[] = {"bool",      "int8",    "int16",   "int32",
                         "int64",     "uint8",   "uint16",  "uint32",
                         "uint64",    "float32", "float64", "complex64",
                         "complex128"};
  const char *Table[13] = {
      "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 "
      "complex64 complex128 ",
      "int8 int8 int16 int32 int64 int16 int32 int64 float64 float32 float64 "
      "complex64 complex128 ",
      "int16 int16 int16 int32 int64 int16 int32 int64 float64 float32 float64 "
      "complex64 complex128 ",
      "int32 int32 int32 int32 int64 int32 int32 int64 float64 float64 float64 "
      "complex128 complex128 ",
      "int64 int64 int64 int64 int64 int64 int64 int64 float64 float64 float64 "
      "complex128 complex128 ",
      "uint8 int16 int16 int32 int64 uint8 uint16 uint32 uint64 float32 "
      "float64 complex64 complex128 ",
      "uint16 int32 int32 int32 int64 uint16 uint16 uint32 uint64 float32 "
      "float64 complex64 complex128 ",
      "uint32 int64 int64 int64 int64 uint32 uint32 uint32 uint64 float64 "
      "float64 complex128 complex128 ",
      "uint64 float64 float64 float64 float64 uint64 uint64 uint64 uint64 "
      "float64 float64 complex128 complex128 ",
      "float32 float32 float32 float64 float64 float32 float32 float64 float64 "
      "float32 float64 complex64 complex128 ",
      "float64 float64 float64 float64 float64 float64 float64 float64 float64 "
      "float64 float64 complex128 complex128 ",
      "complex64 complex64 complex64 complex128 complex128 complex64 complex64 "
      "complex128 complex128 complex64 complex128 complex64 complex128 ",
      "complex128 complex128 complex128 complex128 complex128 complex128 "
      "complex128 complex128 complex128 complex128 complex128 complex128 "
      "complex128 "

  };
  for (int I = 0; I < 13; ++I) {
    std::string Row;
    for (const char *B : Names)
      Row += up(Names[I], B) + " ";
    EXPECT_EQ(Row, Table[I]) << Names[I];
  }
}

TEST(Scalar, IntegersBecomeFloatsThatHoldThem) {
  auto F = [](const char *N) {
    return std::string(upcastToFloat(*findScalar(N)).Name);
  };
  EXPECT_EQ(F("bool"), "float32");
  EXPECT_EQ(F("int16"), "float32");
  EXPECT_EQ(F("uint16"), "float32");
  EXPECT_EQ(F("int32"), "float64");
  EXPECT_EQ(F("uint64"), "float64");
  EXPECT_EQ(F("float32"), "float32");
  EXPECT_EQ(F("complex64"), "complex64");
}

TEST(Scalar, RealPartOfComplex) {
  EXPECT_EQ(realPart(*findScalar("complex64")).Name, "float32");
  EXPECT_EQ(realPart(*findScalar("complex128")).Name, "float64");
  EXPECT_EQ(realPart(*findScalar("int8")).Name, "int8");
}

TEST(Literal, Integers) {
  EXPECT_EQ(literal<uint8_t>("bool", 7), "((npy_bool)1ULL)");
  EXPECT_EQ(literal<int8_t>("int8", -128), "((npy_int8)-128LL)");
  EXPECT_EQ(literal<int64_t>("int64", INT64_MIN),
            "((npy_int64)(-9223372036854775807LL - 1))");
  EXPECT_EQ(literal<uint64_t>("uint64", UINT64_MAX),
            "((npy_uint64)18446744073709551615ULL)");
}

TEST(Literal, Floats) {
  EXPECT_EQ(literal("float64", 2.0), "(2.0)");
  EXPECT_EQ(literal("float64", -0.0), "(-0.0)");
  EXPECT_EQ(literal("float64", 0.1), "(0.1)");
  EXPECT_EQ(literal("float64", 5e-324), "(5e-324)");
  EXPECT_EQ(literal("float32", 0.1f), "(0.1f)");
  EXPECT_EQ(literal("float32", 3.0f), "(3.0f)");
  constexpr double Inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(literal("float64", Inf), "(__builtin_inf())");
  EXPECT_EQ(literal("float32", -static_cast<float>(Inf)),
            "(-__builtin_inff())");
  EXPECT_EQ(literal("float64", std::copysign(NAN, 1.0)),
            "(__builtin_nan(\"\"))");
  EXPECT_EQ(literal("float64", std::copysign(NAN, -1.0)),
            "(-__builtin_nan(\"\"))");
}

TEST(Literal, ComplexHasNone) {
  const double Z[2] = {1, 2};
  EXPECT_EQ(scalarLiteral(*findScalar("complex128"), Z), "");
}
