// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strides that are known when a loop runs.

#include "EngineTesting.h"

#include <gtest/gtest.h>

using namespace clinch;
using namespace clinch::testing;

namespace {

/// A loop as PyTensor writes it: strides in bytes, divided by the item's size.
constexpr const char *Loop = R"(
void f(long n, double *z, const double *x, const double *y,
       long sz, long sx, long sy) {
  long jz = sz / sizeof(double), jx = sx / sizeof(double),
       jy = sy / sizeof(double);
  for (long i = 0; i < n; ++i)
    z[i * jz] = x[i * jx] + y[i * jy];
}
)";

TEST(Strides, LoopsAreCopiedForStridesOfOne) {
  for (Tier Level : {Tier::Default, Tier::Max}) {
    CompileOptions O;
    O.Level = Level;
    O.CPU = "x86-64-v4";
    O.Keep = {Stage::LLVMOpt};
    Expected<EngineResult> R = compile(Loop, O);
    ASSERT_TRUE(R) << R.error().render();
    const std::string &IR = R->Kept.at(0).second;
    EXPECT_NE(IR.find("vector.body"), IR.npos) << IR;
    EXPECT_EQ(IR.find("llvm.masked.gather"), IR.npos) << IR;
    EXPECT_EQ(IR.find("llvm.masked.scatter"), IR.npos) << IR;
  }
}

} // namespace
