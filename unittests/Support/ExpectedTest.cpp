// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value or an error.

#include "clinch/Support/Expected.h"

#include "gtest/gtest.h"

using namespace clinch;

static unsigned Asked;

static Expected<std::unique_ptr<int>> half(int Of) {
  ++Asked;
  if (Of % 2)
    return Error(Error::Kind::InvalidArgument, std::to_string(Of) + " is odd");
  return std::make_unique<int>(Of / 2);
}

static Expected<int> quarter(int Of) {
  CLINCH_TRY_ASSIGN(std::unique_ptr<int> Half, half(Of));
  std::unique_ptr<int> Quarter;
  CLINCH_TRY_ASSIGN(Quarter, half(*Half));
  return *Quarter;
}

TEST(Expected, AValueIsMovedAndTheExpressionIsEvaluatedOnce) {
  Asked = 0;
  Expected<int> Made = quarter(12);
  ASSERT_TRUE(Made);
  EXPECT_EQ(*Made, 3);
  EXPECT_EQ(Asked, 2u);
}

TEST(Expected, TheFirstErrorIsReturned) {
  Asked = 0;
  Expected<int> First = quarter(7);
  ASSERT_FALSE(First);
  EXPECT_EQ(First.error().message(), "7 is odd");
  EXPECT_EQ(Asked, 1u);
  Expected<int> Second = quarter(6);
  ASSERT_FALSE(Second);
  EXPECT_EQ(Second.error().message(), "3 is odd");
  EXPECT_EQ(Second.error().kind(), Error::Kind::InvalidArgument);
}
