// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No way around the rules.

#include "RulesTesting.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

using namespace clinch;
using namespace clinch::testing;

namespace {

constexpr Language BothLanguages[] = {Language::C, Language::CXX};

/// A folder with files to include.
class Escapes : public ::testing::Test {
protected:
  void SetUp() override {
    std::string Template = ::testing::TempDir() + "clinch-escapes-XXXXXX";
    Folder = mkdtemp(Template.data());
    put("return.inc", "return 0;\n");
    put("renamed.inc", "#line 1 \"text.c\"\nreturn 0;\n");
    put("close.inc", "}\n");
    put("open.inc", "{\n");
    put("nested.inc", "#include \"return.inc\"\n");
    put("macros.h", "#define LEAVE return 0\n#define CLOSE }\n"
                    "#define OPEN {\n#define CALL(x) x\n");
    put("sum.inc", "a = a + 1;\n");
  }
  void TearDown() override { std::filesystem::remove_all(Folder); }

  void put(const std::string &Name, const std::string &Text) {
    std::ofstream(Folder + "/" + Name) << Text;
  }
  Expected<EngineResult> compileCode(const std::string &Code, Language Lang,
                                     const std::string &Support = "") {
    return compileBlock(block("double V3;", Code, "", Support), Lang, Folder);
  }

  std::string Folder;
};

/// Whether a message, or a note of it, names the piece.
bool names(const Diagnostic &D, const std::string &Origin) {
  if (D.Origin == Origin)
    return true;
  for (const Diagnostic &N : D.Notes)
    if (names(N, Origin))
      return true;
  return false;
}

void expectBlamed(const Expected<EngineResult> &R, const std::string &Origin,
                  const std::string &Text) {
  ASSERT_FALSE(R) << Text;
  ASSERT_FALSE(R.error().diagnostics().empty()) << Text;
  for (const Diagnostic &D : R.error().diagnostics())
    EXPECT_TRUE(names(D, Origin)) << Text << "\n" << R.error().render();
}

TEST_F(Escapes, EachIsRefusedAndNamesItsText) {
  const char *Codes[] = {
      "#line 1 \"text.c\"\nreturn 0;",
      "# 1 \"text.c\"\nreturn 0;",
      "#line 30 \"text.c\"\n  break;",
      "#line 7 \"`Add.c_support_code`\"\nreturn 0;",
      "#line 1 \"text.c\"\ncontinue;",
      "#line 1 \"text.c\"\ngoto label_3;",
      "#include \"return.inc\"",
      "#include \"nested.inc\"",
      "#include \"renamed.inc\"",
      "if (a) {\n#include \"return.inc\"\n}",
      "#include \"close.inc\"\nreturn 0;\n#include \"open.inc\"",
      "#include \"open.inc\"",
      "#include \"macros.h\"\nLEAVE;",
      "#include \"macros.h\"\nCALL(return 0);",
      "#include \"macros.h\"\nCALL(CALL(LEAVE));",
      "#include \"macros.h\"\nCLOSE return 0; OPEN",
      "#include \"macros.h\"\nOPEN",
      "#define R re##turn\n#define J(x, y) x##y\nJ(re, turn) 0;\n#undef R\n"
      "#undef J",
      "re\\\nturn 0;",
      "_Pragma(\"clang diagnostic push\") return 0;"
      "_Pragma(\"clang diagnostic pop\")",
      "a = ({ return 0; 1; });",
      "a = ({\n#line 1 \"text.c\"\n goto label_3; 1; });",
      "static void *to; goto *to;",
      "__asm__ goto(\"\" : : : : label_3);",
      "void *to = &&label_3; goto *to;",
      "__builtin_longjmp(*(void ***)a, 1);",
      "failure = 4; goto label_3;",
      "{failure = 4; goto label_4;}",
      "if (a) {failure = 3; a = 1; goto label_3;}",
      "switch (a) { case 1: return 0; }",
      "<% return 0; %>",
      "%: line 1 \"text.c\"\nreturn 0;",
  };
  for (Language Lang : BothLanguages)
    for (const char *Code : Codes)
      expectBlamed(compileCode(Code, Lang), "`Add.c_code`", Code);
}

TEST_F(Escapes, CleanupsHaveNoneEither) {
  const char *Codes[] = {
      "#line 1 \"`Add.c_code`\"\n{failure = 3; goto label_3;}",
      "#line 1 \"text.c\"\nfailure = 3;",
      "#include \"return.inc\"",
  };
  for (Language Lang : BothLanguages)
    for (const char *Code : Codes)
      expectBlamed(compileBlock(block("double V3;", "", Code), Lang, Folder),
                   "`Add.c_code_cleanup`", Code);
}

TEST_F(Escapes, DeclarationsHaveNoneEither) {
  const char *Codes[] = {
      "double V3;\n#line 1 \"text.c\"\na = 1;",
      "double V3;\n#line 1 \"`Add.c_code`\"\nint b;",
      "double V3;\n#include \"sum.inc\"",
  };
  for (Language Lang : BothLanguages)
    for (const char *Code : Codes)
      expectBlamed(compileBlock(block(Code, "", ""), Lang, Folder),
                   "`Double.c_declare` for `x`", Code);
}

TEST_F(Escapes, WhatSupportCodeDoesToOthersIsItsOwn) {
  const char *Codes[] = {
      "#define failure 3",
      "#define int long",
      "#define label_3 label_4",
      "#include \"open.inc\"",
      "#include \"macros.h\"\nint f(void) OPEN",
      "#include \"macros.h\"\nCLOSE",
      "int run;",
      "enum { run };",
  };
  for (Language Lang : BothLanguages)
    for (const char *Code : Codes)
      expectBlamed(compileCode("", Lang, Code), "`Add.c_support_code`", Code);
}

TEST_F(Escapes, WhatIsWholeIsNotAccused) {
  const char *Codes[] = {
      "#include \"sum.inc\"",
      "#line 1 \"text.c\"\na = 2;",
      "for (;;) {\n#line 1 \"text.c\"\nbreak; }",
      "#include \"macros.h\"\nif (a) OPEN a = 1; CLOSE",
      "void *to = &&here; goto *to; here: a = 1;",
      "void *b[5]; if (!__builtin_setjmp(b)) __builtin_longjmp(b, 1);",
      "#pragma pack(push, 1)\nstruct s { char c; int i; };\n#pragma pack(pop)",
      "_Pragma(\"clang loop unroll(disable)\") for (int i = 0; i < a; ++i) ;",
      "#line 7 \"mine.c\"\n{failure = 3; goto label_3;}",
      "#undef never_defined\n",
      "#pragma push_macro(\"__x86_64__\")\n#undef __x86_64__\n"
      "#define __x86_64__ 2\na = __x86_64__;\n#undef __x86_64__\n"
      "#pragma pop_macro(\"__x86_64__\")",
  };
  const char *Supports[] = {
      "#pragma pack(push, 1)\nstruct s { char c; int i; };\n#pragma pack(pop)",
      "#pragma STDC FP_CONTRACT ON\nstatic double f(double x) { return x; }\n"
      "#pragma STDC FP_CONTRACT DEFAULT",
      "#define mine 3\n#undef mine",
      "#undef __x86_64__",
      "#undef __x86_64__\n#define __x86_64__ 1",
      "#pragma push_macro(\"__x86_64__\")\n#undef __x86_64__",
      "#pragma GCC poison never_named",
      "# 1 \"x.h\" 3",
      "#include \"macros.h\"\nstatic int f(void) OPEN return 0; CLOSE",
      "#pragma push_macro(\"__x86_64__\")\n#pragma pop_macro(\"__x86_64__\")",
      "#pragma push_macro(\"__x86_64__\")\n#undef __x86_64__\n"
      "#define __x86_64__ 2\n#undef __x86_64__\n"
      "#pragma pop_macro(\"__x86_64__\")",
  };
  for (Language Lang : BothLanguages) {
    for (const char *Code : Codes) {
      Expected<EngineResult> R = compileCode(Code, Lang);
      EXPECT_TRUE(R) << Code << "\n" << R.error().render();
    }
    for (const char *Support : Supports) {
      Expected<EngineResult> R = compileCode("a = 1;", Lang, Support);
      EXPECT_TRUE(R) << Support << "\n" << R.error().render();
    }
  }
}

TEST_F(Escapes, PragmasThatStayInForceAreWarnings) {
  const char *Supports[] = {
      "#pragma pack(1)",
      "_Pragma(\"pack(push, 1)\")",
      "#pragma clang optimize off",
      "#pragma GCC visibility push(hidden)",
      "#pragma STDC FP_CONTRACT ON",
      "#pragma clang fp reassociate(on)",
      "#pragma clang section data=\"mine\"",
  };
  for (Language Lang : BothLanguages)
    for (const char *Support : Supports) {
      Expected<EngineResult> R = compileCode("a = 1;", Lang, Support);
      ASSERT_TRUE(R) << Support << "\n" << R.error().render();
      ASSERT_FALSE(R->Warnings.empty()) << Support;
      EXPECT_EQ(R->Warnings[0].Message,
                "this pragma is still in force at the end of the text, and "
                "changes the texts after it");
      EXPECT_TRUE(names(R->Warnings[0], "`Add.c_support_code`")) << Support;
    }
}

/// Hides a statement in what may stand around it, and changes nothing of what
/// it does.
class Hider {
public:
  explicit Hider(unsigned Seed) : Random(Seed) {}

  std::string hide(std::string Statement) {
    unsigned Depth = pick(5);
    for (unsigned I = 0; I != Depth; ++I)
      Statement = around(Statement);
    return Statement;
  }
  unsigned pick(unsigned Count) { return unsigned(Random() % Count); }

private:
  std::string around(const std::string &S) {
    std::string N = std::to_string(++Count);
    switch (pick(10)) {
    case 0:
      return "#line " + N + " \"text.c\"\n" + S;
    case 1:
      return "{\n" + S + "\n}";
    case 2:
      return "if (a > " + N + ") {\n" + S + "\n}";
    case 3:
      return "# " + N + " \"`Add.c_support_code`\"\n" + S;
    case 4:
      return "(void)({\n" + S + "\n" + N + "; });";
    case 5:
      return "#if " + N + "\n" + S + "\n#else\na = 0;\n#endif";
    case 6:
      return "_Pragma(\"clang diagnostic push\")\n" + S +
             "\n_Pragma(\"clang diagnostic pop\")";
    case 7:
      return "a = " + N + "; /* \n#line 3 */\n" + S + "\n#line 90 \"b.c\"\n";
    case 8:
      return "switch (a) { case 1: a = 2; default:\n" +
             (S.find("break") == S.npos ? S : "a = 2;}\n" + S + "\n{") + "\n}";
    default:
      return "#define M" + N + "(x) x\n" + S + "\n#undef M" + N;
    }
  }

  std::mt19937 Random;
  unsigned Count = 0;
};

TEST_F(Escapes, NoneIsFoundByChance) {
  const char *Leaving[] = {"return 0;",
                           "break;",
                           "continue;",
                           "goto label_3;",
                           "{failure = 5; goto label_5;}",
                           "#include \"return.inc\"\n",
                           "#include \"macros.h\"\nLEAVE;",
                           "#include \"close.inc\"\n",
                           "#include \"open.inc\"\n"};
  const char *Staying[] = {"a = 3;", "if (a) {failure = 3; goto label_3;}",
                           "for (;;) break;", "while (a--) continue;",
                           "#include \"sum.inc\"\n"};
  for (unsigned Seed = 0; Seed != 150; ++Seed) {
    Hider H(Seed);
    Language Lang = BothLanguages[Seed % 2];
    std::string Bad = H.hide(Leaving[H.pick(std::size(Leaving))]);
    expectBlamed(compileCode(Bad, Lang), "`Add.c_code`", Bad);
    std::string Good = H.hide(Staying[H.pick(std::size(Staying))]);
    Expected<EngineResult> R = compileCode(Good, Lang);
    EXPECT_TRUE(R) << Good << "\n" << R.error().render();
  }
}

TEST(Regions, MustLieInTheTextAndApart) {
  TestText T = block("double V3;", "", "");
  T.Regions[1].Begin = T.Regions[0].Begin;
  Expected<EngineResult> R = compileBlock(T, Language::C);
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().kind(), Error::Kind::InvalidArgument);
  T = block("double V3;", "", "");
  T.Regions[3].End = T.Text.size() + 1;
  EXPECT_FALSE(compileBlock(T, Language::C));
}

} // namespace
