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

/// An Op's own function with strides of `int`, inlined where they are divided.
constexpr const char *Inlined = R"(
typedef struct { double *data; long *strides, *dims; } Array;
static void multiply(const double *x, int sx, const double *y, int sy,
                     double *z, int sz, int n) {
  for (int i = 0; i < n; i++)
    z[i * sz] = x[i * sx] * y[i * sy];
}
void f(Array *x, Array *y, Array *z) {
  multiply(x->data, x->strides[0] / 8, y->data, y->strides[0] / 8, z->data,
           z->strides[0] / 8, x->dims[0]);
}
)";

/// The same with a stride that the text multiplies by an offset of bytes.
constexpr const char *Bytes = R"(
void f(char *z, const char *x, long *strides, int n) {
  int sz = strides[0], sx = strides[1];
  for (int i = 0; i < n; i++)
    z[i * sz] = x[i * sx] + 1;
}
)";

std::string optimised(const char *Text, Tier Level, const char *CPU) {
  CompileOptions O;
  O.Level = Level;
  O.CPU = CPU;
  O.Keep = {Stage::LLVMOpt};
  Expected<EngineResult> R = compile(Text, O);
  EXPECT_TRUE(R) << R.error().render();
  return R ? R->Kept.at(0).second : "";
}

TEST(Strides, LoopsAreCopiedForStridesOfOne) {
  for (const char *Text : {Loop, Inlined, Bytes})
    for (const char *CPU : {"x86-64-v3", "x86-64-v4"})
      for (Tier Level : {Tier::Default, Tier::Max}) {
        const std::string IR = optimised(Text, Level, CPU);
        EXPECT_NE(IR.find("vector.body"), IR.npos) << IR;
        EXPECT_EQ(IR.find("llvm.masked.gather"), IR.npos) << IR;
        EXPECT_EQ(IR.find("llvm.masked.scatter"), IR.npos) << IR;
      }
}

} // namespace
