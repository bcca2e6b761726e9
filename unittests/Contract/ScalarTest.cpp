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
  EXPECT_EQ(allScalars().size(), 14u);
}

TEST(Scalar, HalvesAreRoundedOnceAndRead) {
  const std::pair<double, uint16_t> Cases[] = {
      {0, 0},          {-0.0, 0x8000},       {1, 0x3c00},
      {-1.5, 0xbe00},  {65504, 0x7bff},      {65519.99, 0x7bff},
      {65520, 0x7c00}, {-HUGE_VAL, 0xfc00},  {0x1p-24, 1},
      {0x1p-25, 0},    {0x1.8p-24, 2},       {0x1p-14, 0x0400},
      {2049, 0x6800},  {2049.0001, 0x6801},  {2051, 0x6802},
      {NAN, 0x7e00},   {0x1.ffcp-15, 0x400}, {0x1.ff4p-15, 0x3fe}};
  for (auto [Value, Bits] : Cases)
    EXPECT_EQ(halfBits(Value), Bits) << Value;
  const uint16_t Least = 0x8001, Three = 0x4200;
  EXPECT_EQ(scalarLiteral(*findScalar("float16"), &Least),
            "((_Float16)(-5.9604645e-08f))");
  EXPECT_EQ(scalarLiteral(*findScalar("float16"), &Three),
            "((_Float16)(3.0f))");
}

TEST(Scalar, UnknownDtypeNamesAll) {
  Expected<const ScalarInfo *> S = scalarInfo("float65");
  ASSERT_FALSE(S);
  EXPECT_EQ(S.error().message(),
            "There is no dtype `float65`: there are bool, int8, int16, int32, "
            "int64, uint8, uint16, uint32, uint64, float32, float64, "
            "complex64, complex128, float16.");
}

// The table of numpy.promote_types, row by row.
TEST(Scalar, UpcastsAsNumPyDoes) {
  const char *Names[] = {"bool",      "int8",      "int16",   "int32",
                         "int64",     "uint8",     "uint16",  "uint32",
                         "uint64",    "float16",   "float32", "float64",
                         "complex64", "complex128"};
  const char *Table[] = {
      "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 "
      "float64 complex64 complex128 ",
      "int8 int8 int16 int32 int64 int16 int32 int64 float64 float16 float32 "
      "float64 complex64 complex128 ",
      "int16 int16 int16 int32 int64 int16 int32 int64 float64 float32 "
      "float32 float64 complex64 complex128 ",
      "int32 int32 int32 int32 int64 int32 int32 int64 float64 float64 "
      "float64 float64 complex128 complex128 ",
      "int64 int64 int64 int64 int64 int64 int64 int64 float64 float64 "
      "float64 float64 complex128 complex128 ",
      "uint8 int16 int16 int32 int64 uint8 uint16 uint32 uint64 float16 "
      "float32 float64 complex64 complex128 ",
      "uint16 int32 int32 int32 int64 uint16 uint16 uint32 uint64 float32 "
      "float32 float64 complex64 complex128 ",
      "uint32 int64 int64 int64 int64 uint32 uint32 uint32 uint64 float64 "
      "float64 float64 complex128 complex128 ",
      "uint64 float64 float64 float64 float64 uint64 uint64 uint64 uint64 "
      "float64 float64 float64 complex128 complex128 ",
      "float16 float16 float32 float64 float64 float16 float32 float64 "
      "float64 float16 float32 float64 complex64 complex128 ",
      "float32 float32 float32 float64 float64 float32 float32 float64 "
      "float64 float32 float32 float64 complex64 complex128 ",
      "float64 float64 float64 float64 float64 float64 float64 float64 "
      "float64 float64 float64 float64 complex128 complex128 ",
      "complex64 complex64 complex64 complex128 complex128 complex64 "
      "complex64 complex128 complex128 complex64 complex64 complex128 "
      "complex64 complex128 ",
      "complex128 complex128 complex128 complex128 complex128 complex128 "
      "complex128 complex128 complex128 complex128 complex128 complex128 "
      "complex128 complex128 "};
  for (int I = 0; I < 14; ++I) {
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
  EXPECT_EQ(F("bool"), "float16");
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
