// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings in kernels without a device. test/Python/Inputs/kernels.cu has
// kernels, right and wrong.

#include "SimulateTesting.h"

using namespace clinch;
using namespace clinch::testing;
using simulate::LaunchOptions;

namespace {

constexpr const char *Declarations = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
)";

/// Each thread writes a shared word, and reads that of its neighbour after \p
/// Between.
std::string neighbours(const std::string &Between) {
  return std::string(Declarations) + R"(
@s = internal addrspace(3) global [64 x i32] undef, align 4
define ptx_kernel void @k(ptr %out) !dbg !3 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @s to ptr), i32 %t
  store i32 %t, ptr %mine {2}
)" + Between +
         R"(
  %n = xor i32 %t, 1
  %other = getelementptr i32, ptr addrspace(3) @s, i32 %n
  %v = load i32, ptr addrspace(3) %other {4}
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %to {5}
  ret void
}
)";
}

LaunchOptions threads(uint32_t N, std::vector<int32_t> &Out) {
  LaunchOptions O;
  O.Block[0] = N;
  O.Memory = {{"`out`", reinterpret_cast<char *>(Out.data()),
               Out.size() * sizeof(int32_t), true}};
  return O;
}

std::string run(const std::string &Text, const LaunchOptions &O,
                std::vector<int32_t> &Out, bool Checks = true) {
  void *Data = Out.data();
  return Simulated(Text, Checks).run(O, {static_cast<void *>(&Data)});
}

constexpr const char *Barrier =
    "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) {3}\n";

TEST(Simulate, WithoutABarrierThereIsARace) {
  std::vector<int32_t> Out(64);
  EXPECT_EQ(run(neighbours(""), threads(64, Out), Out),
            "4: in kernel `k`, thread (0, 0, 0) of block (0, 0, 0) reads 4 "
            "bytes at offset 4 of shared `s`, which no thread has written\n"
            "2: in kernel `k`, a race: thread (1, 0, 0) of block (0, 0, 0) "
            "writes 4 bytes at offset 4 of shared `s`, which thread (0, 0, 0) "
            "reads at line 4, and nothing orders the two\n");
}

TEST(Simulate, AccessesOutOfBoundsAreNamed) {
  std::vector<int32_t> Out(63);
  EXPECT_EQ(run(neighbours(Barrier), threads(64, Out), Out),
            "5: in kernel `k`, thread (63, 0, 0) of block (0, 0, 0) writes 4 "
            "bytes at offset 252 of `out`, which has 252 bytes\n");
  EXPECT_EQ(run(neighbours(""), threads(65, Out), Out).substr(0, 3), "4: ");
  LaunchOptions O = threads(64, Out);
  O.Memory[0].Writable = false;
  EXPECT_EQ(run(neighbours(Barrier), O, Out),
            "5: in kernel `k`, thread (0, 0, 0) of block (0, 0, 0) writes 4 "
            "bytes of `out`, which is read-only\n");
}

/// The first \p Few threads do \p First, the others \p Second.
std::string halves(const std::string &First, const std::string &Second) {
  return std::string(Declarations) + R"(
define ptx_kernel void @k(ptr %out) !dbg !3 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 16
  br i1 %c, label %a, label %b
a:
)" + First +
         "  br label %e\nb:\n" + Second + "  br label %e\ne:\n  ret void\n}\n";
}

TEST(Simulate, BarriersInDivergentCodeAreNamed) {
  std::vector<int32_t> Out(64);
  EXPECT_EQ(
      run(halves("  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) "
                 "{3}\n",
                 "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) "
                 "{5}\n"),
          threads(32, Out), Out),
      "3: in kernel `k`, threads of block (0, 0, 0) wait at different "
      "barriers: thread (0, 0, 0) here, thread (16, 0, 0) at line 5\n");
}

TEST(Simulate, DeadlocksSayWhoWaitsWhere) {
  std::vector<int32_t> Out(64);
  EXPECT_EQ(
      run(halves(Barrier, "  call void @llvm.nvvm.bar.warp.sync(i32 -1) {5}\n"),
          threads(32, Out), Out),
      "3: in kernel `k`, a deadlock in block (0, 0, 0), whose threads wait "
      "forever: 16 threads at a barrier at line 3 (thread (0, 0, 0)); 16 "
      "threads for their warp at line 5 (thread (16, 0, 0))\n");
}

TEST(Simulate, AWaitForAValueThatNobodyWritesEnds) {
  const std::string Text = std::string(Declarations) + R"(
define ptx_kernel void @k(ptr %out) !dbg !3 {
  br label %again
again:
  %v = load volatile i32, ptr %out {2}
  %c = icmp eq i32 %v, 0
  br i1 %c, label %again, label %end
end:
  ret void
}
)";
  std::vector<int32_t> Out(1);
  EXPECT_EQ(run(Text, threads(1, Out), Out, /*Checks=*/false),
            "2: in kernel `k`, a deadlock in block (0, 0, 0), whose threads "
            "wait forever: 1 thread for a value to change at line 2 (thread "
            "(0, 0, 0))\n");
  Out[0] = 1;
  EXPECT_EQ(run(Text, threads(1, Out), Out), "");
}

TEST(Simulate, LaunchesThatADeviceRefuses) {
  std::vector<int32_t> Out(64);
  Simulated S(neighbours(Barrier), /*Checks=*/true);
  void *Data = Out.data();
  LaunchOptions O = threads(1025, Out);
  EXPECT_EQ(S.run(O, {static_cast<void *>(&Data)}),
            "A device refuses the block (1025, 1, 1): expected 1 to 1024, 1024 "
            "and 64 threads.");
  O.Block[0] = O.Block[1] = 33;
  EXPECT_EQ(S.run(O, {static_cast<void *>(&Data)}),
            "A device refuses the block (33, 33, 1) of 1089 threads: expected "
            "at most 1024.");
  O = threads(64, Out);
  O.Grid[1] = 0;
  EXPECT_EQ(S.run(O, {static_cast<void *>(&Data)}),
            "A device refuses the grid (1, 0, 1): expected 1 to 2147483647, "
            "65535 and 65535 blocks.");
  O = threads(64, Out);
  O.SharedBytes = 65536;
  EXPECT_EQ(S.run(O, {static_cast<void *>(&Data)}),
            "A device refuses 65792 bytes of shared memory: "
            "expected at most 65536.");
  EXPECT_EQ(S.run(threads(64, Out), {}),
            "The kernel `k` has 1 parameter, and is given 0 arguments.");
}

TEST(Simulate, WhatIsNotSimulatedIsRefusedByName) {
  const std::string Text = R"(
declare void @llvm.nvvm.cp.async.wait.all()
declare void @llvm.nvvm.barrier.cluster.arrive()
define ptx_kernel void @k() !dbg !3 {
  call void @llvm.nvvm.cp.async.wait.all() {2}
  call void @llvm.nvvm.barrier.cluster.arrive() {3}
  call void asm sideeffect "bar.sync 0;", ""() {4}
  ret void
}
)";
  const std::string Refused = Simulated(Text, /*Checks=*/false).Refused;
  for (const char *Part :
       {"k.cu:2:1: error: `cp.async.wait.all` is not simulated: copies that go "
        "on meanwhile",
        "k.cu:3:1: error: `barrier.cluster.arrive` is not simulated: clusters",
        "k.cu:4:1: error: inline PTX is not simulated: `bar.sync 0;`"})
    EXPECT_NE(Refused.find(Part), Refused.npos) << Refused;
}

TEST(Simulate, PrintedTextIsPrintfs) {
  const std::string Text = std::string(Declarations) + R"(
@f = private constant [21 x i8] c"%d %5.2f %s %ld %%\0A\00\00", align 1
@s = private constant [3 x i8] c"ab\00", align 1
declare i32 @vprintf(ptr, ptr)
define ptx_kernel void @k(ptr %out) !dbg !3 {
  %a = alloca {i32, double, ptr, i64}, align 8
  store i32 -3, ptr %a
  %d = getelementptr i8, ptr %a, i64 8
  store double 2.5, ptr %d
  %p = getelementptr i8, ptr %a, i64 16
  store ptr @s, ptr %p
  %l = getelementptr i8, ptr %a, i64 24
  store i64 99, ptr %l
  %n = call i32 @vprintf(ptr @f, ptr %a) {2}
  store i32 %n, ptr %out {3}
  ret void
}
)";
  std::vector<int32_t> Out(1);
  EXPECT_EQ(run(Text, threads(1, Out), Out), "-3  2.50 ab 99 %\n");
  EXPECT_EQ(Out[0], 4);
}

} // namespace
