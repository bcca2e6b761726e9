// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Types and Ops ask of the module.

#include "SeedTypes.h"

#include <gtest/gtest.h>

using namespace clinch;

namespace {

using List = std::vector<std::string>;

/// Says in its text whether it is to check, and has a version.
class AskingType : public SeedDouble {
public:
  Text c_declare(const Type::Args &A) const override {
    return HookText(A.CheckInput ? "double checked_%(name)s, %(name)s;"
                                 : "double %(name)s;");
  }
  Text c_extract(const Type::Args &A) const override {
    return HookText(A.CheckInput ? "check(%(name)s);" : "take(%(name)s);");
  }
  Strings c_libraries(std::string_view) const override { return List{"m"}; }
  Strings c_support_code() const override { return List{"int shared;", Own}; }
  Strings c_init_code() const override { return List{"import_array();"}; }
  Expected<bool> c_is_simple() const override { return Simple; }
  Expected<std::string> c_literal(const Variable &) const override {
    return Literal;
  }
  Expected<std::string> c_code_cache_version() const override {
    return Version;
  }
  std::string Own = "int own;", Literal, Version = "(1,)";
  bool Simple = false;
};

class AskingOp : public SeedBinary {
public:
  AskingOp() : SeedBinary("Ask", "%(z)s = %(x)s;") {}
  Strings c_libraries(std::string_view) const override {
    return List{"m", "z"};
  }
  Strings c_lib_dirs(std::string_view) const override { return List{"/l"}; }
  Strings c_header_dirs(std::string_view) const override { return List{"/i"}; }
  Strings c_compile_args(std::string_view Compiler) const override {
    return List{"-DFOR=" + std::string(Compiler)};
  }
  Strings c_no_compile_args(std::string_view) const override {
    return List{"-O3"};
  }
  Strings c_support_code() const override { return List{"int shared;"}; }
  Text c_support_code_apply(const Apply &, const std::string &) const override {
    return HookText("int of_%(name)s;");
  }
  Text c_init_code_apply(const Apply &, const std::string &) const override {
    return HookText("of_%(name)s = 1;");
  }
  Expected<std::string> c_compiler() const override { return Compiler; }
  bool checkInput() const override { return Checks; }
  std::string Compiler;
  bool Checks = true;
};

/// Lives on the stack, and declares what it is told to.
class SimpleType : public SeedDouble {
public:
  SimpleType(std::string Declare, std::string Init)
      : Declare(std::move(Declare)), Init(std::move(Init)) {}
  Text c_declare(const Type::Args &) const override {
    return HookText(Declare);
  }
  Text c_init(const Type::Args &) const override { return HookText(Init); }
  Expected<bool> c_is_simple() const override { return true; }

private:
  std::string Declare, Init;
};

/// Which of a temporary's texts must be looked at for the rules, in a ladder
/// that was cut.
List rulesOfTemporary(const std::string &Declare, const std::string &Init) {
  Graph G;
  auto T = std::make_shared<SimpleType>(Declare, Init);
  auto O = std::make_shared<SeedBinary>("Add", "%(z)s = %(x)s + %(y)s;");
  Variable *X = G.addInput(T, "x");
  Apply::Info Named;
  Named.OutputNames = {"t"};
  Variable *Temporary = (*G.apply(O, {X, X}, {T}, Named))->outputs()[0];
  Variable *Out = (*G.apply(O, {Temporary, X}, {T}))->outputs()[0];
  EXPECT_TRUE(G.setInterface({X}, {Out}));
  AssembleOptions Options;
  Options.SplitAbove = 2;
  Expected<ThunkSource> S = assemble(G, Options);
  EXPECT_TRUE(bool(S)) << (S ? "" : S.error().render());
  List Names;
  for (const Region &R : S->Options.Regions)
    if (R.Name.find("`t`") != std::string::npos)
      Names.push_back(R.Name);
  return Names;
}

class ModuleTest : public ::testing::Test {
protected:
  ThunkSource assembleWith(const AssembleOptions &Options = {}) {
    Expected<ThunkSource> S = assemble(G, Options);
    EXPECT_TRUE(bool(S)) << (S ? "" : S.error().render());
    return S ? std::move(*S) : ThunkSource();
  }
  size_t count(const ThunkSource &S, const std::string &What) {
    size_t N = 0;
    for (size_t At = S.Source.Text.find(What); At != std::string::npos;
         At = S.Source.Text.find(What, At + 1))
      ++N;
    return N;
  }
  Variable *apply(Variable *A, Variable *B) {
    return (*G.apply(O, {A, B}, {T}))->outputs()[0];
  }

  Graph G;
  std::shared_ptr<AskingType> T = std::make_shared<AskingType>();
  std::shared_ptr<AskingOp> O = std::make_shared<AskingOp>();
  Variable *X = G.addInput(T, "x"), *Y = G.addInput(T, "y");
};

} // namespace

TEST_F(ModuleTest, SupportCodeThatStandsAsInitCodeTooStandsTwice) {
  T->Own = "import_array();";
  ASSERT_TRUE(G.setInterface({X, Y}, {apply(X, Y)}));
  EXPECT_EQ(count(assembleWith(), "import_array();"), 2u);
}

TEST_F(ModuleTest, TextsStandOnceAndInOrder) {
  ASSERT_TRUE(G.setInterface({X, Y}, {apply(apply(X, Y), Y)}));
  ThunkSource S = assembleWith();
  EXPECT_EQ(count(S, "int shared;"), 1u);
  EXPECT_EQ(count(S, "int own;"), 1u);
  EXPECT_EQ(count(S, "import_array();"), 1u);
  EXPECT_EQ(S.Init, ModuleInit::OwnCode);
  EXPECT_EQ(count(S, "int of_node_5;"), 1u);
  EXPECT_EQ(count(S, "int of_node_6;"), 1u);
  const std::string &Text = S.Source.Text;
  EXPECT_LT(Text.find("int own;"), Text.find("int of_node_5;"));
  EXPECT_LT(Text.find("import_array();"), Text.find("of_node_5 = 1;"));
  EXPECT_LT(Text.find("of_node_5 = 1;"), Text.find("of_node_6 = 1;"));
}

TEST_F(ModuleTest, WishesBecomeOptionsOnceEach) {
  ASSERT_TRUE(G.setInterface({X, Y}, {apply(X, Y)}));
  AssembleOptions Options;
  Options.ExtraHeaderDirs = {"/first"};
  ThunkSource S = assembleWith(Options);
  EXPECT_EQ(S.Options.Libraries, (List{"m", "z"}));
  EXPECT_EQ(S.Options.LibraryDirs, List{"/l"});
  EXPECT_EQ(S.Options.IncludeDirs, (List{"/first", "/i"}));
  EXPECT_EQ(S.Options.Flags, List{"-DFOR=c"});
  EXPECT_EQ(S.Options.ForbiddenFlags, List{"-O3"});
  EXPECT_EQ(S.Options.FailureVariable, "failure");
  EXPECT_NE(S.Options.Prefix.find("#include <Python.h>\n"), std::string::npos);
  EXPECT_EQ(S.Options.Lang, Language::C);
  O->Compiler = "c++";
  S = assembleWith(Options);
  EXPECT_EQ(S.Options.Lang, Language::CXX);
  EXPECT_EQ(S.Options.Flags, List{"-DFOR=c++"});
  EXPECT_EQ(S.Source.Name, "thunk.cpp");
}

TEST_F(ModuleTest, AVersionThatIsEmptyKeepsNoCopyOnDisk) {
  ASSERT_TRUE(G.setInterface({X, Y}, {}));
  EXPECT_TRUE(assembleWith().Options.UseDiskCache);
  T->Version = "()";
  EXPECT_FALSE(assembleWith().Options.UseDiskCache);
}

TEST_F(ModuleTest, TheKeyIsOfTextOptionsAndVersions) {
  ASSERT_TRUE(G.setInterface({X, Y}, {apply(X, Y)}));
  std::string Key = assembleWith().Key;
  EXPECT_EQ(assembleWith().Key, Key);
  T->Version = "(2,)";
  std::string Other = assembleWith().Key;
  EXPECT_NE(Other, Key);
  T->Version = "(1,)";
  AssembleOptions Function;
  Function.Shape = Form::Function;
  EXPECT_NE(assembleWith(Function).Key, Key);
  T->Own = "int other;";
  EXPECT_NE(assembleWith().Key, Key);
}

TEST_F(ModuleTest, OneReaderThatChecksIsEnough) {
  Variable *Z = apply(X, Y);
  ASSERT_TRUE(G.setInterface({X, Y}, {Z}));
  EXPECT_EQ(count(assembleWith(), "check(V1);"), 1u);
  O->Checks = false;
  ThunkSource S = assembleWith();
  EXPECT_EQ(count(S, "take(V1);"), 1u);
  EXPECT_EQ(count(S, "checked_V1"), 0u);
  auto Checking = std::make_shared<AskingOp>();
  Variable *Both = (*G.apply(Checking, {X, Z}, {T}))->outputs()[0];
  ASSERT_TRUE(G.setInterface({X, Y}, {Both}));
  S = assembleWith();
  EXPECT_EQ(count(S, "check(V1);"), 1u);
  EXPECT_EQ(count(S, "take(V2);"), 1u);
}

TEST_F(ModuleTest, UnusedInputsAreCheckedToo) {
  O->Checks = false;
  ASSERT_TRUE(G.setInterface({X, Y}, {}));
  EXPECT_EQ(count(assembleWith(), "check(V2);"), 1u);
}

TEST_F(ModuleTest, EveryLiteralIsInlined) {
  T->Literal = "(2.0)";
  Variable *Last = X;
  for (int I = 0; I < 4; ++I)
    Last = apply(G.addConstant(T, nullptr), Last);
  ASSERT_TRUE(G.setInterface({X}, {Last}));
  ThunkSource S = assembleWith();
  EXPECT_EQ(count(S, " = (2.0);"), 4u);
  EXPECT_EQ(S.Cells.size(), 2u);
  T->Literal.clear();
  S = assembleWith();
  EXPECT_EQ(S.Cells.size(), 6u);
}

TEST_F(ModuleTest, WhatIsKeptAndWhatIsNot) {
  Variable *Z = apply(X, Y), *Out = apply(Z, Y);
  ASSERT_TRUE(G.setInterface({X, Y}, {Out}));
  auto InInit = [&](const AssembleOptions &Options) {
    std::string Numbers;
    for (const Task &Each : assembleWith(Options).Tasks)
      if (Each.InInit)
        Numbers += std::to_string(Each.Number) + " ";
    return Numbers;
  };
  EXPECT_EQ(InInit({}), "3 ");
  AssembleOptions Fresh;
  Fresh.NoRecycling = {Z, Out};
  EXPECT_EQ(InInit(Fresh), "");
  EXPECT_EQ(count(assembleWith({}), "{ // c_extract_out"), 1u);
  EXPECT_EQ(count(assembleWith(Fresh), "{ // c_extract_out"), 0u);
  AssembleOptions Function;
  Function.Shape = Form::Function;
  EXPECT_EQ(InInit(Function), "");
  T->Simple = true;
  EXPECT_EQ(InInit({}), "");
  EXPECT_EQ(count(assembleWith({}), "{ // c_extract_out"), 0u);
}

TEST_F(ModuleTest, TasksAreFoundByNumberAndPlace) {
  Variable *Out = apply(apply(X, Y), Y);
  ASSERT_TRUE(G.setInterface({X, Y}, {Out}));
  ThunkSource S = assembleWith();
  ASSERT_TRUE(S.task(5, false));
  EXPECT_EQ(S.task(5, false)->Subject, "`Ask.c_code` for `node_5`");
  EXPECT_EQ(S.task(5, false)->What, Task::Kind::Code);
  EXPECT_EQ(S.task(5, false)->label(), "label_5");
  EXPECT_STREQ(S.task(5, false)->hook(), "c_code");
  EXPECT_EQ(S.task(3, true)->What, Task::Kind::Init);
  EXPECT_STREQ(S.task(3, true)->hook(), "c_init");
  EXPECT_EQ(S.task(4, false)->What, Task::Kind::ExtractOut);
  EXPECT_STREQ(S.task(4, false)->hook(), "c_extract_out");
  EXPECT_STREQ(S.task(1, false)->hook(), "c_extract");
  EXPECT_FALSE(S.task(3, false));
  EXPECT_FALSE(S.task(5, true));
  EXPECT_FALSE(S.task(0, false));
  EXPECT_FALSE(S.task(7, false));
}

/// Thousands of them are in a large graph, and looking takes time.
TEST_F(ModuleTest, WhatCanBreakNoRuleIsNotLookedAt) {
  const std::string Declare = "`Double.c_declare` for `t`",
                    Init = "`Double.c_init` for `t`";
  EXPECT_EQ(rulesOfTemporary("double %(name)s;", "%(name)s = 0.0;"), List{});
  EXPECT_EQ(rulesOfTemporary("long %(name)s;", ""), List{});
  // What `other` is, and what it may hide, only the compiler knows.
  for (const char *Text :
       {"other *%(name)s;", "double %(name)s, *p_%(name)s;",
        "typedef int t_%(name)s;\ndouble %(name)s;",
        "#include \"other.h\"\ndouble %(name)s;", "double %(name)s = 1.0;"})
    EXPECT_EQ(rulesOfTemporary(Text, "%(name)s = 0;"), (List{Declare, Init}))
        << Text;
  EXPECT_EQ(rulesOfTemporary("double %(name)s;", "%(name)s = other();"),
            (List{Declare, Init}));
  EXPECT_EQ(rulesOfTemporary("double %(name)s;", "%(name)s = 0; return;"),
            (List{Declare, Init}));
}

TEST(LongTexts, AreSplitIntoMoreFunctions) {
  auto T = std::make_shared<SeedDouble>();
  for (bool Long : {false, true}) {
    std::string Comment = "// " + std::string(Long ? 4000 : 4, '-') + "\n";
    auto Add =
        std::make_shared<SeedBinary>("Add", Comment + "%(z)s = %(x)s + %(y)s;");
    Graph G;
    Variable *X = G.addInput(T, "x"), *Last = X;
    for (int I = 0; I < 40; ++I)
      Last = (*G.apply(Add, {Last, X}, {T}))->outputs()[0];
    ASSERT_TRUE(G.setInterface({X}, {Last}));
    Expected<ThunkSource> S = assemble(G);
    ASSERT_TRUE(bool(S));
    bool IsSplit = S->Source.Text.find("clinch_ladder_2") != std::string::npos;
    EXPECT_EQ(IsSplit, Long);
  }
}
