// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a piece of text must not do.

#include "RulesTesting.h"

#include <gtest/gtest.h>

using namespace clinch;
using namespace clinch::testing;

namespace {

struct Case {
  const char *Code;
  unsigned Line, Column;
  const char *Message;
};

void expectViolation(const TestText &Text, const Case &C, Language Lang,
                     const char *Origin) {
  Expected<EngineResult> R = compileBlock(Text, Lang);
  ASSERT_FALSE(R) << C.Code;
  EXPECT_EQ(R.error().kind(), Error::Kind::Rule) << R.error().render();
  EXPECT_EQ(R.error().message(), "The text breaks a rule in 1 place.");
  ASSERT_EQ(R.error().diagnostics().size(), 1u) << R.error().render();
  const Diagnostic &D = R.error().diagnostics()[0];
  EXPECT_EQ(D.Origin, Origin);
  EXPECT_EQ(D.Line, C.Line) << C.Code;
  EXPECT_EQ(D.Column, C.Column) << C.Code;
  EXPECT_EQ(D.Message, C.Message);
}

constexpr const char *NoReturn =
    "`return` may not be used here: it would skip the cleanups of this block "
    "and of those around it; write `%(fail)s` to fail, or let the code run to "
    "its end";
constexpr const char *NoBreak =
    "`break` may not leave this block: it would skip cleanups; use it inside a "
    "loop or switch of the same piece of code";
constexpr const char *NoContinue =
    "`continue` may not leave this block: it would skip cleanups; use it "
    "inside a loop of the same piece of code";

TEST(Rules, CodeMayNotLeaveItsBlock) {
  const Case Cases[] = {
      {"a = 1;\n  return 0;", 2, 3, NoReturn},
      {"return;", 1, 1, NoReturn},
      {"return \"text\";", 1, 1, NoReturn},
      {"if (a) break;", 1, 8, NoBreak},
      {"continue;", 1, 1, NoContinue},
      {"(void)({ if (a) return 7; 1; });", 1, 17, NoReturn},
      {"switch (a) { case 1: return 2; }", 1, 22, NoReturn},
      {"switch (a) { case 1: continue; }", 1, 22, NoContinue},
      {"goto label_3;", 1, 1,
       "`goto label_3` may not leave this block: it would skip cleanups, or "
       "run some twice; jump to a label of the same piece of code, or write "
       "`%(fail)s` to fail"},
      {"a = 4; goto label_3;", 1, 8,
       "`goto label_3` may not leave this block: it would skip cleanups, or "
       "run some twice; jump to a label of the same piece of code, or write "
       "`%(fail)s` to fail"},
  };
  for (Language Lang : {Language::C, Language::CXX})
    for (const Case &C : Cases)
      expectViolation(block("double V3;", C.Code, ""), C, Lang, "`Add.c_code`");
}

TEST(Rules, NamesOfVariablesMeanNothingElse) {
  const char *Taken = "the name `V3` is that of a variable of the graph, and "
                      "may not mean anything else: put something beside it, as "
                      "in `my_V3`";
  const Case Cases[] = {
      {"{ int V3 = 2; }", 1, 7, Taken},
      {"struct { int V3; } s;", 1, 14, Taken},
      {"a = 1;\ngoto V3; V3: a = 2;", 2, 10, Taken},
      {"int (*f)(int V3);", 1, 14, Taken},
      {"#define V3 2\n#undef V3", 1, 9, Taken},
      {"#ifdef V3\n#endif", 1, 8, Taken},
      {"#if !defined(V3)\n#endif", 1, 14, Taken},
  };
  for (const Case &C : Cases) {
    TestText T = block("double V3;", C.Code, "");
    Expected<EngineResult> R = compileBlock(T, Language::C);
    ASSERT_FALSE(R) << C.Code;
    const Diagnostic &D = R.error().diagnostics()[0];
    EXPECT_EQ(D.Line, C.Line) << C.Code;
    EXPECT_EQ(D.Column, C.Column) << C.Code;
    EXPECT_EQ(D.Message, C.Message) << C.Code;
    R = compileBlock(T, Language::CXX);
    EXPECT_TRUE(R) << C.Code << "\n" << R.error().render();
  }
}

TEST(Rules, NothingIsAlignedMoreThanItsMemory) {
  auto Message = [](const char *Name, const char *Wanted, const char *Most) {
    return std::string("`") + Name + "` asks for an alignment of " + Wanted +
           " bytes; the most here is " + Most;
  };
  const struct {
    const char *Code;
    unsigned Column;
    const char *Name, *Wanted, *Most;
  } Cases[] = {
      {"static __attribute__((aligned(8192))) char c; c = 1;", 44, "c", "8192",
       "4096"},
      {"struct s { char c; } __attribute__((aligned(8192)));\n"
       "static struct s v; v.c = 1;",
       17, "v", "8192", "4096"},
      {"static char c __attribute__((aligned(1ul << 32))); c = 1;", 30,
       "aligned", "4294967296", "268435456"},
      {"char c __attribute__((aligned(1ul << 30))); c = 1; a = c;", 23,
       "aligned", "1073741824", "268435456"},
      {"struct s { char c; } __attribute__((aligned(1ul << 31)));", 37,
       "aligned", "2147483648", "268435456"},
  };
  for (Language Lang : {Language::C, Language::CXX})
    for (const auto &C : Cases) {
      Expected<EngineResult> R =
          compileBlock(block("double V3;", C.Code, ""), Lang);
      ASSERT_FALSE(R) << C.Code;
      const Diagnostic &D = R.error().diagnostics()[0];
      EXPECT_EQ(D.Origin, "`Add.c_code`");
      EXPECT_EQ(D.Column, C.Column) << C.Code;
      EXPECT_EQ(D.Message, Message(C.Name, C.Wanted, C.Most));
    }
  EXPECT_EQ(compileBlock(block("double V3;", "", "", "auto a;"), Language::CXX)
                .error()
                .kind(),
            Error::Kind::Compile); // It has no type, and no alignment.
  const char *Fit[] = {
      "static __attribute__((aligned(4096))) char c; c = 1;",
      "__attribute__((aligned(8192))) char c; c = 1; a = c;",
      ("struct s { char c __attribute__((aligned(8192))); };\n"
       "struct s v; v.c = 1;"),
  };
  for (Language Lang : {Language::C, Language::CXX})
    for (const char *Code : Fit) {
      Expected<EngineResult> R =
          compileBlock(block("double V3;", Code, ""), Lang);
      EXPECT_TRUE(R) << Code << "\n" << R.error().render();
    }
  TestText T;
  T.ours("struct state {\n");
  T.authored("`Add.c_support_code_struct`", Region::Role::Free,
             "char kept __attribute__((aligned(64)));\n"
             "char more __attribute__((aligned(128)));");
  T.ours("};\n");
  Expected<EngineResult> R = compileBlock(T, Language::C);
  ASSERT_FALSE(R);
  ASSERT_EQ(R.error().diagnostics().size(), 1u) << R.error().render();
  EXPECT_EQ(R.error().diagnostics()[0].Line, 2u);
  EXPECT_EQ(R.error().diagnostics()[0].Message, Message("more", "128", "64"));
}

TEST(Rules, MacrosHideNothing) {
  TestText Text =
      block("double V3;", "  BAIL(3);", "", "#define BAIL(x) return x");
  Expected<EngineResult> R = compileBlock(Text, Language::C);
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().kind(), Error::Kind::Rule);
  ASSERT_EQ(R.error().diagnostics().size(), 1u);
  const Diagnostic &D = R.error().diagnostics()[0];
  EXPECT_EQ(D.Origin, "`Add.c_code`");
  EXPECT_EQ(D.Line, 1u);
  EXPECT_EQ(D.Column, 3u);
  EXPECT_EQ(D.Message, NoReturn);
  EXPECT_EQ(D.SourceLine, "  BAIL(3);");
  ASSERT_EQ(D.Notes.size(), 1u);
  EXPECT_EQ(D.Notes[0].Origin, "`Add.c_support_code`");
  EXPECT_EQ(D.Notes[0].Line, 1u);
  EXPECT_EQ(D.Notes[0].Message, "expanded from macro `BAIL`");
  EXPECT_EQ(D.Notes[0].SourceLine, "#define BAIL(x) return x");
}

TEST(Rules, WhatIsTheAuthorsOwnIsNotAccused) {
  const char *Both[] = {
      "for (int i = 0; i < a; ++i) { if (i == 2) break; continue; }",
      "while (a) { a--; if (a == 2) continue; break; }",
      "do { break; } while (a);",
      "switch (a) { case 1: break; default: for (;;) { break; } }",
      "for (;;) { switch (a) { case 1: continue; } break; }",
      "if (a) goto done; a = 2; done:;",
      "again: if (a-- > 0) goto again;",
      "a = ({ int t = 0; while (1) { if (++t > 3) break; } t; });",
      "if (a < 0) {failure = 3; goto label_3;}",
      "if (a < 0)\n  FAIL",
      "failure = 3;",
      "void *to = &&here; goto *to; here: a = 1;",
  };
  const char *Fail = "#define FAIL {failure = 3; goto label_3;}";
  for (Language Lang : {Language::C, Language::CXX})
    for (const char *Code : Both) {
      Expected<EngineResult> R =
          compileBlock(block("double V3;", Code, "", Fail), Lang);
      EXPECT_TRUE(R) << Code << "\n" << R.error().render();
    }
  const char *OnlyCXX[] = {
      "auto f = [&](int b) { if (b) return 1; return 2; }; a = f(a);",
      "struct Local { int get() { return 3; } }; a = Local().get();",
      "int v[2]; for (int i : v) { if (i == a) break; }",
      "try { throw 1; } catch (int) { {failure = 3; goto label_3;} }",
  };
  for (const char *Code : OnlyCXX) {
    Expected<EngineResult> R =
        compileBlock(block("double V3;", Code, "", Fail), Language::CXX);
    EXPECT_TRUE(R) << Code << "\n" << R.error().render();
  }
}

TEST(Rules, SupportCodeIsFree) {
  Expected<EngineResult> R = compileBlock(
      block("double V3;", "a = twice(a);", "",
            "static int twice(int b) { if (b) return 2 * b; goto out; "
            "out: return 0; }"),
      Language::C);
  EXPECT_TRUE(R) << R.error().render();
}

/// NumPy's import_array() does so, in a function of ours.
TEST(Rules, InitCodeMayReturn) {
  TestText T;
  T.ours("static int load(void);\nvoid *init(void) {\n");
  T.authored("`Add.c_init_code`", Region::Role::Free,
             "if (load() < 0) return 0;");
  T.ours("return init;\n}\nstatic int load(void) { return 1; }\n");
  Expected<EngineResult> R = compileBlock(T, Language::C);
  EXPECT_TRUE(R) << R.error().render();
}

TEST(Rules, CleanupsMayNotFail) {
  const Case Cases[] = {
      {"if (a) {failure = 3; goto label_3;}", 1, 9,
       "this code may not fail: it runs while cleanups run, and failing would "
       "run them again; check what can fail in `c_code` or `c_extract`, or "
       "report it and go on"},
      {"if (a)\n  FAIL", 2, 3,
       "this code may not fail: it runs while cleanups run, and failing would "
       "run them again; check what can fail in `c_code` or `c_extract`, or "
       "report it and go on"},
      {"return 0;", 1, 1,
       "`return` may not be used here: it would skip the cleanups of this "
       "block and of those around it; let the code run to its end"},
      {"goto label_3;", 1, 1,
       "`goto label_3` may not leave this block: it would skip cleanups, or "
       "run some twice; jump to a label of the same piece of code"},
  };
  for (Language Lang : {Language::C, Language::CXX})
    for (const Case &C : Cases)
      expectViolation(block("double V3;", "", C.Code,
                            "#define FAIL {failure = 3; goto label_3;}"),
                      C, Lang, "`Add.c_code_cleanup`");
}

TEST(Rules, DeclarationsOnlyDeclare) {
  constexpr const char *Statement =
      "only declarations may stand here: this text also declares the members "
      "of a struct, where nothing runs; move the statement to `c_init` or "
      "`c_extract`";
  const Case Cases[] = {
      {"double V3;\n  V3 = 0;", 2, 3, Statement},
      {"double V3; if (a) { a = 2; }", 1, 12, Statement},
      {"double V3 = 1.5;", 1, 8,
       "`V3` may not be given a value here: a failure jumps over it, and in a "
       "struct nothing runs; give the value in `c_init` or `c_extract`"},
      {"double V3; int tmp;", 1, 16,
       "the name `tmp` must contain `V3`: the variables of a graph share their "
       "scopes; write `tmp_%(name)s`"},
      {"typedef double real; double V3;", 1, 16,
       "the name `real` must contain `V3`: the variables of a graph share "
       "their scopes; write `real_%(name)s`"},
      {"double V3; void *py_V3;", 1, 18,
       "the name `py_V3` is taken: Clinch declares it itself; choose another "
       "that contains `%(name)s`"},
      {"double V3; enum { red };", 1, 19,
       "the name `red` must contain `V3`: the variables of a graph share their "
       "scopes; write `red_%(name)s`"},
  };
  for (const Case &C : Cases)
    expectViolation(block(C.Code, "", ""), C, Language::C,
                    "`Double.c_declare` for `x`");
}

TEST(Rules, DeclarationsAreNotAccused) {
  const char *Codes[] = {
      "double V3; typedef double dtype_V3; ;",
      "struct V3_s { int tmp; double py; } V3; struct V3_s *V3_p[2];",
      "static const int size_V3 = 4; double V3[4];",
      "extern int V3_f(int count);  enum { red_V3 = 2 } V3;",
  };
  for (Language Lang : {Language::C, Language::CXX})
    for (const char *Code : Codes) {
      Expected<EngineResult> R = compileBlock(block(Code, "", ""), Lang);
      EXPECT_TRUE(R) << Code << "\n" << R.error().render();
    }
}

TEST(Rules, MembersOfAStructAreDeclarations) {
  auto CompileMember = [](const std::string &Member) {
    TestText T;
    T.ours("struct clinch_state {\n");
    T.authored("`Double.c_declare` for `x`", Region::Role::Declarations, Member,
               5)
        .Required = "V3";
    T.ours("};\n");
    return compileBlock(T, Language::C);
  };
  Expected<EngineResult> Good = CompileMember("double V3;");
  EXPECT_TRUE(Good) << Good.error().render();
  Expected<EngineResult> Bad = CompileMember("double W3;");
  ASSERT_FALSE(Bad);
  ASSERT_EQ(Bad.error().diagnostics().size(), 1u);
  EXPECT_EQ(Bad.error().diagnostics()[0].Line, 5u);
  EXPECT_EQ(Bad.error().diagnostics()[0].Message,
            "the name `W3` must contain `V3`: the variables of a graph share "
            "their scopes; write `W3_%(name)s`");
}

TEST(Rules, EveryPlaceIsNamedAndOtherErrorsToo) {
  Expected<EngineResult> R = compileBlock(
      block("double V3;", "return 1;\nb = 2;\nreturn 2;", "return 3;"),
      Language::C);
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().message(), "The text breaks a rule in 3 places.");
  ASSERT_EQ(R.error().diagnostics().size(), 4u);
  EXPECT_EQ(R.error().diagnostics()[2].Origin, "`Add.c_code_cleanup`");
  EXPECT_EQ(R.error().diagnostics()[3].Message,
            "use of undeclared identifier 'b'");
}

} // namespace
