//===- ContractTest.cpp - The same bits in each tier ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineTesting.h"

#include <gtest/gtest.h>

using namespace clinch;
using namespace clinch::testing;

namespace {

constexpr Tier Tiers[] = {Tier::Fast, Tier::Default, Tier::Max};

std::string optimised(Tier Level, const std::string &Text,
                      std::vector<std::string> Flags) {
  CompileOptions O;
  O.Level = Level;
  O.CPU = "x86-64-v3";
  O.Flags = std::move(Flags);
  O.Keep = {Stage::LLVMOpt};
  Expected<EngineResult> R = compile(Text, O);
  EXPECT_TRUE(R) << R.error().render();
  return R ? R->Kept.at(0).second : "";
}

size_t count(const std::string &Text, const std::string &Part) {
  size_t N = 0;
  for (size_t At = Text.find(Part); At != Text.npos;
       At = Text.find(Part, At + 1))
    ++N;
  return N;
}

/// How many fused operations each tier makes of the body of a function.
void expectFused(size_t Wanted, const std::string &Body) {
  std::string Text =
      "double f(double a, double b, double c, double d) {" + Body + "}";
  for (Tier Level : Tiers) {
    std::string IR = optimised(Level, Text, {"-ffp-contract=fast"});
    EXPECT_EQ(count(IR, "call double @llvm.fma.f64("), Wanted) << IR;
    EXPECT_EQ(count(IR, " contract "), 0u) << IR; // Nobody does it again.
  }
}

TEST(Contract, AProductAndItsSumAreOne) {
  expectFused(1, "return a * b + c;");
  expectFused(1, "return c + a * b;");
  expectFused(1, "return a * b - c;");
  expectFused(1, "return c - a * b;");
  expectFused(1, "return c + -(a * b);");
  expectFused(1, "double p = a * b; double s = p + c; return s;");
}

TEST(Contract, OfTwoProductsTheFirst) {
  expectFused(1, "return a * b + c * d;");
}

TEST(Contract, AllUsesOrNone) {
  expectFused(2, "double p = a * b; return (p + c) / (p - d);");
  expectFused(0, "double p = a * b; return (p + c) / p;");
  expectFused(0, "double p = a * b; return p + p;");
  expectFused(0, "double p = a * b; return -p - -p;");
}

TEST(Contract, OnlyInItsBlock) {
  expectFused(0, "double p = a * b; void g(void);"
                 "if (c > d) { g(); return p + c; } return d;");
}

TEST(Contract, NotUnlessItIsAllowed) {
  for (Tier Level : Tiers) {
    std::string Text = "double f(double a, double b, double c)\n"
                       "{ double p = a * b; return p + c; }";
    for (const char *Flag : {"-ffp-contract=on", "-ffp-contract=off"})
      EXPECT_EQ(count(optimised(Level, Text, {Flag}), "@llvm.fm"), 0u);
  }
}

const std::string Straight = "#include <math.h>\n"
                             "double f(double a) { return FUNCTION(a); }";

std::string straight(const std::string &Function) {
  std::string Text = Straight;
  return Text.replace(Text.find("FUNCTION"), 8, Function);
}

TEST(Contract, SingleNumbersAreComputedAsVectorsAre) {
  for (const char *Function : {"exp", "tanh"})
    for (Tier Level : Tiers) {
      std::string IR =
          optimised(Level, straight(Function), {"-fveclib=libmvec"});
      EXPECT_EQ(count(IR, "define internal double @clinch.scalar."), 1u) << IR;
      EXPECT_EQ(count(IR, "clinch_other_bits"), 0u) << IR;
    }
  for (Tier Level : {Tier::Fast, Tier::Default})
    EXPECT_EQ(count(optimised(Level, straight("tanh"), {}), "clinch.scalar"),
              0u);
}

TEST(Contract, AQuickTierSaysWhereVectorsWouldDiffer) {
  std::vector<std::string> Flags = {"-fveclib=libmvec"};
  EXPECT_EQ(count(optimised(Tier::Fast, straight("log"), Flags),
                  "@clinch_other_bits = constant i8 1"),
            1u);
  EXPECT_EQ(
      count(optimised(Tier::Fast, straight("log"), {}), "clinch_other_bits"),
      0u);
  EXPECT_EQ(
      count(optimised(Tier::Max, straight("log"), Flags), "clinch_other_bits"),
      0u);
  EXPECT_EQ(count(optimised(Tier::Fast, straight("sqrt"), Flags),
                  "clinch_other_bits"),
            0u);
}

} // namespace
