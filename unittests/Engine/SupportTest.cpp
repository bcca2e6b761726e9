//===- SupportTest.cpp - What one author's code leaves for another --------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RulesTesting.h"

#include <gtest/gtest.h>

using namespace clinch;
using namespace clinch::testing;

namespace {

/// The code of an Op behind the support code of two: of number 1, its own, and
/// of number 2.
TestText twoSupports(const std::string &Own, const std::string &Other,
                     const std::string &Code,
                     std::vector<unsigned> Sees = {1}) {
  TestText T;
  T.authored("`B.c_support_code`", Region::Role::Free, Other).Support = 2;
  Region &O = T.authored("`A.c_support_code`", Region::Role::Free, Own);
  O.Support = 1;
  T.ours("int run(int a) {\n  int failure = 0;\n  {\n");
  Region &R = T.authored("`A.c_code`", Region::Role::Code, Code);
  R.Block = 3;
  R.Sees = std::move(Sees);
  T.ours("  }\n  label_3:;\n  return failure;\n}\n");
  return T;
}

std::string notSeen(const std::string &Name) {
  return "`" + Name +
         "` is of `B.c_support_code`, which this text cannot use: an Op can "
         "use "
         "its own support code and that of the Types of its inputs, outputs "
         "and parameters, a Type its own and functions that each Op of the "
         "variable has; define what it needs there, under a "
         "name that no other text uses";
}

struct Case {
  const char *Own, *Other, *Code;
  const char *Origin;
  unsigned Line, Column;
  const char *Name;
};

const Case Cases[] = {
    {"", "#define STEP 1", "a = STEP;", "`A.c_code`", 1, 5, "STEP"},
    {"", "#define STEP 1", "#define MY STEP\na = MY;\n#undef MY", "`A.c_code`",
     2, 5, "STEP"},
    {"", "#define STEP(x) x", "a = STEP(1);", "`A.c_code`", 1, 5, "STEP"},
    {"", "#define STEP", "#ifdef STEP\n#endif", "`A.c_code`", 1, 8, "STEP"},
    {"", "#define STEP", "#if 0\n#elifdef STEP\n#endif", "`A.c_code`", 2, 10,
     "STEP"},
    {"", "#define STEP", "#if 0\n#elifndef STEP\n#endif", "`A.c_code`", 2, 11,
     "STEP"},
    {"#ifndef STEP\n#define STEP 1\n#endif", "#define STEP 1", "",
     "`A.c_support_code`", 1, 9, "STEP"},
    {"", "static int step = 1;", "a = step;", "`A.c_code`", 1, 5, "step"},
    {"static int *p = &step;", "static int step = 1;", "", "`A.c_support_code`",
     1, 18, "step"},
    {"#define MINE step", "static int step = 1;", "a = MINE;", "`A.c_code`", 1,
     5, "step"},
    {"", "#define DEFINE(n) static int n = 1;\nDEFINE(step)", "a = step;",
     "`A.c_code`", 1, 5, "step"},
    {"extern int step(int);", "int step(int a) { return a; }", "a = step(1);",
     "`A.c_code`", 1, 5, "step"},
    {"struct S;", "struct S { int a; };", "a = sizeof(struct S);", "`A.c_code`",
     1, 19, "S"},
};

} // namespace

TEST(Support, OfAnotherIsNotSeen) {
  for (Language Lang : {Language::C, Language::CXX})
    for (const Case &C : Cases) {
      Expected<EngineResult> R =
          compileBlock(twoSupports(C.Own, C.Other, C.Code), Lang);
      ASSERT_FALSE(R) << C.Other << C.Own << C.Code;
      EXPECT_EQ(R.error().kind(), Error::Kind::Rule) << R.error().render();
      ASSERT_FALSE(R.error().diagnostics().empty());
      const Diagnostic &D = R.error().diagnostics()[0];
      EXPECT_EQ(D.Origin, C.Origin) << R.error().render();
      EXPECT_EQ(D.Line, C.Line) << R.error().render();
      EXPECT_EQ(D.Column, C.Column) << R.error().render();
      EXPECT_EQ(D.Message, notSeen(C.Name));
      ASSERT_FALSE(D.Notes.empty());
      EXPECT_EQ(D.Notes.back().Origin, "`B.c_support_code`");
      EXPECT_EQ(D.Notes.back().Message,
                "`" + std::string(C.Name) + "` comes from here");
    }
}

TEST(Support, IsSeenByThoseThatMay) {
  for (Language Lang : {Language::C, Language::CXX})
    for (const Case &C : Cases) {
      if (*C.Own)
        continue;
      Expected<EngineResult> R =
          compileBlock(twoSupports("", C.Other, C.Code, {1, 2}), Lang);
      EXPECT_TRUE(bool(R)) << R.error().render();
    }
}

TEST(Support, OfNobodyIsSeenByAll) {
  TestText T = twoSupports("", "#define STEP 1\nstatic int step = STEP;",
                           "a = STEP + step;");
  for (Region &R : T.Regions)
    R.Support = 0;
  for (Language Lang : {Language::C, Language::CXX}) {
    Expected<EngineResult> R = compileBlock(T, Lang);
    EXPECT_TRUE(bool(R)) << R.error().render();
  }
}

TEST(Support, OneMacroOfTwo) {
  const TestText Texts[] = {
      twoSupports("#define STEP 1", "#define STEP 1", "a = STEP;"),
      twoSupports("#define STEP 1", "#define STEP 2", "a = STEP;"),
      twoSupports("#undef STEP\n#define STEP 1\n#undef STEP",
                  "#define STEP 2\n#undef STEP", "")};
  for (Language Lang : {Language::C, Language::CXX})
    for (const TestText &T : Texts) {
      Expected<EngineResult> R = compileBlock(T, Lang);
      EXPECT_TRUE(bool(R)) << R.error().render();
    }
}

TEST(Support, MacrosOfOthersStayDefined) {
  const std::string Undefining[] = {"#undef STEP",
                                    "#define STEP 1\n#undef STEP"};
  for (Language Lang : {Language::C, Language::CXX})
    for (const std::string &Own : Undefining) {
      Expected<EngineResult> R =
          compileBlock(twoSupports(Own, "#define STEP 1", ""), Lang);
      ASSERT_FALSE(R);
      EXPECT_EQ(R.error().diagnostics().at(0).Message,
                "`#undef STEP` would take a macro from the texts of "
                "`B.c_support_code`; leave it, and give yours another name");
      EXPECT_EQ(R.error().diagnostics().at(0).Line,
                1 + unsigned(Own.front() == '#' && Own[1] == 'd'));
    }
}
