// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same bits in each tier.

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

/// Values must not depend on the tier, and tiers may be for other processors.
TEST(Contract, OnlyAFlagOrAPragmaAsksForIt) {
  const std::string Text = "double f(double a, double b, double c)\n"
                           "{ return a * b + c; }";
  for (Tier Level : Tiers) {
    EXPECT_EQ(count(optimised(Level, Text, {}), "@llvm.fm"), 0u);
    EXPECT_EQ(count(optimised(Level, Text, {"-ffp-contract=on"}),
                    "call double @llvm.fma.f64("),
              1u);
    EXPECT_EQ(
        count(optimised(Level, "#pragma STDC FP_CONTRACT ON\n" + Text, {}),
              "call double @llvm.fma.f64("),
        1u);
    EXPECT_EQ(
        count(optimised(Level, "#pragma clang fp contract(fast)\n" + Text, {}),
              "call double @llvm.fma.f64("),
        1u);
  }
}

TEST(Contract, OnlyWhereTheProcessorCan) {
  for (Tier Level : Tiers)
    for (const char *Flag : {"-ffp-contract=on", "-ffp-contract=fast"}) {
      std::string IR = optimised(Level,
                                 "double f(double a, double b, double c)\n"
                                 "{ return a * b + c; }",
                                 {Flag, "-march=x86-64-v2"});
      EXPECT_EQ(count(IR, "call double @llvm.fm"), 0u) << IR;
      EXPECT_EQ(count(IR, " contract "), 0u) << IR;
    }
}

/// A sum of products in any order is made of vectors.
TEST(Contract, NotWhereTheAuthorAllowsMore) {
  std::string IR = optimised(Tier::Default,
                             "double f(long n, const double *x)\n"
                             "{ double s = 0;\n"
                             "  for (long i = 0; i < n; ++i)\n"
                             "    s += x[i] * x[i];\n  return s; }",
                             {"-ffast-math"});
  EXPECT_NE(IR.find("fmul fast <4 x double>"), IR.npos) << IR;
}

/// Arithmetic of halves has one meaning, whether the processor has it or not.
TEST(Contract, HalvesAreRoundedAfterEachOperation) {
  for (const char *CPU : {"x86-64-v3", "sapphirerapids"}) {
    std::string IR = optimised(Tier::Max,
                               "_Float16 f(_Float16 a, _Float16 b)\n"
                               "{ return a * b + a; }",
                               {std::string("-march=") + CPU});
    EXPECT_EQ(count(IR, "fmul half"), 1u) << IR;
    EXPECT_EQ(count(IR, "fadd half"), 1u) << IR;
  }
}

} // namespace
