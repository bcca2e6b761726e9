//===- MaxTest.cpp - Vector mathematics -------------------------*- C++ -*-===//
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
      {"x86-64-v3", "double", "tanh", "@_ZGVdN4v_tanh(", false},
      {"x86-64-v3", "float", "powf", "@_ZGVdN8vv_powf(", true},
      {"sandybridge", "double", "log1p", "@_ZGVcN4v_log1p(", false},
  };
  for (Prefix Headers : {Prefix::None, Prefix::Python})
    for (Language Lang : {Language::C, Language::CXX})
      for (auto &C : Cases) {
        CompileOptions O;
        O.Lang = Lang;
        O.Level = Tier::Max;
        O.CPU = C.CPU;
        O.Headers = Headers;
        std::string IR = optimised(loop(C.Type, C.Function, C.Two), O);
        EXPECT_NE(IR.find(C.Vector), IR.npos) << C.Vector << "\n" << IR;
      }
}

TEST(Max, WidestVectorsWhenTheyArePreferred) {
  CompileOptions O;
  O.Level = Tier::Max;
  O.CPU = "x86-64-v4";
  O.Flags = {"-mprefer-vector-width=512"};
  std::string IR = optimised(loop("double", "tanh", false), O);
  EXPECT_NE(IR.find("@_ZGVeN8v_tanh("), IR.npos) << IR;
}

TEST(Max, OnlyMaxDoesSo) {
  CompileOptions O;
  O.CPU = "x86-64-v3";
  EXPECT_EQ(optimised(loop("double", "tanh", false), O).find("_ZGV"),
            std::string::npos);
  O.Level = Tier::Max;
  O.Flags = {"-fmath-errno"};
  EXPECT_EQ(optimised(loop("double", "tanh", false), O).find("_ZGV"),
            std::string::npos);
}

} // namespace
