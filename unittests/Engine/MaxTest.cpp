// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How wide vectors are.

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

/// Six in vectors of four, on whatever machine this runs.
TEST(Max, LastVectorsOfShortLoopsAreNotMasked) {
  for (const char *CPU : {"x86-64-v3", "znver3", "x86-64-v4"})
    for (Tier Level : {Tier::Default, Tier::Max}) {
      CompileOptions O;
      O.CPU = CPU;
      O.Level = Level;
      std::string IR =
          optimised("void f(double *restrict a, const double *x) {\n"
                    "  for (int j = 0; j < 6; ++j)\n"
                    "    for (int i = 0; i < 6; ++i)\n"
                    "      a[6 * i + j] += x[i] * x[6 + j];\n"
                    "}\n",
                    O);
      EXPECT_NE(IR.find(" x double> "), IR.npos) << IR;
      EXPECT_EQ(IR.find("llvm.masked.store"), IR.npos) << IR;
    }
}

/// Two products are a vector, unless the next iteration waits for them.
TEST(Max, ValuesOfIterationsThatWaitAreNotPutIntoVectors) {
  CompileOptions O;
  O.Level = Tier::Max;
  O.CPU = "x86-64-v4";
  const std::string Straight =
      optimised("void f(double *restrict z, const double *x) {\n"
                "  z[0] = x[0] * 3 + 1;\n"
                "  z[1] = x[1] * 3 + 1;\n"
                "}\n",
                O);
  EXPECT_NE(Straight.find("<2 x double>"), Straight.npos) << Straight;
  const std::string Waiting =
      optimised("static long whole(float v) {\n"
                "  return v >= -1e18 && v <= 1e18 ? (long)v : 0;\n"
                "}\n"
                "long f(const long *x, long n, long t) {\n"
                "  for (long i = 0; i < n; ++i) {\n"
                "    float v = x[2 * i];\n"
                "    long u = whole(v * (x[2 * i] + t)) & whole(v);\n"
                "    t = u > t ? u : t;\n"
                "  }\n"
                "  return t;\n"
                "}\n",
                O);
  EXPECT_EQ(Waiting.find(" x float>"), Waiting.npos) << Waiting;
}

} // namespace
