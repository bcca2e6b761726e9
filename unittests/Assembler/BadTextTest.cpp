//===- BadTextTest.cpp - What an author left open is the author's ---------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SeedTypes.h"

#include <gtest/gtest.h>

using namespace clinch;

namespace {

/// An Op whose hooks say what the test wants.
class TalkingOp : public SeedBinary {
public:
  TalkingOp(std::string Code = "%(z)s = 0;") : SeedBinary("Talk", Code) {}
  Text c_support_code_struct(const Apply &,
                             const std::string &) const override {
    return HookText(Struct);
  }
  Strings c_support_code() const override {
    return std::vector<std::string>{Support};
  }
  Expected<std::string> c_compiler() const override { return Compiler; }
  std::string Struct, Support, Compiler;
};

class TalkingType : public SeedDouble {
public:
  explicit TalkingType(std::string Declare) : Declare(std::move(Declare)) {}
  Text c_declare(const Type::Args &) const override {
    return HookText(Declare);
  }
  std::string Declare;
};

std::string outcome(const Graph &G) {
  Expected<ThunkSource> S = assemble(G);
  return S ? "assembled" : S.error().render();
}

std::string outcome(std::vector<std::shared_ptr<const Op>> Ops,
                    std::shared_ptr<const Type> T = nullptr) {
  Graph G;
  if (!T)
    T = std::make_shared<SeedDouble>();
  Variable *X = G.addInput(T, "x"), *Last = X;
  for (auto &O : Ops)
    Last = (*G.apply(O, {Last, X}, {T}))->outputs()[0];
  EXPECT_TRUE(G.setInterface({X}, {Last}));
  return outcome(G);
}

std::string outcome(std::string Code) {
  auto Good = std::make_shared<SeedBinary>("Good", "%(z)s = %(x)s;");
  return outcome({std::make_shared<TalkingOp>(std::move(Code)), Good});
}

/// The whole message about line \p Line, column \p Column of the Op's code.
std::string talk(const std::string &Message, unsigned Line, unsigned Column,
                 const std::string &Source) {
  std::string Origin = "`Talk.c_code` for `node_4`";
  return Origin + ":" + std::to_string(Line) + ":" + std::to_string(Column) +
         ": error: " + Message + "\n  " + Source + "\n  " +
         std::string(Column - 1, ' ') + "^\n";
}

} // namespace

TEST(BadText, BracketsAreTheAuthorsOwn) {
  EXPECT_EQ(outcome("a();\nif (x) {\n  b();\n"),
            talk("this `{` is never closed: `}` is missing", 2, 8, "if (x) {"));
  EXPECT_EQ(outcome("a();\n}"),
            talk("`}` closes nothing that this text opened", 2, 1, "}"));
  EXPECT_EQ(outcome("a(b[1);"),
            talk("`)` cannot close the `[` that is open here; `]` was expected",
                 1, 6, "a(b[1);"));
  EXPECT_EQ(outcome("a(1;"),
            talk("this `(` is never closed: `)` is missing", 1, 2, "a(1;"));
}

TEST(BadText, CommentsAndLiterals) {
  EXPECT_EQ(outcome("a();\n  /* b"),
            talk("this comment never ends: `*/` is missing", 2, 3, "  /* b"));
  EXPECT_EQ(outcome("a(\"b);\n"),
            talk("this string never ends: a `\"` is missing", 1, 3, "a(\"b);"));
  EXPECT_EQ(
      outcome("a('b);\n"),
      talk("this character never ends: a `'` is missing", 1, 3, "a('b);"));
  EXPECT_EQ(outcome("a(); \\"),
            talk("the text ends in a backslash, which would swallow the line "
                 "after it",
                 1, 6, "a(); \\"));
}

TEST(BadText, Conditions) {
  EXPECT_EQ(
      outcome("#if A\nb();\n"),
      talk("this `#if` is never closed: `#endif` is missing", 1, 1, "#if A"));
  EXPECT_EQ(outcome("b();\n#endif"),
            talk("`#endif` without an `#if` in this text", 2, 1, "#endif"));
  EXPECT_EQ(outcome("#else"),
            talk("`#else` without an `#if` in this text", 1, 1, "#else"));
}

TEST(BadText, MacrosMayStay) {
  EXPECT_EQ(outcome("#define TWICE(x) (2 * (x))\n%(z)s = TWICE(1);"),
            "assembled");
  EXPECT_EQ(outcome("#define A {\n#define B 2\n#undef A\n#undef B\n"),
            "assembled");
}

TEST(BadText, LabelsMeet) {
  auto Op = std::make_shared<TalkingOp>("goto done; done: %(z)s = 1;");
  EXPECT_EQ(outcome({Op}), "assembled");
  EXPECT_EQ(outcome({Op, Op}), "assembled");
  auto Local = std::make_shared<TalkingOp>(
      "__label__ done; goto done; done: %(z)s = 1;");
  EXPECT_EQ(outcome({Local, Local}), "assembled");
  auto Choice =
      std::make_shared<TalkingOp>("%(z)s = a ? b ? (long)c : d : (int)e;");
  EXPECT_EQ(outcome({Choice, Choice}), "assembled");
  auto Case = std::make_shared<TalkingOp>("x = a ? b : c; done: %(z)s = 1;");
  EXPECT_EQ(outcome({Case, Case}), "assembled");
  auto Mangled = std::make_shared<TalkingOp>("done_%(name)s: %(z)s = 1;");
  EXPECT_EQ(outcome({Mangled, Mangled}), "assembled");
  EXPECT_EQ(outcome("label_3: %(z)s = 1;"),
            talk("the label `label_3` is one of Clinch's own; put `%(name)s` "
                 "in it",
                 1, 1, "label_3: V2 = 1;"));
}

/// Texts that were good are not read again; these must be.
TEST(BadText, TheSecondTimeToo) {
  std::string Open = "if (%(x)s) {", Wrong = outcome(Open);
  EXPECT_NE(Wrong.find("this `{` is never closed"), Wrong.npos);
  EXPECT_EQ(outcome(Open), Wrong);

  auto Labels = std::make_shared<TalkingOp>("goto end; end: %(z)s = 1;");
  EXPECT_EQ(outcome({Labels}), "assembled");
  std::string Ours = outcome("label_3: %(z)s = 1;");
  EXPECT_NE(Ours.find("is one of Clinch's own"), Ours.npos);
  EXPECT_EQ(outcome("label_3: %(z)s = 1;"), Ours);

  std::string Macro = "#define LEFT_OPEN 1\n";
  auto Global = std::make_shared<TalkingOp>();
  Global->Support = Macro;
  EXPECT_EQ(outcome({Global}), "assembled");
  EXPECT_EQ(outcome({Global}), "assembled");
  EXPECT_EQ(outcome(Macro), "assembled");
}

TEST(BadText, AKnownTextIsGoodWhereverItStands) {
  std::string Good = "%(z)s = %(x)s + 1;";
  for (int I = 0; I < 3; ++I)
    EXPECT_EQ(outcome(Good), "assembled");
  // The same in a graph that is too large for its texts to be remembered.
  std::vector<std::shared_ptr<const Op>> Many(
      100, std::make_shared<TalkingOp>(Good));
  EXPECT_EQ(outcome(Many), "assembled");
  Many.push_back(std::make_shared<TalkingOp>("%(z)s = (%(x)s;"));
  EXPECT_NE(outcome(Many).find("this `(` is never closed"), std::string::npos);
}

TEST(BadText, WhatOnlyLooksWrongIsRight) {
  for (const char *Code :
       {"a(\"}\", '{', '\"'); // }\n/* { */",
        "#if A\nif (a) {\n#else\nif (b) {\n#endif\n}\n",
        "#if 0 // off\nreturn; } } { \" '\n#if "
        "A\n}\n#endif\n#else\nb();\n#endif",
        "switch (a) { case 1: b(); default: c(); }",
        "a ? b : c; x = a ? (b) : c; struct { int f : 3; } s;",
        "long n = 1'000'000; double d = 0x1p-3;",
        "s = R\"x(}\")x\"; t = u8\"{\";", "a();\r\nb();\r\n", "// no newline",
        "auto f = [](int a) { again: goto again; };\n"
        "auto g = [](int a) { again: goto again; };"})
    EXPECT_EQ(outcome(Code), "assembled") << Code;
}

TEST(BadText, TemplatesNameTheirKeys) {
  EXPECT_NE(outcome("%(w)s = 1;").find("the key of `%(w)s` is unknown"),
            std::string::npos);
  EXPECT_NE(outcome("a % b;").find("write `%%` for a percent sign"),
            std::string::npos);
}

TEST(BadText, KeysThatAPythonHookForgot) {
  class Forgetful : public TalkingOp {
    Text c_code(const Op::Args &) const override {
      return HookText::filled("a = 5 % (b);\nprint(\"%(x)s\", %(y)s);");
    }
  };
  EXPECT_EQ(outcome({std::make_shared<Forgetful>()}),
            "`Talk.c_code` for `node_3`:2:16: error: `%(y)s` is still there: "
            "nothing was put in its place\n"
            "  print(\"%(x)s\", %(y)s);\n"
            "                 ^\n");
}

TEST(BadText, HeadersAreTheirAuthors) {
  class Headed : public TalkingOp {
    Strings c_headers(std::string_view) const override {
      return std::vector<std::string>{"mine.h", "<math.h>", "\"quoted.h\""};
    }
  };
  Graph G;
  auto T = std::make_shared<SeedDouble>();
  Variable *X = G.addInput(T, "x");
  Apply *A = *G.apply(std::make_shared<Headed>(), {X, X}, {T});
  EXPECT_TRUE(G.setInterface({X}, A->outputs()));
  AssembleOptions O;
  O.ExtraHeaders = {"extra.h"};
  Expected<ThunkSource> S = assemble(G, O);
  ASSERT_TRUE(bool(S));
  EXPECT_EQ(S->Source.Text.substr(0, S->Source.Text.find("\n\n")),
            "#include <Python.h>\n"
            "#include \"extra.h\"\n"
            "#line 1 \"`Talk.c_headers`\"\n"
            "#include \"mine.h\"\n"
            "#line 6 \"thunk.c\"\n"
            "#line 1 \"`Talk.c_headers`\"\n"
            "#include <math.h>\n"
            "#line 9 \"thunk.c\"\n"
            "#line 1 \"`Talk.c_headers`\"\n"
            "#include \"quoted.h\"\n"
            "#line 12 \"thunk.c\"");
}

TEST(BadText, DeclarationsWithoutTheName) {
  auto T = std::make_shared<TalkingType>("// mine\ndouble value;");
  auto Op = std::make_shared<TalkingOp>();
  EXPECT_EQ(outcome({Op}, T),
            "`Double.c_declare` for `x`:2:1: error: nothing is declared whose "
            "name contains `V1`; put `%(name)s` in every name\n"
            "  double value;\n"
            "  ^\n");
}

TEST(BadText, StructCodeThatOnlyCxxCanHave) {
  auto Op = std::make_shared<TalkingOp>();
  Op->Struct = "int f() { return 1; }";
  EXPECT_NE(outcome({Op}).find("a function at struct scope needs C++: return "
                               "\"c++\" from c_compiler, or move it to "
                               "c_support_code_apply"),
            std::string::npos);
  Op->Struct = "int count = 1;";
  EXPECT_NE(outcome({Op}).find("a member with a value needs C++"),
            std::string::npos);
  Op->Compiler = "c++";
  EXPECT_EQ(outcome({Op}), "assembled");
}

TEST(BadText, CompilersThatDisagree) {
  auto A = std::make_shared<TalkingOp>(), B = std::make_shared<TalkingOp>();
  A->Compiler = "c++";
  B->Compiler = "c";
  EXPECT_EQ(outcome({A, B}),
            "`Talk.c_compiler` asks for `c`, but `Talk.c_compiler` asks for "
            "`c++`; one thunk has one language\n");
  B->Compiler = "fortran";
  EXPECT_EQ(outcome({A, B}), "`Talk.c_compiler` returned `fortran`; expected "
                             "`c` or `c++`\n");
}

TEST(BadText, SupportCodeMayDefineAndMustBeWhole) {
  auto Op = std::make_shared<TalkingOp>();
  Op->Support = "#define HALF 0.5\nint f(void) { return 1; }";
  EXPECT_EQ(outcome({Op}), "assembled");
  Op->Support = "int f(void) { return 1;";
  EXPECT_NE(outcome({Op}).find("`Talk.c_support_code`:1:13: error: this `{` is "
                               "never closed"),
            std::string::npos);
}

TEST(BadText, LinesThatTheTextNamesItself) {
  class Filed : public TalkingOp {
    Text c_code(const Op::Args &) const override {
      HookText H("a();\n#line 40 \"my.c\"\nb();\nif (x) {\n");
      H.File = "my.c";
      return H;
    }
  };
  EXPECT_NE(outcome({std::make_shared<Filed>()})
                .find("my.c:41:8: error: this `{` is never closed"),
            std::string::npos);
}

TEST(Names, OfUsersOnlyAppearInMessages) {
  std::string Long(10000, 'a');
  for (const std::string &Name :
       {std::string("while"), Long, std::string("\xce\xb1 \"quoted\"\n*/ \\"),
        std::string("bad \xff utf-8"), std::string("`x`")}) {
    Graph G;
    auto T = std::make_shared<SeedDouble>();
    Variable *X = G.addInput(T, Name);
    auto Id = std::make_shared<SeedBinary>("Id", "%(z)s = %(x)s;");
    Variable *Y = (*G.apply(Id, {X, X}, {T}))->outputs()[0];
    EXPECT_TRUE(G.setInterface({X}, {Y}));
    Expected<ThunkSource> S = assemble(G);
    ASSERT_TRUE(bool(S));
    EXPECT_EQ(S->Source.Text.find(Long), std::string::npos);
    EXPECT_EQ(S->Tasks.size(), 3u);
    // One `#line` is one line: nothing of the name ends it early.
    for (size_t At = 0;
         (At = S->Source.Text.find("\n#line", At)) != std::string::npos; ++At) {
      size_t End = S->Source.Text.find('\n', At + 1);
      EXPECT_EQ(S->Source.Text[End - 1], '"');
    }
  }
}

TEST(Names, ThatAreTheSameAreToldApart) {
  Graph G;
  auto T = std::make_shared<SeedDouble>();
  Variable *X = G.addInput(T, "x"), *Other = G.addInput(T, "x");
  EXPECT_TRUE(G.setInterface({X, Other}, {}));
  Expected<ThunkSource> S = assemble(G);
  ASSERT_TRUE(bool(S));
  EXPECT_EQ(S->Tasks[0].Subject, "`Double.c_extract` for `x` (V1)");
  EXPECT_EQ(S->Tasks[1].Subject, "`Double.c_extract` for `x` (V2)");
}
