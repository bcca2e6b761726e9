//===- SightTest.cpp - Which texts may use which --------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SeedTypes.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace clinch;

namespace {

using List = std::vector<std::string>;

class SupportedType : public SeedDouble {
public:
  SupportedType(std::string Class, List Support)
      : Class(std::move(Class)), Support(std::move(Support)) {}
  std::string className() const override { return Class; }
  Strings c_support_code() const override { return Support; }

private:
  std::string Class;
  List Support;
};

class SupportedOp : public SeedBinary {
public:
  SupportedOp(std::string Class, List Support)
      : SeedBinary(std::move(Class), "%(z)s = %(x)s;"),
        Support(std::move(Support)) {}
  Strings c_support_code() const override { return Support; }
  Text c_support_code_apply(const Apply &, const std::string &) const override {
    return HookText("int apply_%(name)s;");
  }
  Text c_support_code_struct(const Apply &,
                             const std::string &) const override {
    return HookText("int member_%(name)s;");
  }

private:
  List Support;
};

/// The texts that those regions see whose name begins with \p Name; each is
/// called by its first line.
List seenBy(const ThunkSource &S, const std::string &Name) {
  auto Line = [&](const Region &R) {
    return S.Source.Text.substr(R.Begin,
                                S.Source.Text.find('\n', R.Begin) - R.Begin);
  };
  List All;
  for (const Region &R : S.Options.Regions) {
    if (R.Name.substr(0, Name.size()) != Name)
      continue;
    std::string Seen;
    for (unsigned Number : R.Sees)
      for (const Region &Of : S.Options.Regions)
        if (Of.Support == Number)
          Seen += (Seen.empty() ? "" : " ") + Line(Of);
    All.push_back(Seen);
  }
  All.erase(std::unique(All.begin(), All.end()), All.end());
  return All;
}

} // namespace

TEST(VisibleTexts, ATextSeesItsOwnAndAnOpTheTypesAroundIt) {
  Graph G;
  auto In = std::make_shared<SupportedType>("In", List{"int in;"});
  auto Mid = std::make_shared<SupportedType>("Mid", List{"int mid;"});
  auto First = std::make_shared<SupportedOp>("First", List{"int first;"});
  auto Last = std::make_shared<SupportedOp>("Last", List{"int last;"});
  Variable *X = G.addInput(In, "x");
  Variable *Y = (*G.apply(First, {X, X}, {Mid}))->outputs()[0];
  Variable *Z = (*G.apply(Last, {Y, Y}, {Mid}))->outputs()[0];
  ASSERT_TRUE(G.setInterface({X}, {Z}));
  for (Form F : {Form::Function, Form::Struct})
    for (Language L : {Language::C, Language::CXX}) {
      AssembleOptions O;
      O.Shape = F;
      O.Lang = L;
      Expected<ThunkSource> S = assemble(G, O);
      ASSERT_TRUE(bool(S));
      EXPECT_EQ(seenBy(*S, "`In."), List{"int in;"});
      EXPECT_EQ(seenBy(*S, "`Mid."), List{"int mid;"});
      EXPECT_EQ(seenBy(*S, "`First."),
                List{"int apply_node_4; int member_node_4; int in; int mid; "
                     "int first;"});
      EXPECT_EQ(
          seenBy(*S, "`Last."),
          List{"int apply_node_5; int member_node_5; int mid; int last;"});
    }
}

TEST(VisibleTexts, ATextOfSeveralSeesWhatEachMay) {
  Graph G;
  auto T = std::make_shared<SupportedType>("T", List{"int t;"});
  auto First =
      std::make_shared<SupportedOp>("First", List{"int first;", "int both;"});
  auto Last =
      std::make_shared<SupportedOp>("Last", List{"int last;", "int both;"});
  Variable *X = G.addInput(T, "x");
  Variable *Y = (*G.apply(First, {X, X}, {T}))->outputs()[0];
  Variable *Z = (*G.apply(Last, {Y, Y}, {T}))->outputs()[0];
  ASSERT_TRUE(G.setInterface({X}, {Z}));
  Expected<ThunkSource> S = assemble(G, {});
  ASSERT_TRUE(bool(S));
  List Seen = seenBy(*S, "`First.c_support_code`");
  ASSERT_EQ(Seen.size(), 2u);
  EXPECT_EQ(Seen[1], "int t; int both;"); // "int both;" stands once.
  EXPECT_EQ(seenBy(*S, "`Last.c_support_code`").size(), 1u);
}
