// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an author calls a symbol.

#include "lib/Support/Text.h"

#include "gtest/gtest.h"

using namespace clinch;

namespace {

TEST(SymbolName, IsWhatTheAuthorWrote) {
  EXPECT_EQ(symbolName("_Z5saxpyifPKfPf"), "saxpy");
  EXPECT_EQ(symbolName("_ZN1a5scaleIfEEvT_"), "a::scale<float>");
  EXPECT_EQ(symbolName("_ZZ1kPiE4held"), "held");
  EXPECT_EQ(symbolName("_ZN1a5tableE"), "a::table");
  EXPECT_EQ(symbolName("plain"), "plain");
  EXPECT_EQ(symbolName("_Znonsense"), "_Znonsense");
}

} // namespace
