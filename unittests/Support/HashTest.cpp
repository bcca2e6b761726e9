//===- HashTest.cpp - Keys tell contents apart ---------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Support/Hash.h"

#include <gtest/gtest.h>

using namespace clinch;

static std::string keyOf(std::string_view A, std::string_view B) {
  return KeyBuilder().add(A).add(B).finish();
}

TEST(Hash, IsStable) {
  EXPECT_EQ(KeyBuilder().finish(), "99aa06d3014798d86001c324468d497f");
}

TEST(Hash, KnowsWhereAFieldEnds) {
  EXPECT_NE(keyOf("ab", "c"), keyOf("a", "bc"));
  EXPECT_EQ(keyOf("ab", "c"), keyOf("ab", "c"));
}

TEST(Hash, OfOneTextIsItsContent) {
  EXPECT_EQ(contentHash(""), KeyBuilder().finish());
  EXPECT_EQ(contentHash("ab"), "89c65ebc828eebaca873719c24d5735c");
}
