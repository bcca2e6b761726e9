// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Item types by name, halves.

#include "lib/Contract/Scalar.h"
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

using namespace clinch;

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
