// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lanes of a warp get from one another.

#include "SimulateTesting.h"

using namespace clinch;
using namespace clinch::testing;

namespace {

/// Runs \p Body, which computes `%v` from the lane `%t`, in one warp.
std::vector<int32_t> lanes(const std::string &Declaration,
                           const std::string &Body, uint32_t Count = 32) {
  const std::string Text = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
                           Declaration + R"(
define ptx_kernel void @k(ptr %out) !dbg !3 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
)" + Body + R"(
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %to {5}
  ret void
}
)";
  std::vector<int32_t> Out(Count);
  void *Data = Out.data();
  simulate::LaunchOptions O;
  O.Block[0] = Count;
  EXPECT_EQ(
      Simulated(Text, /*Checks=*/false).run(O, {static_cast<void *>(&Data)}),
      "");
  return Out;
}

std::vector<int32_t> shuffled(const char *How, int By, int Clamp) {
  const std::string Name =
      std::string("i32 @llvm.nvvm.shfl.sync.") + How + ".i32";
  return lanes("declare " + Name + "(i32, i32, i32, i32)",
               "  %v = call " + Name + "(i32 -1, i32 %t, i32 " +
                   std::to_string(By) + ", i32 " + std::to_string(Clamp) + ")");
}

TEST(Meeting, ShufflesAreThoseOfPTX) {
  const auto Down = shuffled("down", 4, 31), Up = shuffled("up", 4, 0),
             Xor = shuffled("bfly", 5, 31), Index = shuffled("idx", 9, 31);
  // In segments of eight lanes.
  const auto Third = shuffled("idx", 3, 24 << 8 | 31),
             Near = shuffled("down", 2, 24 << 8 | 31);
  for (int32_t L = 0; L < 32; ++L) {
    EXPECT_EQ(Down[L], L + 4 < 32 ? L + 4 : L);
    EXPECT_EQ(Up[L], L >= 4 ? L - 4 : L);
    EXPECT_EQ(Xor[L], L ^ 5);
    EXPECT_EQ(Index[L], 9);
    EXPECT_EQ(Third[L], (L & 24) + 3);
    EXPECT_EQ(Near[L], L % 8 + 2 < 8 ? L + 2 : L);
  }
}

TEST(Meeting, VotesAndReductionsCountWhoIsThere) {
  EXPECT_EQ(lanes("declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)",
                  "  %o = trunc i32 %t to i1\n"
                  "  %v = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %o)",
                  8)[3],
            0xAA);
  EXPECT_EQ(lanes("declare i1 @llvm.nvvm.vote.all.sync(i32, i1)",
                  "  %o = icmp ult i32 %t, 31\n"
                  "  %a = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %o)\n"
                  "  %v = zext i1 %a to i32")[0],
            0);
  EXPECT_EQ(lanes("declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)",
                  "  %m = and i32 %t, 3\n"
                  "  %v = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 "
                  "%m)")[2],
            0x44444444);
  EXPECT_EQ(lanes("declare i32 @llvm.nvvm.redux.sync.add(i32, i32)",
                  "  %v = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 -1)",
                  20)[7],
            190);
}

} // namespace
