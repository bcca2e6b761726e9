//===- AlignmentTest.cpp - Loops that store whole vectors -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What such loops compute is tested in test/Python/test_alignment.py.
//
//===----------------------------------------------------------------------===//

#include "EngineTesting.h"

#include <gtest/gtest.h>

using namespace clinch;
using namespace clinch::testing;

namespace {

struct Loop {
  const char *Body;
  const char *Type = "double", *CPU = "x86-64-v4";
  std::vector<std::string> Flags = {};
  Tier Level = Tier::Max;
};

std::string optimised(const Loop &L) {
  CompileOptions O;
  O.Level = L.Level;
  O.CPU = L.CPU;
  O.Flags = L.Flags;
  O.Keep = {Stage::LLVMOpt};
  std::string T = L.Type;
  Expected<EngineResult> R = compile(
      "#include <math.h>\n"
      "static " +
          T +
          " place[5000] __attribute__((aligned(64)));\n"
          "void fill(" +
          T +
          " v) { for (int i = 0; i < 5000; ++i) place[i] += v; }"
          "\nvoid f(int *c, long n, long sz, long sx,\n"
          "       " +
          T + " *z, " + T + " *w, const " + T + " *x) {\n" + L.Body + "\n}\n",
      O);
  EXPECT_TRUE(R) << R.error().render();
  if (!R)
    return "";
  const std::string &IR = R->Kept.at(0).second;
  size_t Start = IR.find("@f(");
  return Start == IR.npos ? ""
                          : IR.substr(Start, IR.find("\n}", Start) - Start);
}

bool has(const std::string &IR, const char *Part) {
  return IR.find(Part) != IR.npos;
}

TEST(Alignment, LoopsThatFillAnArrayStoreWholeVectors) {
  const Loop Loops[] = {
      {"for (long i = 0; i < n; ++i) z[i] = x[i] * 3;"},
      {"for (long i = 0; i < n; ++i) z[i] = x[i] * 3;", "float"},
      {"for (long i = 0; i < n; ++i) z[i] = x[i] * 3;", "int"},
      {"for (long i = 0; i < n; ++i) z[i] = x[i] * 3;", "double", "x86-64-v3"},
      {"for (long i = 0; i < n; ++i) z[i] = x[i] * 3;", "double", "znver5"},
      {"for (long i = 0; i < n; ++i) z[i] = x[i] * 3;",
       "double",
       "x86-64-v4",
       {},
       Tier::Default},
      {"for (int i = 0; i < (int)n; ++i)\n"
       "  z[i * (int)(sz / 8)] = x[i * (int)(sx / 8)] * 3;"},
      {"while (n-- > 0) *z++ = *x++ + 1;"},
      {"for (long i = 0; i < n; ++i) z[i] = z[i] * x[i] + 1;"},
      {"for (long j = 0; j < sx; ++j)\n"
       "  for (long i = 0; i < n; ++i) z[j * sz + i] = x[i];"},
  };
  for (const Loop &L : Loops) {
    std::string IR = optimised(L);
    EXPECT_TRUE(has(IR, "align.first:")) << IR;
    EXPECT_TRUE(has(IR, "align.rest:")) << IR;
  }
}

TEST(Alignment, OtherLoopsAreLeftAlone) {
  const Loop Loops[] = {
      // Vectors that lie whole as it is.
      {"for (long i = 0; i < n; ++i) z[i] = x[i] * 3;", "double", "x86-64"},
      // More than one place to store to.
      {"for (long i = 0; i < n; ++i) { z[i] = x[i] * 3; w[i] = x[i]; }"},
      // More to compute than to move.
      {"for (long i = 0; i < n; ++i) z[i] = exp(x[i]);"},
      {"for (long i = 0; i < n; ++i) z[i] = 1 / x[i];"},
      // Something is carried from turn to turn, or out of the loop.
      {"for (long i = 0; i < n; ++i) z[i] = x[i] + i;"},
      {"long s = 0; for (long i = 0; i < n; ++i) s += z[i] = x[i]; *c = s;",
       "long"},
      // Too small, too short, too long.
      {"for (long i = 0; i < n; ++i) z[i] = x[i] * 3;", "short"},
      {"for (long i = 0; i < 2000; ++i) z[i] = x[i] * 3;"},
      {"for (long i = 0; i < 600000; ++i) z[i] = x[i] * 3;"},
  };
  for (const Loop &L : Loops) {
    std::string IR = optimised(L);
    EXPECT_TRUE(has(IR, "vector.body")) << IR;
    EXPECT_FALSE(has(IR, "align.first")) << IR;
  }
}

TEST(Alignment, NoLoadRestsOnWhereTheLoopBegan) {
  std::string IR =
      optimised({"for (long i = 0; i < n; ++i) z[i] = place[i] * 3;"});
  size_t Start = IR.find("vector.body:");
  ASSERT_NE(Start, IR.npos) << IR;
  std::string Body = IR.substr(Start, IR.find("\n\n", Start) - Start);
  EXPECT_TRUE(has(IR, "align.first:")) << IR;
  EXPECT_TRUE(has(Body, "load <4 x double>, ptr")) << Body;
  EXPECT_TRUE(has(Body, ", align 1")) << Body;
  EXPECT_FALSE(has(Body, ", align 32")) << Body;
  EXPECT_FALSE(has(Body, ", align 64")) << Body;
}

} // namespace
