// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes that are text.

#include "lib/Support/Text.h"

#include <gtest/gtest.h>

#include <string>

using namespace clinch;
using namespace std::literals;

namespace {

constexpr size_t Nowhere = std::string_view::npos;

TEST(Text, IsUtf8WithoutNul) {
  for (std::string_view Text :
       {""sv, "a"sv, "plain ASCII of more than eight bytes"sv, "\xc2\x80"sv,
        "\xdf\xbf"sv, "\xe0\xa0\x80"sv, "\xed\x9f\xbf"sv, "\xee\x80\x80"sv,
        "\xf0\x90\x80\x80"sv, "\xf4\x8f\xbf\xbf"sv, "1234567\xc3\xa9 12"sv})
    EXPECT_EQ(findNoText(Text), Nowhere) << Text;
}

TEST(Text, WhatIsNoneIsFound) {
  for (std::string_view Bad :
       {"\0"sv, "\x80"sv, "\xff"sv, "\xc0\x80"sv, "\xc1\xbf"sv,
        "\xe0\x9f\xbf"sv, "\xed\xa0\x80"sv, "\xed\xbf\xbf"sv,
        "\xf0\x8f\xbf\xbf"sv, "\xf4\x90\x80\x80"sv, "\xf5\x80\x80\x80"sv,
        "\xe2\x82"sv, "\xc3"sv, "\xe2\x28\xa1"sv})
    for (size_t Before = 0; Before != 20; ++Before)
      for (const char *After : {"", "a", "and more than eight bytes"})
        EXPECT_EQ(
            findNoText(std::string(Before, 'x') + std::string(Bad) + After),
            Before);
}

TEST(Text, IsEscapedForC) {
  EXPECT_EQ(escaped("a\\b\"c\xc3\xa9"), "a\\\\b\\\"c\xc3\xa9");
  EXPECT_EQ(escaped("a\nb\tc\xff"), "a\\nb\\\\x09c\\\\xff");
  EXPECT_EQ(escaped("\0"sv), "\\\\x00");
}

TEST(Text, CountsThings) {
  EXPECT_EQ(counted(0, "input"), "0 inputs");
  EXPECT_EQ(counted(1, "input"), "1 input");
  EXPECT_EQ(counted(2, "input"), "2 inputs");
}

} // namespace
