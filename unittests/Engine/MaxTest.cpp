//===- MaxTest.cpp - Vector mathematics -------------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineTesting.h"
#include "lib/Contract/PythonPrefix.h"

#include <gtest/gtest.h>

using namespace clinch;
using namespace clinch::testing;

namespace {

std::string optimised(const std::string &Text, CompileOptions O) {
  O.Keep = {Stage::LLVMOpt};
  Expected<EngineResult> R = compile(Text, O);
  EXPECT_TRUE(R) << R.error().render();
  return R ? R->Kept.at(0).second : "";
}

std::string loop(const char *Type, const char *Function, bool Two) {
  std::string T = Type, F = Function;
  return "#include <math.h>\nvoid f(long n, " + T + " *__restrict o, const " +
         T + " *x) {\n  for (long i = 0; i < n; ++i) o[i] = " + F +
         (Two ? "(x[i], x[i + 1])" : "(x[i])") + ";\n}\n";
}

TEST(Max, LoopsCallTheWidestFunctionOfTheMachine) {
  struct {
    const char *CPU, *Type, *Function, *Vector;
    bool Two;
  } Cases[] = {
      {"x86-64", "double", "exp", "@_ZGVbN2v_exp(", false},
      {"x86-64", "float", "sinf", "@_ZGVbN4v_sinf(", false},
      {"x86-64-v3", "double", "sin", "@_ZGVdN4v_sin(", false},
      {"x86-64-v3", "float", "tanhf", "@_ZGVdN8v_tanhf(", false},
      {"x86-64-v3", "float", "powf", "@_ZGVdN8vv_powf(", true},
      {"sandybridge", "double", "log1p", "@_ZGVcN4v_log1p(", false},
  };
  for (const char *Prefix : {"", PythonPrefix})
    for (Language Lang : {Language::C, Language::CXX})
      for (auto &C : Cases) {
        CompileOptions O;
        O.Lang = Lang;
        O.Level = Tier::Max;
        O.CPU = C.CPU;
        O.Prefix = Prefix;
        std::string IR = optimised(loop(C.Type, C.Function, C.Two), O);
        EXPECT_NE(IR.find(C.Vector), IR.npos) << C.Vector << "\n" << IR;
      }
}

/// Our functions are marked for vectors of 256 bits, so an argument of 512
/// would lie in two registers, of which such a function reads but one.
TEST(Max, NoFunctionTakesVectorsOf512Bits) {
  for (const char *CPU : {"x86-64-v4", "skylake-avx512", "cascadelake",
                          "sapphirerapids", "znver4", "znver5"})
    for (std::vector<std::string> Flags :
         {std::vector<std::string>{}, {"-mprefer-vector-width=512"}}) {
      CompileOptions O;
      O.Level = Tier::Max;
      O.CPU = CPU;
      O.Flags = Flags;
      std::string IR = optimised("#include <math.h>\n"
                                 "void f(long n, double *o, const int *x) {\n"
                                 "  for (long i = 0; i < n; ++i)\n"
                                 "    o[i] = log((double)x[i]);\n}\n",
                                 O);
      EXPECT_NE(IR.find("@_ZGVdN4v_log("), IR.npos) << CPU << IR;
      EXPECT_EQ(IR.find("@_ZGVe"), IR.npos) << CPU << IR;
    }
}

TEST(Max, VectorsThatOnlyMoveDataAreNotTheWidest) {
  struct {
    const char *Value, *Vector;
    std::vector<std::string> Flags;
  } Cases[] = {
      {"x[i] * y[i]", "fmul <4 x double>", {}},
      {"x[i] * y[i]", "fmul <8 x double>", {"-mprefer-vector-width=512"}},
      {"x[i] / y[i]", "fdiv <8 x double>", {}}};
  for (auto &C : Cases) {
    CompileOptions O;
    O.Level = Tier::Max;
    O.CPU = "znver5";
    O.Flags = C.Flags;
    std::string IR =
        optimised(std::string("#include <math.h>\n"
                              "void f(long n, double *restrict o,\n"
                              "       const double *x, const double *y) {\n"
                              "  for (long i = 0; i < n; ++i) o[i] = ") +
                      C.Value + ";\n}\n",
                  O);
    EXPECT_NE(IR.find(C.Vector), IR.npos) << IR;
  }
}

TEST(Max, OnlyMaxDoesSo) {
  CompileOptions O;
  O.CPU = "x86-64-v3";
  for (const char *Function : {"sin", "tanh"}) {
    O.Level = Tier::Default;
    O.Flags = {};
    EXPECT_EQ(
        optimised(loop("double", Function, false), O).find("<4 x double>"),
        std::string::npos);
    O.Level = Tier::Max;
    O.Flags = {"-fmath-errno"};
    EXPECT_EQ(
        optimised(loop("double", Function, false), O).find("<4 x double>"),
        std::string::npos);
  }
}

} // namespace
