// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a text leaves open is its author's.

#include "RulesTesting.h"

#include <gtest/gtest.h>

using namespace clinch;
using namespace clinch::testing;

namespace {

constexpr Language BothLanguages[] = {Language::C, Language::CXX};

/// One text and its only error.
struct Case {
  const char *Text;
  unsigned Line, Column;
  const char *Message;
};

/// Two Ops in one function; what the first leaves open, the second may close.
TestText twoOps(const std::string &First, const std::string &Second) {
  TestText T;
  T.authored("`Add.c_support_code`", Region::Role::Free,
             "#define CALL(x) x\n#define OPEN {\n#define CLOSE }\n"
             "static int own(int i) { return i; }");
  T.ours("int run(int a) {\n  int failure = 0;\n  {\n  {\n");
  T.block("`First.c_code`", First, 1);
  T.ours("  }\n  {\n  {\n");
  T.block("`Second.c_code`", Second, 2);
  T.ours("  }\n  label_2:;\n  }\n  label_1:;\n  }\n  return failure;\n}\n");
  return T;
}

void expectOnly(const Expected<EngineResult> &R, const Case &C,
                const char *Origin, Error::Kind Kind = Error::Kind::Compile) {
  ASSERT_FALSE(R) << C.Text;
  const Error &E = R.error();
  ASSERT_EQ(E.diagnostics().size(), 1U) << C.Text << "\n" << E.render();
  EXPECT_EQ(E.kind(), Kind) << C.Text;
  const Diagnostic &D = E.diagnostics().front();
  EXPECT_EQ(D.Message, C.Message) << C.Text;
  EXPECT_EQ(D.Origin, Origin) << C.Text;
  EXPECT_EQ(D.Line, C.Line) << C.Text << "\n" << E.render();
  EXPECT_EQ(D.Column, C.Column) << C.Text << "\n" << E.render();
}

constexpr const char *Brace = "this `{` is never closed: `}` is missing";
constexpr const char *Paren = "this `(` is never closed: `)` is missing";
constexpr const char *Comment = "this comment never ends: `*/` is missing";
constexpr const char *String = "this string never ends: a `\"` is missing";
constexpr const char *If = "this `#if` is never closed: `#endif` is missing";

const Case Open[] = {
    {"a = 1;\nif (a) {\n  a = 2;", 2, 8, Brace},
    {"if (a) { a = 2;\n// }", 1, 8, Brace},
    {"if (a) OPEN a = 2;", 1, 8, Brace},
    {"a = own(1;", 1, 8, Paren},
    {"a = CALL(1;", 1, 9, Paren},
    {"a = CALL (own(1);", 1, 10, Paren},
    {"a = CALL\n(own(1)", 2, 1, Paren},
    {"a = 1;\n}", 2, 1, "`}` closes nothing that this text opened"},
    {"a = 1; CLOSE", 1, 8, "`}` closes nothing that this text opened"},
    {"a = own(1));", 1, 11, "`)` closes nothing that this text opened"},
    {"int b[2]; a = own(b[1);", 1, 22,
     "`)` cannot close the `[` that is open here; `]` was expected"},
    {"if (a <: 1 }", 1, 12,
     "`}` cannot close the `[` that is open here; `]` was expected"},
    {"a = 1;\n  /* b", 2, 3, Comment},
    {"a = 1; /* b *\n", 1, 8, Comment},
    {"const char *s = \"b;\n", 1, 17, String},
    {"const char *s = L\"b;\n", 1, 17, String},
    {"a = 'b;", 1, 5, "this character never ends: a `'` is missing"},
    {"#if 1\na = 1;", 1, 2, If},
    {"a = 1;\n#ifdef B\na = 2;", 2, 2, If},
    {"#ifndef B\na = 2;\n#else\na = 3;\n", 1, 2, If},
    {"if (a)\n  %(fail)s", 2, 3,
     "`%(fail)s` is still there: nothing was put in its place"},
    {"a = %(x)s;", 1, 5,
     "`%(x)s` is still there: nothing was put in its place"},
    {"a = a %(x)s;", 1, 7,
     "`%(x)s` is still there: nothing was put in its place"},
    {"if (a) { %(fail) }", 1, 10,
     "`%(fail)` is still there, without its `s`: nothing was put in its "
     "place"},
};

TEST(Complete, WhatIsLeftOpenIsItsAuthors) {
  for (Language Lang : BothLanguages)
    for (const Case &C : Open)
      expectOnly(compileBlock(twoOps(C.Text, "a = 3;"), Lang), C,
                 "`First.c_code`");
}

/// The second Op closes what the first has opened, and is blamed for nothing.
TEST(Complete, NobodyClosesWhatAnotherOpened) {
  const std::pair<Case, const char *> Pairs[] = {
      {{"if (a) {", 1, 8, Brace}, "}"},
      {{"a = own(1", 1, 8, Paren}, ");"},
      {{"a = CALL(1", 1, 9, Paren}, ");"},
      {{"/* a", 1, 1, Comment}, "*/ a = 1;"},
      {{"const char *s = \"a", 1, 17, String}, "\";"},
      {{"#if 0\na = 1;", 1, 2, If}, "#endif\na = 1;"},
      {{"#if 1\na = 1;", 1, 2, If}, "#else\n#endif"},
      {{"#if 1\na = 1;", 1, 2, If}, "#elif 1\n#endif"},
      {{"#if 0\na = 1;", 1, 2, If}, "#elifdef B\n#endif"},
      {{"#if 0\na = 1;", 1, 2, If}, "#if 1\na = 2;\n#endif"},
  };
  for (Language Lang : BothLanguages)
    for (const auto &[First, Second] : Pairs)
      expectOnly(compileBlock(twoOps(First.Text, Second), Lang), First,
                 "`First.c_code`");
  const std::pair<const char *, Case> Raw = {
      "a = 1; const char *s = R\"x(",
      {"a = 1; const char *s = R\"x(", 1, 24, String}};
  expectOnly(compileBlock(twoOps(Raw.first, "\")x\";"), Language::CXX),
             Raw.second, "`First.c_code`");
  expectOnly(compileBlock(twoOps(Raw.first, "a = 1;"), Language::CXX),
             Raw.second, "`First.c_code`");
}

TEST(Complete, NobodyEndsWhatNobodyBegan) {
  const Case Cases[] = {
      {"a = 1;\n#endif", 2, 2, "`#endif` without an `#if` in this text"},
      {"#else", 1, 2, "`#else` without an `#if` in this text"},
      {"  # elif 1", 1, 5, "`#elif` without an `#if` in this text"},
  };
  for (Language Lang : BothLanguages)
    for (const Case &C : Cases)
      expectOnly(compileBlock(twoOps("a = 1;", C.Text), Lang), C,
                 "`Second.c_code`");
}

TEST(Complete, SupportCodeToo) {
  for (Language Lang : BothLanguages)
    for (const Case &C :
         {Case{"int f(void) { return 1;", 1, 13, Brace},
          Case{"struct s {\n  int i;", 1, 10, Brace},
          Case{"int i; /*", 1, 8, Comment}, Case{"#ifdef B", 1, 2, If}})
      expectOnly(compileBlock(block("double V3;", "", "", C.Text), Lang), C,
                 "`Add.c_support_code`");
}

TEST(Complete, WhatOnlyLooksOpenIsWhole) {
  const char *Codes[] = {
      "const char *s = \"}\"; char c = '{', q = '\"'; // }\n/* { */",
      "#ifdef B\nif (b) {\n#else\nif (a) {\n#endif\na = 1; }\n",
      ("#if 0 // off\nreturn; } } { \" ' don't\n#if A\n}\n#endif\n#else\n"
       "a = 1;\n#endif"),
      "#ifdef B\nit isn't so\n#endif",
      "if (a) OPEN a = 1; CLOSE",
      "a = CALL(own(1)); a = CALL(own)((2));",
      "switch (a) { case 1: a = 2; default: a = 3; }",
      "int b = 3; a = 5 % (b); a = 5 %(b);",
      "int fail = 3; a = 5 %(fail);",
      "const char *s = \"%(x)s\"; /* %(y)s */",
      "a = 1; \\\n\n",
      "a = 1;\r\na = 2;\r\n",
      "// no newline",
      "a = 1; //",
      "#define TWO(x) \\\n  (2 * (x))\na = TWO(1);\n#undef TWO",
  };
  for (Language Lang : BothLanguages)
    for (const char *Code : Codes) {
      Expected<EngineResult> R = compileBlock(twoOps(Code, "a = 3;"), Lang);
      EXPECT_TRUE(R) << Code << "\n" << R.error().render();
    }
  Expected<EngineResult> R = compileBlock(
      twoOps("const char *s = R\"x(}\")x\";", "long n = 1'000'000;"),
      Language::CXX);
  EXPECT_TRUE(R) << R.error().render();
}

/// Errors before what is open are told, those after it follow from it.
TEST(Complete, OtherErrorsStandBeforeIt) {
  Expected<EngineResult> R =
      compileBlock(twoOps("b = 1;\nif (a) {\n  c = 2;", "d = 3;"), Language::C);
  ASSERT_FALSE(R);
  ASSERT_EQ(R.error().diagnostics().size(), 2U) << R.error().render();
  EXPECT_EQ(R.error().diagnostics()[0].Message,
            "use of undeclared identifier 'b'");
  EXPECT_EQ(R.error().diagnostics()[1].Message, Brace);
}

TEST(Complete, ADeclarationLeavesNoMacro) {
  const Case Cases[] = {
      {"#define SIZE 2\ndouble V3[SIZE];", 1, 9,
       "the macro `SIZE` is never undefined: a declaration may define none; "
       "end with `#undef SIZE`, or define it in c_support_code"},
      {"double V3;\n#define B(x) x", 2, 9,
       "the macro `B` is never undefined: a declaration may define none; end "
       "with `#undef B`, or define it in c_support_code"},
  };
  for (Language Lang : BothLanguages) {
    for (const Case &C : Cases)
      expectOnly(compileBlock(block(C.Text, "", ""), Lang), C,
                 "`Double.c_declare` for `x`");
    EXPECT_TRUE(compileBlock(
        block("#define SIZE 2\ndouble V3[SIZE];\n#undef SIZE", "", ""), Lang));
    EXPECT_TRUE(compileBlock(
        block("double V3;", "#define SIZE 2\na = SIZE;", ""), Lang));
  }
}

TEST(Complete, LabelsAreEachTextsOwn) {
  const char *Codes[] = {
      "goto done; done: a = 1;",
      "__label__ done; goto done; done: a = 1;",
      "void *to; to = &&done; goto *to; done:;",
      "#define L done\ngoto L; a = 2; L: a = 1;\n#undef L",
      "#ifdef B\ndone: a = 2;\n#endif\na = 1;",
      "a = a ? a ? (long)2 : 3 : (int)4; done: if (a < 0) goto done;",
  };
  for (Language Lang : BothLanguages)
    for (const char *First : Codes)
      for (const char *Second : Codes) {
        Expected<EngineResult> R = compileBlock(twoOps(First, Second), Lang);
        EXPECT_TRUE(R) << First << "\n" << Second << R.error().render();
      }
  const char *Lambda = "auto f = [](int a) { again: if (a--) goto again; };\n"
                       "auto g = [](int a) { again: if (a--) goto again; };\n"
                       "again: f(1); g(2); if (!a) goto again;";
  EXPECT_TRUE(compileBlock(twoOps(Lambda, Lambda), Language::CXX));
}

TEST(Complete, LabelsOfOthersStayOutOfReach) {
  for (Language Lang : BothLanguages)
    for (bool Forward : {false, true}) {
      const char *Label = "done: a = 1;", *Jump = "if (a) goto done;";
      Expected<EngineResult> R = compileBlock(
          Forward ? twoOps(Jump, Label) : twoOps(Label, Jump), Lang);
      ASSERT_FALSE(R);
      EXPECT_EQ(R.error().kind(), Error::Kind::Rule);
      ASSERT_EQ(R.error().diagnostics().size(), 1U) << R.error().render();
      const Diagnostic &D = R.error().diagnostics().front();
      EXPECT_EQ(D.Origin, Forward ? "`First.c_code`" : "`Second.c_code`");
      EXPECT_EQ(D.Message.substr(0, 37),
                "`goto done` may not leave this block:");
    }
}

TEST(Complete, ALabelOfOursIsTaken) {
  const Case Cases[] = {
      {"label_2: a = 2;", 1, 1,
       "the label `label_2` is one of Clinch's own; put `%(name)s` in it"},
      {"a = 1;\n  label_1: a = 2;", 2, 3,
       "the label `label_1` is one of Clinch's own; put `%(name)s` in it"},
  };
  for (Language Lang : BothLanguages) {
    for (const Case &C : Cases)
      expectOnly(
          compileBlock(twoOps("{failure = 1; goto label_1;}", C.Text), Lang), C,
          "`Second.c_code`", Error::Kind::Rule);
    EXPECT_TRUE(compileBlock(
        twoOps("a = 1;", "label_2b: label_: label_3: a = 1;"), Lang));
  }
}

} // namespace
