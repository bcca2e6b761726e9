// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys tell contents apart.

#include "lib/Support/Hash.h"

#include <gtest/gtest.h>
#include <set>

using namespace clinch;

static std::string keyOf(std::string_view A, std::string_view B) {
  return KeyBuilder().add(A).add(B).finish();
}

TEST(Hash, IsStable) {
  EXPECT_EQ(KeyBuilder().finish(), "af1349b9f5f9a1a6a0404dea36dcc949");
}

TEST(Hash, KnowsWhereAFieldEnds) {
  EXPECT_NE(keyOf("ab", "c"), keyOf("a", "bc"));
  EXPECT_EQ(keyOf("ab", "c"), keyOf("ab", "c"));
}

/// A long key is filled up with zeros.
TEST(Hash, KnowsWhereALongKeyEnds) {
  const std::string Long(2000, 'x'), Longer = Long + std::string(8, '\0');
  EXPECT_NE(KeyBuilder().add(Long).finish(),
            KeyBuilder().add(Long).add(0).finish());
  EXPECT_NE(keyOf(Long, ""), keyOf(Longer, ""));
  std::set<std::string> Keys;
  for (unsigned N = 0; N != 9000; ++N)
    Keys.insert(KeyBuilder().add(std::string(N, '\0')).finish());
  EXPECT_EQ(Keys.size(), 9000U);
}

TEST(Hash, OfOneTextIsItsContent) {
  EXPECT_EQ(contentHash(""), KeyBuilder().finish());
  EXPECT_EQ(contentHash("ab"), "2dc99999a6aaef3f20349d2ed4057a2b");
}

TEST(Hash, AChecksumRevealsDamage) {
  EXPECT_EQ(checksum(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(checksum("ab").size(), 32U);
  EXPECT_NE(checksum("ab"), checksum("aB"));
}
