//===- SharingTest.cpp - Texts that many thunks have in common -----------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SeedTypes.h"
#include "clinch/Assembler/Rungs.h"

#include <gtest/gtest.h>

using namespace clinch;

namespace {

/// Says \p More in its c_extract.
class Saying : public SeedDouble {
public:
  explicit Saying(std::string More = "") : More(std::move(More)) {}
  Text c_cleanup(const VariableArgs &) const override {
    return HookText("%(name)s = 0;");
  }
  Text c_extract(const VariableArgs &A) const override {
    Expected<HookText> Text = SeedDouble::c_extract(A);
    Text->Text += More;
    return Text;
  }

private:
  std::string More;
};

/// Declares what is no number.
class Declaring : public Saying {
public:
  Text c_declare(const VariableArgs &) const override {
    return HookText("std::vector<double> %(name)s_all; double %(name)s;");
  }
};

/// Declares a pointer.
class Pointing : public Saying {
public:
  Text c_declare(const VariableArgs &) const override {
    return HookText("double *%(name)s;");
  }
  Text c_extract_out(const VariableArgs &) const override {
    return HookText("%(name)s = 0;");
  }
};

Graph makeSum(const std::shared_ptr<Type> &T, size_t Applies = 1) {
  Graph G;
  Variable *X = G.addInput(T, "x"), *Y = G.addInput(T, "y"), *Sum = X;
  auto Add = std::make_shared<SeedBinary>("Add", "%(z)s = %(x)s + %(y)s;");
  for (size_t I = 0; I < Applies; ++I)
    Sum = (*G.apply(Add, {Sum, Y}, {T}))->outputs()[0];
  EXPECT_TRUE(G.setInterface({X, Y}, {Sum}).ok());
  return G;
}

ThunkSource assembled(const Graph &G, Language Lang = Language::CXX) {
  AssembleOptions O;
  O.Lang = Lang;
  O.Short = true;
  Expected<ThunkSource> S = assemble(G, O);
  EXPECT_TRUE(bool(S)) << (S ? "" : S.error().message());
  return S ? std::move(*S) : ThunkSource();
}

size_t count(const std::string &Text, const std::string &What) {
  size_t Result = 0;
  for (size_t At = Text.find(What); At != Text.npos;
       At = Text.find(What, At + 1))
    ++Result;
  return Result;
}

} // namespace

TEST(Sharing, VariablesOfOneTypeCallOneFunction) {
  ThunkSource S = assembled(makeSum(std::make_shared<Saying>()));
  ASSERT_TRUE(S.Short);
  EXPECT_EQ(count(S.Source.Text, "not a float"), 3u); // The output's, too.
  const std::string &Text = S.Short->Source.Text;
  EXPECT_EQ(count(Text, "not a float"), 1u); // It has two lines' names.
  // What all need; inputs.
  ASSERT_EQ(S.Short->Apart.size(), 2u);
  const SharedText &Input = S.Short->Apart[1];
  EXPECT_EQ(count(Input.Source.Text, "not a float"), 1u);
  ASSERT_EQ(Input.Symbols.size(), 2u);
  EXPECT_EQ(Input.Symbols[0].substr(0, 12), "clinch_open_");
  // A prototype, `x` and `y`.
  EXPECT_EQ(count(Text, Input.Symbols[0] + "("), 3u);
  EXPECT_EQ(count(Text, Input.Symbols[0] + "(&storage_V1, &py_V1, &V1, "
                                           "\"`x`\")) {failure = 1; "
                                           "goto label_1;}"),
            1u);
  EXPECT_EQ(count(Text, Input.Symbols[1] + "(&storage_V2, &py_V2, failure, "
                                           "&V2, \"`y`\");"),
            1u);
}

TEST(Sharing, TheWholeTextIsAsWithout) {
  Graph G = makeSum(std::make_shared<Saying>());
  AssembleOptions O;
  O.Lang = Language::CXX;
  Expected<ThunkSource> Without = assemble(G, O);
  ASSERT_TRUE(bool(Without));
  ThunkSource With = assembled(G);
  EXPECT_EQ(With.Source.Text, Without->Source.Text);
  EXPECT_EQ(With.Key, Without->Key);
  EXPECT_FALSE(Without->Short);
}

TEST(Sharing, CommentsMayNameTheVariable) {
  ThunkSource S = assembled(makeSum(
      std::make_shared<Saying>("// of %(name)s\n/* and %(name)s */\n")));
  EXPECT_EQ(S.Short->Apart.size(), 2u);
}

TEST(Sharing, NamesThatContainTheVariablesAreRenamed) {
  ThunkSource S = assembled(makeSum(std::make_shared<Saying>(
      "double %(name)s_twice = 2 * %(name)s; (void)%(name)s_twice;\n")));
  ASSERT_EQ(S.Short->Apart.size(), 2u);
  const std::string &Text = S.Short->Apart[1].Source.Text;
  EXPECT_EQ(count(Text, "double Vx0_twice = 2 * Vx0; (void)Vx0_twice;"), 1u);
  EXPECT_EQ(count(Text, "V1"), 0u);
}

/// The texts of a graph this large are not remembered, and all its names are
/// longer. What its inputs share is the same.
TEST(Sharing, TextsAreTheSameNewOrRemembered) {
  auto InputOf = [](const ThunkSource &S) {
    for (const SharedText &T : S.Short->Apart)
      if (count(T.Source.Text, "double Vx0_more = 2;"))
        return T.Source.Text;
    return std::string();
  };
  std::string More = "double %(name)s_more = 2; (void)%(name)s_more;\n"
                     "printf(\"A text that no other test has\");\n";
  for (const char *Place : {"", "static int Times;\n", "// %(name)s\n"}) {
    auto T = std::make_shared<Saying>(More + Place);
    ThunkSource First = assembled(makeSum(T)), Again = assembled(makeSum(T)),
                Large = assembled(makeSum(T, 80));
    EXPECT_EQ(Again.Source.Text, First.Source.Text);
    EXPECT_EQ(Again.Short->Source.Text, First.Short->Source.Text);
    EXPECT_EQ(InputOf(First).empty(), Place[0] == 's') << Place;
    EXPECT_EQ(InputOf(Again), InputOf(First));
    EXPECT_EQ(InputOf(Large), InputOf(First));
  }
}

TEST(Sharing, WhatDependsOnItsPlaceStaysThere) {
  for (const char *More :
       {"static int Times; ++Times;", "printf(\"%(name)s\");",
        "printf(\"%%d\", __LINE__);", "puts(__func__);",
        "if (failure) puts(\"\");", "puts(\"label_1\");",
        "if (0) goto label_%(id)s;", "(void)clinch_cells;",
        "\n#define SHOW \"%(name)s\"\n#undef SHOW\n", "(void)this;"}) {
    ThunkSource S =
        assembled(makeSum(std::make_shared<Saying>(std::string(More) + "\n")));
    ASSERT_TRUE(S.Short) << More;
    EXPECT_EQ(S.Short->Apart.size(), 1u) << More;
    EXPECT_EQ(S.Short->Source.Text.find("clinch_open_"), std::string::npos)
        << More;
  }
}

TEST(Sharing, ObjectsStayInPlace) {
  ThunkSource S = assembled(makeSum(std::make_shared<Declaring>()));
  ASSERT_TRUE(S.Short);
  EXPECT_EQ(S.Short->Apart.size(), 1u);
}

TEST(Sharing, WhereAllIsPointersThereIsNoText) {
  ThunkSource S = assembled(makeSum(std::make_shared<Pointing>()));
  ASSERT_TRUE(S.Short && S.Short->Ladder);
  EXPECT_EQ(S.Short->Source.Text, "");
  const Rungs &R = *S.Short->Ladder;
  EXPECT_EQ(R.Init.size(), 0u);
  ASSERT_EQ(R.Run.size(), 4u); // x, y, their sum, Add.
  const std::vector<SharedText> &Apart = S.Short->Apart;
  ASSERT_EQ(Apart.size(), 4u); // What all need, inputs, outputs, Add.
  EXPECT_EQ(R.Run[0].Open, Apart[1].Symbols[0]);
  EXPECT_EQ(R.Run[1].Open, R.Run[0].Open);
  EXPECT_EQ(R.Run[1].Close, Apart[1].Symbols[1]);
  EXPECT_EQ(R.Run[1].Subject, "`y`");
  EXPECT_EQ(R.Run[1].Cell, 1u);
  EXPECT_FALSE(R.Run[1].IsOutput);
  EXPECT_EQ(R.Run[2].Open, Apart[2].Symbols[0]);
  EXPECT_TRUE(R.Run[2].IsOutput);
  EXPECT_EQ(R.Run[3].Open, Apart[3].Symbols[0]);
  EXPECT_EQ(R.Run[3].Close, "");
  EXPECT_EQ(R.Run[3].Values,
            (std::vector<unsigned>{R.Run[0].Values[0], R.Run[1].Values[0],
                                   R.Run[2].Values[0]}));
  EXPECT_EQ(R.StateWords, 1u);
}

TEST(Sharing, ThereIsNoShortTextInC) {
  ThunkSource S = assembled(makeSum(std::make_shared<Saying>()), Language::C);
  EXPECT_FALSE(S.Short);
}
