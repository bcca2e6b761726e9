//===- VectorMathTest.cpp - Which functions code calls --------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineTesting.h"

#include <gtest/gtest.h>
#include <regex>
#include <set>

using namespace clinch;
using namespace clinch::testing;

namespace {

constexpr Tier Tiers[] = {Tier::Fast, Tier::Default, Tier::Max};
using Names = std::set<std::string>;

CompileOptions options(Tier Level, const char *CPU = "x86-64-v3") {
  CompileOptions O;
  O.Level = Level;
  O.CPU = CPU;
  O.Flags = {"-fveclib=libmvec", "-D_GNU_SOURCE"};
  return O;
}

std::string optimised(const std::string &Text, CompileOptions O) {
  O.Keep = {Stage::LLVMOpt};
  Expected<EngineResult> R = compile(Text, O);
  EXPECT_TRUE(R) << R.error().render();
  return R ? R->Kept.at(0).second : "";
}

/// What the code of a text calls by name, without LLVM's own intrinsics.
Names called(const std::string &IR) {
  static const std::regex Call("call [^\n]*?@([\\w.]+)\\(");
  Names Result;
  for (std::sregex_iterator I(IR.begin(), IR.end(), Call), End; I != End; ++I)
    if ((*I)[1].str().rfind("llvm.", 0) != 0)
      Result.insert((*I)[1]);
  return Result;
}

constexpr const char *Header = "#include <math.h>\n";

Names calledBy(const std::string &Body, const CompileOptions &O) {
  return called(optimised(Header + Body, O));
}

/// Expects the same calls in every tier.
void expectCalls(const Names &Expected, const std::string &Body) {
  for (Tier Level : Tiers)
    EXPECT_EQ(calledBy(Body, options(Level)), Expected) << Body;
}

TEST(VectorMath, OneNumberIsComputedByTheVectorFunction) {
  expectCalls({"_ZGVdN4v_exp"}, "double f(double x) { return exp(x); }");
  expectCalls({"_ZGVdN8v_expf"}, "float f(float x) { return expf(x); }");
  expectCalls({"_ZGVdN4vv_pow"},
              "double f(double x, double y) { return pow(x, y); }");
  expectCalls({"_ZGVdN4v_exp10"}, "double f(double x) { return exp10(x); }");
  expectCalls({"_ZGVdN4v_log"},
              "double f(double x) { return __builtin_log(x); }");
}

TEST(VectorMath, ItsWidthIsThatOfTheProcessor) {
  struct {
    const char *CPU, *Function;
  } Cases[] = {{"x86-64", "_ZGVbN2v_sin"},         {"nehalem", "_ZGVbN2v_sin"},
               {"sandybridge", "_ZGVcN4v_sin"},    {"haswell", "_ZGVdN4v_sin"},
               {"skylake-avx512", "_ZGVdN4v_sin"}, {"znver5", "_ZGVdN4v_sin"}};
  const char *Texts[] = {
      "double f(double x) { return sin(x); }",
      "void f(long n, double *restrict o, const double *x)"
      "{ for (long i = 0; i < n; ++i) o[i] = sin(x[i]); }",
      "void f(long n, double *restrict o, const short *x)"
      "{ for (long i = 0; i < n; ++i) if (x[i] > 3) o[i] = sin(x[i]); }"};
  for (auto &C : Cases)
    for (const char *Text : Texts)
      for (Tier Level : Tiers)
        EXPECT_EQ(calledBy(Text, options(Level, C.CPU)), Names{C.Function})
            << C.CPU << "\n"
            << Text;
}

TEST(VectorMath, LoopsHaveVectors) {
  std::string IR = optimised("#include <math.h>\n"
                             "void f(long n, double *restrict o,\n"
                             "       const double *x, const float *y) {\n"
                             "  for (long i = 0; i < n; ++i)\n"
                             "    o[i] = x[i] > 0 ? log(x[i]) : tanf(y[i]);\n"
                             "}",
                             options(Tier::Max));
  EXPECT_NE(IR.find("load <8 x double>"), IR.npos) << IR;
  EXPECT_EQ(called(IR), (Names{"_ZGVdN4v_log", "_ZGVdN8v_tanf"}));
}

TEST(VectorMath, StraightCodeHasThemToo) {
  std::string IR = optimised("#include <math.h>\n"
                             "void f(double *restrict o, const double *x) {\n"
                             "  o[0] = tanh(x[0]); o[1] = tanh(x[1]);\n"
                             "  o[2] = tanh(x[2]); o[3] = tanh(x[3]);\n}\n",
                             options(Tier::Max));
  EXPECT_NE(IR.find("store <4 x double>"), IR.npos) << IR;
}

/// Expects that no tier calls a vector function.
void expectNone(const std::string &Text, std::vector<std::string> Flags = {}) {
  for (Tier Level : Tiers) {
    CompileOptions O = options(Level);
    O.Flags.insert(O.Flags.end(), Flags.begin(), Flags.end());
    for (const std::string &Name : called(optimised(Text, O)))
      EXPECT_NE(Name.rfind("_ZGV", 0), 0u) << Name << " in\n" << Text;
  }
}

TEST(VectorMath, WhatIsNotOneOfThemIsLeftAlone) {
  const std::string Use = "double f(double x) { return exp(x); }", H = Header;
  expectNone("static double exp(double x) { return x + 1; }" + Use);
  expectNone("double exp(double x) { return x + 1; }" + Use);
  expectNone("int exp(int); int f(int x) { return exp(x); }");
  expectNone(H +
             "static double call(double (*p)(double), double x)"
             "{ return p(x); } double f(double x) { return call(exp, x); }");
  expectNone(H + "long double f(long double x) { return expl(x); }");
  expectNone("#include <complex.h>\n"
             "double _Complex f(double _Complex x) { return cexp(x); }");
  expectNone(H + Use, {"-fno-builtin"});
  expectNone(H + "double f(double x) { return log1p(x); }",
             {"-fno-builtin-log1p"});
  expectNone(H + Use, {"-fmath-errno"});
  expectNone(H + Use, {"-fveclib=none"});
  expectNone(H + "#pragma STDC FENV_ACCESS ON\n" + Use);
}

TEST(VectorMath, OverloadsOfCXXAreThem) {
  for (Tier Level : Tiers) {
    CompileOptions O = options(Level);
    O.Lang = Language::CXX;
    Names Found = called(optimised(
        "#include <cmath>\n"
        "extern \"C\" double f(double x, float y, long double z, int k)\n"
        "{ return std::exp(x) + std::log(y) + std::sin(z) + std::cos(k); }",
        O));
    for (const char *Name : {"_ZGVdN4v_exp", "_ZGVdN8v_logf", "_ZGVdN4v_cos"})
      EXPECT_TRUE(Found.count(Name)) << Name;
    EXPECT_FALSE(Found.count("_ZGVdN4v_sin"));
  }
}

/// A vector in two registers is not what the function reads.
TEST(VectorMath, AFunctionForAnotherProcessorCallsAHelper) {
  const std::string Text =
      "__attribute__((target(\"no-avx\"))) void f(long n, double *o)"
      "{ for (long i = 0; i < n; ++i) o[i] = erf(o[i]); }";
  for (Tier Level : Tiers) {
    std::string IR = optimised("#include <math.h>\n" + Text, options(Level));
    EXPECT_EQ(called(IR), (Names{"clinch.scalar.erf", "_ZGVdN4v_erf"})) << IR;
    EXPECT_EQ(IR.find("call <4 x double>"), IR.rfind("call <4 x double>"));
  }
}

TEST(VectorMath, VectorsOfTheAuthorAreCutToFit) {
  const std::string Type = "typedef double V __attribute__((vector_size(";
  for (const char *Size : {"16", "32", "64"})
    for (Tier Level : Tiers)
      EXPECT_EQ(calledBy(Type + Size +
                             "))); void f(V *x)"
                             "{ *x = __builtin_elementwise_exp(*x);}",
                         options(Level)),
                Names{"_ZGVdN4v_exp"});
}

/// LLVM computes `expf(1)` as a double, and takes `pow(2, x)` for `exp2(x)`.
TEST(VectorMath, NoTierRewritesWhatAnotherCalls) {
  const std::string Text = "#include <math.h>\n"
                           "static float one(void) { return 1; }\n"
                           "float f(void) { return expf(one()); }\n"
                           "double g(double x) { return pow(2, x); }\n"
                           "double h(double x) { return pow(x, 0.5); }\n"
                           "double k(double x) { return pow(x, 2); }\n";
  for (std::vector<std::string> Flags :
       {std::vector<std::string>{}, {"-fno-math-errno"}})
    for (Tier Level : {Tier::Fast, Tier::Default}) {
      CompileOptions O;
      O.Level = Level;
      O.Flags = Flags;
      std::string IR = optimised(Text, O);
      Names Found = called(IR);
      Found.erase("one");
      EXPECT_EQ(Found, (Names{"expf", "pow"})) << IR;
      EXPECT_NE(IR.find("fmul double"), IR.npos) << IR; // k() calls nothing.
    }
}

TEST(VectorMath, WithoutTheFlagOnlyMaxHasIt) {
  const std::string Body = "double f(double x) { return tanh(x); }";
  for (Tier Level : Tiers) {
    CompileOptions O = options(Level);
    O.Flags.clear();
    EXPECT_EQ(calledBy(Body, O),
              Names{Level == Tier::Max ? "_ZGVdN4v_tanh" : "tanh"});
  }
}

} // namespace
