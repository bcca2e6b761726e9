// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an author left open is the author's.

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

std::string outcome(const Graph &G) {
  Expected<ThunkSource> S = assemble(G);
  return S ? "assembled" : S.error().render();
}

std::string outcome(std::vector<std::shared_ptr<const Op>> Ops) {
  Graph G;
  auto T = std::make_shared<SeedDouble>();
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

} // namespace

TEST(BadText, TemplatesNameTheirKeys) {
  EXPECT_NE(outcome("%(w)s = 1;").find("the key of `%(w)s` is unknown"),
            std::string::npos);
  EXPECT_NE(outcome("a % b;").find("write `%%` for a percent sign"),
            std::string::npos);
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
            "#include <clinch/thunk.h>\n"
            "#include \"extra.h\"\n"
            "#line 1 \"`Talk.c_headers`\"\n"
            "#include \"mine.h\"\n"
            "#line 7 \"thunk.c\"\n"
            "#include <math.h>\n" // The prefix has it.
            "#line 1 \"`Talk.c_headers`\"\n"
            "#include \"quoted.h\"\n"
            "#line 11 \"thunk.c\"");
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
                             "`c`, `c++` or `cuda`\n");
  B->Compiler = "cuda"; // Is C++ with kernels.
  EXPECT_EQ(outcome({A, B}), "assembled");
  A->Compiler = "c";
  EXPECT_EQ(outcome({A, B}),
            "`Talk.c_compiler` asks for `cuda`, but `Talk.c_compiler` asks for "
            "`c`; one thunk has one language\n");
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
