//===- LoopTextTest.cpp - A text, cut before its first loop --------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Assembler/LoopText.h"

#include <gtest/gtest.h>

using namespace clinch;

static std::optional<LoopText> cut(const std::string &Text) {
  return cutBeforeLoop(Text, {"Vx0", "Vx1"});
}

static const std::string Loop = "for (i = 0; i < n; ++i) Vx1[i] = Vx0[i];";

TEST(LoopText, DeclarationsAndStatementsComeBeforeTheLoop) {
  auto C = cut("npy_intp n;\nnpy_float64 *p, q;\nif (Vx0)\n  n = 1;\n"
               "else {\n  n = 2;\n}\nVx1 = 0;\n" +
               Loop);
  // Two variables in one declaration are left where they are.
  ASSERT_TRUE(C);
  ASSERT_EQ(C->Locals.size(), 1u);
  EXPECT_EQ(C->Head, "");

  C = cut("npy_intp n;\nnpy_float64 *p;\nif (Vx0)\n  n = 1;\nelse {\n  n = 2;"
          "\n}\nVx1 = 0;\n;\n" +
          Loop + "\nVx1 = 1;");
  ASSERT_TRUE(C);
  ASSERT_EQ(C->Locals.size(), 2u);
  EXPECT_EQ(C->Locals[0].Declaration, "npy_intp n;");
  EXPECT_EQ(C->Locals[0].Name, "n");
  EXPECT_EQ(C->Locals[1].Declaration, "npy_float64 *p;");
  EXPECT_EQ(C->Locals[1].Name, "p");
  EXPECT_EQ(C->Head, "if (Vx0)\n  n = 1;\nelse {\n  n = 2;\n}\nVx1 = 0;\n");
  EXPECT_EQ(C->Rest, Loop + "\nVx1 = 1;");
  EXPECT_EQ(C->Line, 10u);
}

TEST(LoopText, AssignmentsComeOutOfTheLoopsBlock) {
  auto C = cut("int *p;\n{ p = Vx0;\nint k = 2;\nwhile (k--) *p = k; }");
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Head, "p = Vx0;\n");
  EXPECT_EQ(C->Rest, "{ int k = 2;\nwhile (k--) *p = k; }");
  EXPECT_EQ(C->Line, 3u);
}

TEST(LoopText, WhatMayDeclareMoreStaysWithTheLoop) {
  for (const char *Text :
       {"int k = 2;", "std::vector<int> k;", "Thing k;", "int k[3];",
        "auto k = Vx0;", "const int k;", "DECLARE(k);", "call(Vx0);", "k = 2;",
        "Vx0[0] = 1;", "Vx0 == 0;", "struct { int k; } s;", "typedef int k;",
        "again: Vx0 = 0;", "int k(2);", "npy_complex64 k;",
        "switch (Vx0) { case 0: Vx1 = 0; }", "Vx0 = [] { for (;;) ; }();"}) {
    auto C = cut("int n;\n" + std::string(Text) + "\nVx0 = 0;\n" + Loop);
    ASSERT_TRUE(C) << Text;
    EXPECT_EQ(C->Locals.size(), 1u) << Text;
    EXPECT_EQ(C->Head, "") << Text;
    EXPECT_EQ(C->Rest, std::string(Text) + "\nVx0 = 0;\n" + Loop) << Text;
    EXPECT_EQ(C->Line, 2u) << Text;
  }
}

TEST(LoopText, AStatementWithALoopIsTheLoop) {
  for (const char *Text : {"if (Vx0) for (;;) break;", "do {} while (Vx0);",
                           "if (Vx0) ; else { while (Vx0) ; }"}) {
    auto C = cut("Vx0 = 1;\n" + std::string(Text));
    ASSERT_TRUE(C) << Text;
    EXPECT_EQ(C->Head, "Vx0 = 1;\n") << Text;
    EXPECT_EQ(C->Rest, Text) << Text;
  }
}

TEST(LoopText, FailingIsNoJump) {
  std::string Check = "if (!Vx0) {failure = 1; goto label_x;}";
  auto C = cut(Check + Loop);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Head, Check + "\n");
}

TEST(LoopText, SomeTextsAreNotCut) {
  for (const std::string &Text :
       {std::string("Vx0 = 0;"),              // No loop.
        "Vx0 = 0; goto out;" + Loop + "out:", // A jump from head to rest.
        "Vx0 = 0;\n#define N 3\n" + Loop,     // Needed in the rest.
        "Vx0 = 0; /* " + Loop, "Vx0 = \"" + Loop, std::string()})
    EXPECT_FALSE(cut(Text)) << Text;
}

TEST(LoopText, TextsThatEndTooSoonDoNoHarm) {
  const std::string Text = "int n; if (Vx0) { n = 1; } else { n = 2; }"
                           "{ Vx1 = 0; for (;;) { Vx0 = n; } }";
  for (size_t Size = 0; Size < Text.size(); ++Size)
    if (auto C = cut(Text.substr(0, Size))) {
      EXPECT_LE(C->Head.size() + C->Rest.size(), Size + 8) << Size;
    }
}
