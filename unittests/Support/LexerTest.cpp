// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens of a hook's text.

#include "lib/Support/Lexer.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

using namespace clinch;

namespace {

std::vector<Token> tokens(std::string_view Text) {
  std::vector<Token> Out;
  Lexer L(Text);
  for (;;) {
    Out.push_back(L.next());
    if (Out.back().What == Token::End)
      return Out;
  }
}

/// "identifier `a`, punct `+`", without the end.
std::string shown(std::string_view Text) {
  static constexpr const char *Kinds[] = {"end",     "id",    "number",
                                          "literal", "punct", "directive"};
  std::string Out;
  for (const Token &T : tokens(Text))
    if (T.What != Token::End)
      Out += (Out.empty() ? "" : ", ") + std::string(Kinds[T.What]) + " `" +
             std::string(T.Text) + "`";
  return Out;
}

TEST(Lexer, KnowsTheKinds) {
  EXPECT_EQ(shown("z = x_1 + 2;"), "id `z`, punct `=`, id `x_1`, punct `+`, "
                                   "number `2`, punct `;`");
  EXPECT_EQ(shown(""), "");
  EXPECT_EQ(shown(" \t\r\n\f\v"), "");
  EXPECT_EQ(shown("a::b:c"), "id `a`, punct `::`, id `b`, punct `:`, id `c`");
  EXPECT_EQ(shown("$a \xc3\xa9t"), "id `$a`, id `\xc3\xa9t`");
}

TEST(Lexer, NumbersAreOneToken) {
  for (const char *Number : {"0", "1.5e+10", "0x1p-3", "1'000'000", ".5",
                             "1e5f", "0b10", "10ULL", "0x1P+2", "1.", "1..2"})
    EXPECT_EQ(shown(Number), "number `" + std::string(Number) + "`");
  EXPECT_EQ(shown("1+2"), "number `1`, punct `+`, number `2`");
  EXPECT_EQ(shown("a.b"), "id `a`, punct `.`, id `b`");
  EXPECT_EQ(shown("1' '"), "number `1`, literal `' '`");
}

TEST(Lexer, LiteralsAreOneToken) {
  for (const char *Literal :
       {R"("a")", R"("\"")", R"("\\")", R"('{')", R"('\'')", R"("// {")",
        R"("/* {")", R"(L"a")", R"(u8"a")", R"(u'a')", R"(U"a")",
        "R\"(a\n\")\"", "R\"x()\")x\"", "u8R\"(\n)\"", "LR\"(\")\"",
        "\"a\\\nb\""})
    EXPECT_EQ(shown(Literal), "literal `" + std::string(Literal) + "`");
  EXPECT_EQ(shown("x\"a\""), "id `x`, literal `\"a\"`");
}

TEST(Lexer, WhatDoesNotEndEndsWithItsLineOrTheText) {
  EXPECT_EQ(shown("a \"b\nc"), "id `a`, literal `\"b`, id `c`");
  EXPECT_EQ(shown("a 'b"), "id `a`, literal `'b`");
  EXPECT_EQ(shown("#if 0\ndon't\n#endif\na"),
            "directive `#if 0`, id `don`, literal `'t`, directive `#endif`, id "
            "`a`");
  EXPECT_EQ(shown("a /* b\n c"), "id `a`");
  EXPECT_EQ(shown("R\"x(a)y\" b\nc"), "literal `R\"x(a)y\" b\nc`");
  EXPECT_EQ(shown("#define a /* b"), "directive `#define a /* b`");
  EXPECT_EQ(shown("\"a\\"), "literal `\"a\\`");
  EXPECT_EQ(shown("\""), "literal `\"`");
}

TEST(Lexer, CommentsAreSkipped) {
  EXPECT_EQ(shown("a // b { \n c"), "id `a`, id `c`");
  EXPECT_EQ(shown("a /* b { \n */ c"), "id `a`, id `c`");
  EXPECT_EQ(shown("a // b \\\n c \n d"), "id `a`, id `d`");
  EXPECT_EQ(shown("a // b \\\r\n c \r\n d"), "id `a`, id `d`");
  EXPECT_EQ(shown("a /**/b"), "id `a`, id `b`");
  EXPECT_EQ(shown("a /"), "id `a`, punct `/`");
  EXPECT_EQ(shown("//"), "");
}

TEST(Lexer, DirectivesAreOneLogicalLine) {
  EXPECT_EQ(shown("#define A 1\nb"), "directive `#define A 1`, id `b`");
  EXPECT_EQ(shown("  # define A \\\n 1\nb"),
            "directive `# define A \\\n 1`, id `b`");
  EXPECT_EQ(shown("#define A \\\r\n 1\r\nb"),
            "directive `#define A \\\r\n 1\r`, id `b`");
  EXPECT_EQ(shown("a # b"), "id `a`, punct `#`, id `b`");
  EXPECT_EQ(shown("/* a */ #if 1"), "directive `#if 1`");
  EXPECT_EQ(shown("#define A /* \n */ 1\nb"),
            "directive `#define A /* \n */ 1`, id `b`");
  EXPECT_EQ(shown("#define A // \" \nb"),
            "directive `#define A // \" `, id `b`");
  EXPECT_EQ(shown("#define A // a \\\n 1\nb"),
            "directive `#define A // a \\\n 1`, id `b`");
  EXPECT_EQ(shown("%: define A {\nb"), "directive `%: define A {`, id `b`");
}

TEST(Lexer, ADirectivesStringsHideComments) {
  EXPECT_EQ(shown("#define A \"/*\"\nb"),
            "directive `#define A \"/*\"`, id `b`");
  EXPECT_EQ(shown("#define A '\"' /* \n */\nb"),
            "directive `#define A '\"' /* \n */`, id `b`");
  EXPECT_EQ(shown("#error don't /* stop */\nb"),
            "directive `#error don't /* stop */`, id `b`");
  EXPECT_EQ(shown("#define A \"\\\"/*\"\nb"),
            "directive `#define A \"\\\"/*\"`, id `b`");
}

TEST(Lexer, SplicedLinesAreNoNewLines) {
  EXPECT_EQ(shown("a \\\n# b"), "id `a`, punct `#`, id `b`");
  EXPECT_EQ(shown("a \\\r\n# b"), "id `a`, punct `#`, id `b`");
}

TEST(Lexer, DigraphsAreBrackets) {
  Token Open = tokens("<% a %>").front();
  EXPECT_TRUE(Open.is('{'));
  EXPECT_EQ(Open.Text, "<%");
  EXPECT_TRUE(tokens("a %>")[1].is('}'));
  EXPECT_TRUE(tokens("a <: 1 :>")[1].is('['));
  EXPECT_TRUE(tokens("1 :>")[1].is(']'));
  EXPECT_TRUE(tokens("a <::b> c")[1].is('<')); // As in C++.
}

TEST(Lexer, TokensLieInTheTextInOrder) {
  std::mt19937 Random(7);
  const char *Parts[] = {"a",  "\"", "'", "\\",  "\n", "#", "/*", "*/",
                         "//", "{",  "(", "R\"", "1",  " ", "%:", "\r\n"};
  for (int Round = 0; Round != 20000; ++Round) {
    std::string Text;
    for (unsigned I = Random() % 12; I; --I)
      Text += Parts[Random() % std::size(Parts)];
    size_t At = 0;
    for (const Token &T : tokens(Text)) {
      ASSERT_GE(T.Offset, At) << Text;
      ASSERT_LE(T.Offset + T.Text.size(), Text.size()) << Text;
      ASSERT_TRUE(T.What == Token::End || !T.Text.empty()) << Text;
      if (T.What != Token::End)
        ASSERT_EQ(T.Text,
                  std::string_view(Text).substr(T.Offset, T.Text.size()));
      At = T.Offset + T.Text.size();
    }
  }
}

} // namespace
