// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where code lives.

#include "LoadHelpers.h"
#include "jit/Loader/CodeMemory.h"

#include <cstring>
#include <fstream>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

using namespace clinch;
using namespace clinch::test;

TEST(FreeList, JoinsNeighboursWhateverTheOrder) {
  FreeList List(1024);
  auto A = *List.allocate(100, 16);
  auto B = *List.allocate(16, 16);
  auto C = *List.allocate(1, 16);
  EXPECT_EQ(A.Begin, 0U);
  EXPECT_EQ(A.Size, 112U);
  EXPECT_EQ(B.Begin, 112U);
  EXPECT_EQ(C.Begin, 128U);
  EXPECT_EQ(List.highWater(), 144U);
  EXPECT_EQ(List.release(B).Size, 16U);
  EXPECT_EQ(List.release(A).Size, 128U);
  EXPECT_FALSE(List.empty());
  EXPECT_EQ(List.release(C).Size, 1024U);
  EXPECT_TRUE(List.empty());
  EXPECT_EQ(List.allocate(1024, 16)->Begin, 0U);
  EXPECT_FALSE(List.allocate(1, 16));
}

TEST(FreeList, KeepsAlignmentAndNeverOverlaps) {
  FreeList List(1 << 16);
  std::mt19937 Random(1);
  std::vector<FreeList::Range> Live;
  std::vector<bool> Taken(1 << 16);
  for (int Step = 0; Step < 20000; ++Step) {
    if (Random() % 2 || Live.empty()) {
      size_t Alignment = size_t(1) << (Random() % 9);
      auto R = List.allocate(Random() % 700, Alignment);
      if (!R)
        continue;
      EXPECT_EQ(R->Begin % Alignment, 0U);
      for (size_t I = R->Begin; I < R->Begin + R->Size; ++I) {
        ASSERT_FALSE(Taken[I]);
        Taken[I] = true;
      }
      Live.push_back(*R);
    } else {
      std::swap(Live[Random() % Live.size()], Live.back());
      for (size_t I = 0; I < Live.back().Size; ++I)
        Taken[Live.back().Begin + I] = false;
      List.release(Live.back());
      Live.pop_back();
    }
  }
  for (const auto &R : Live)
    List.release(R);
  EXPECT_TRUE(List.empty());
  EXPECT_TRUE(List.allocate(1 << 16, 16));
}

namespace {
/// Writes `return Value;` into a block and calls it.
int writeAndCall(CodeMemory &Memory, const MemoryBlock &B, int Value) {
  char *Code = B.writable();
  Code[0] = char(0xb8);
  std::memcpy(Code + 1, &Value, sizeof Value);
  Code[5] = char(0xc3);
  Memory.seal(B);
  return reinterpret_cast<int (*)()>(B.code())();
}

size_t mappingsWith(const std::string &Rights) {
  std::ifstream Maps("/proc/self/maps");
  size_t Count = 0;
  for (std::string Line; std::getline(Maps, Line);)
    Count += Line.find(" " + Rights) != std::string::npos;
  return Count;
}
} // namespace

class Memory : public testing::Test {
protected:
  CodeMemory TheMemory{size_t(1) << 16};
};

TEST_F(Memory, RunsWhatWasWrittenAndUsesItAgain) {
  auto A = *TheMemory.allocate({6, 16, 8, 16});
  auto B = *TheMemory.allocate({6, 64, 0, 16});
  EXPECT_EQ(writeAndCall(TheMemory, A, 1), 1);
  EXPECT_EQ(writeAndCall(TheMemory, B, 2), 2);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(B.code()) % 64, 0U);
  EXPECT_LT(std::abs(A.code() - A.data()), ptrdiff_t(1) << 31);
  std::memset(A.data(), 1, 8);
  char *Place = A.code();
  TheMemory.release(A);
  auto C = *TheMemory.allocate({6, 16, 8, 16});
  EXPECT_EQ(C.code(), Place);
  EXPECT_EQ(writeAndCall(TheMemory, C, 3), 3);
  EXPECT_EQ(reinterpret_cast<int (*)()>(B.code())(), 2);
  TheMemory.release(B);
  TheMemory.release(C);
  EXPECT_EQ(TheMemory.bytesInUse(), 0U);
}

TEST_F(Memory, StandsNearWhatItCalls) {
  // This program, and a library, which may be further from each other.
  for (const void *Near : {reinterpret_cast<const void *>(&mappingsWith),
                           reinterpret_cast<const void *>(&std::memcpy)}) {
    CodeMemory Fresh(size_t(1) << 16);
    auto A = *Fresh.allocate({6, 16, 8, 16, Near});
    EXPECT_LT(std::abs(A.code() - static_cast<const char *>(Near)), ptrdiff_t(1)
                                                                        << 31);
    EXPECT_EQ(writeAndCall(Fresh, A, 4), 4);
    Fresh.release(A);
  }
  // Where nothing can be, it stands elsewhere.
  CodeMemory Fresh(size_t(1) << 16);
  auto A = *Fresh.allocate({6, 16, 0, 16, reinterpret_cast<void *>(~0ULL)});
  EXPECT_EQ(writeAndCall(Fresh, A, 5), 5);
  Fresh.release(A);
}

TEST_F(Memory, NoMappingIsWritableAndExecutable) {
  auto A = *TheMemory.allocate({6, 16, 8, 16});
  EXPECT_EQ(mappingsWith("rwx"), 0U);
  EXPECT_EQ(mappingsWith("-wx"), 0U);
  EXPECT_EQ(writeAndCall(TheMemory, A, 1), 1);
  EXPECT_EQ(mappingsWith("rwx"), 0U);
  EXPECT_EQ(mappingsWith("-wx"), 0U);
  TheMemory.release(A);
}

TEST_F(Memory, GrowsByAsMuchAsIsAskedForAndShrinks) {
  std::vector<MemoryBlock> Blocks;
  for (int I = 0; I < 5; ++I)
    Blocks.push_back(*TheMemory.allocate({60000, 16, 100, 16}));
  Blocks.push_back(*TheMemory.allocate({300000, 16, 700000, 4096}));
  EXPECT_EQ(TheMemory.slabs(), 6U);
  for (const MemoryBlock &B : Blocks)
    EXPECT_EQ(writeAndCall(TheMemory, B, 9), 9);
  for (const MemoryBlock &B : Blocks)
    TheMemory.release(B);
  EXPECT_EQ(TheMemory.slabs(), 1U);
}

TEST_F(Memory, TooMuchIsAnError) {
  auto B = TheMemory.allocate({size_t(1) << 31, 16, 0, 16});
  ASSERT_FALSE(B);
  EXPECT_EQ(B.error().kind(), Error::Kind::Limit);
  EXPECT_EQ(B.error().message(),
            "The code is too large: expected less than 2147483648 bytes of "
            "code and data, found 2147491840.");
}

TEST(CodeMemory, ManyLiveObjectsNeedNoMappingEach) {
  const std::string Object = makeObject("int f(void) { return 1; }");
  auto First = load(Object);
  [[maybe_unused]] size_t Before = mappingsWith("r");
  size_t InUse = CodeMemory::process().bytesInUse();
  EXPECT_GT(First->Bytes, 6U); // With its frames.
  EXPECT_LT(First->Bytes, 112U);
  std::vector<std::shared_ptr<LoadedCode>> Live;
  for (int I = 0; I < 3000; ++I)
    Live.push_back(load(Object));
// A sanitizer has mappings for all that is allocated.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LE(mappingsWith("r"), Before + 8);
#endif
  EXPECT_EQ(find<int()>(Live[1500], "f")(), 1);
  Live.clear();
  EXPECT_EQ(CodeMemory::process().bytesInUse(), InUse);
}

static long residentBytes() {
  std::ifstream In("/proc/self/statm");
  long Pages = 0;
  In >> Pages >> Pages;
  return Pages * 4096;
}

TEST(CodeMemory, WhatManyHadGoesBackToTheSystem) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer keeps what was freed";
#endif
  const std::string Object = makeObject("int f(int x) { return x + 1; }");
  std::vector<std::shared_ptr<LoadedCode>> Live;
  long Before = 0, Most = 0;
  for (int Round = 0; Round < 2; ++Round) {
    Before = residentBytes(); // Of the second round: the first has warmed up.
    for (int I = 0; I < 5000; ++I)
      Live.push_back(load(Object));
    Most = residentBytes();
    Live.clear();
  }
  EXPECT_GT(Most - Before, 2L << 20);
  EXPECT_LT(residentBytes() - Before, 1L << 20);
}

/// Whether an allocator with 4 MB of addresses left does what it can.
static bool worksWithLittleSpace() {
  std::ifstream In("/proc/self/statm");
  size_t Pages = 0;
  In >> Pages;
  rlimit Limit{Pages * 4096 + (4 << 20), RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &Limit);
  CodeMemory Memory;
  auto Small = Memory.allocate({100, 16, 100, 16});
  auto Large = Memory.allocate({size_t(1) << 26, 16, 0, 16});
  return Small && writeAndCall(Memory, *Small, 5) == 5 && !Large &&
         Large.error().message() ==
             "No memory for code: expected to reserve 67117056 bytes, the "
             "system said `Cannot allocate memory`.";
}

TEST(CodeMemory, WithLittleAddressSpaceTakesLittle) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer takes all addresses for itself";
#endif
  EXPECT_EXIT(_exit(worksWithLittleSpace() ? 0 : 1), testing::ExitedWithCode(0),
              "");
}

/// Whether code is loaded where no file can be opened, and so none be mapped.
static bool worksWithoutFiles(const std::string &Object) {
  rlimit None{0, 0};
  setrlimit(RLIMIT_NOFILE, &None);
  auto A = load(Object), B = load(Object);
  if (find<int(int)>(A, "f")(1) != 6 || find<int(int)>(B, "f")(2) != 7)
    return false;
  A.reset();
  return find<int(int)>(B, "f")(3) == 9 && CodeMemory::process().slabs() == 0;
}

TEST(CodeMemory, WhereItIsRefusedLLVMsOwnServes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // Nothing is loaded yet.
  const std::string Object =
      makeObject("int v = 5; int f(int x) { return v++ + x; }");
  EXPECT_EXIT(_exit(worksWithoutFiles(Object) ? 0 : 1),
              testing::ExitedWithCode(0), "");
}

TEST(CodeMemory, ThreadsLoadAndReleaseAtOnce) {
  const std::string Object =
      makeObject("int v = 5; int f(int x) { return x + v; }");
  std::vector<std::thread> Threads;
  std::atomic<int> Wrong{0};
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&] {
      std::vector<std::shared_ptr<LoadedCode>> Live;
      for (int I = 0; I < 300; ++I) {
        Live.push_back(load(Object));
        Wrong += find<int(int)>(Live.back(), "f")(I) != I + 5;
        if (Live.size() > 7)
          Live.erase(Live.begin() + I % 7);
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Wrong, 0);
}

/// The parent of many children goes on in the memory it has: only what a child
/// may run is lost when it is released.
TEST(CodeMemory, AForkCostsNoSlab) {
  CodeMemory &Memory = CodeMemory::process();
  const std::string Object = makeObject("int f(void) { return 5; }");
  auto Old = load(Object);
  const size_t Slabs = Memory.slabs();
  auto Fork = [] {
    pid_t Child = fork();
    if (Child == 0)
      _exit(0);
    int Status = 1;
    EXPECT_EQ(waitpid(Child, &Status, 0), Child);
  };
  for (int I = 0; I < 20; ++I) {
    Fork();
    auto New = load(Object);
    EXPECT_EQ(find<int()>(New, "f")(), 5);
    EXPECT_EQ(Memory.slabs(), Slabs);
  }
  // What stood there at a fork is not overwritten, nor counted as in use.
  const char *Place = reinterpret_cast<char *>(find<int()>(Old, "f"));
  const std::string Bytes(Place, 4);
  const size_t InUse = Memory.bytesInUse();
  auto Kept = load(Object);
  Old.reset();
  EXPECT_EQ(Memory.bytesInUse(), InUse);
  auto Next = load(Object);
  EXPECT_NE(reinterpret_cast<char *>(find<int()>(Next, "f")), Place);
  EXPECT_EQ(std::string(Place, 4), Bytes);
}

/// The pages of a memfd are shared over a fork: neither side may put code
/// where the other still runs some.
TEST(CodeMemory, ForkedProcessesDoNotOverwriteEachOther) {
  auto Old = load(makeObject("int f(void) { return 1; }"));
  auto *OldF = find<int()>(Old, "f");
  pid_t Child = fork();
  ASSERT_GE(Child, 0);
  if (Child == 0) {
    Old.reset();
    for (int I = 0; I < 100; ++I) {
      auto New = load(makeObject("int f(void) { return 2; }"));
      if (find<int()>(New, "f")() != 2 || I > 2)
        _exit(I > 2 ? 0 : 1);
    }
  }
  int Status = 0;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  EXPECT_EQ(Status, 0);
  EXPECT_EQ(OldF(), 1);
  auto New = load(makeObject("int f(void) { return 3; }"));
  EXPECT_EQ(find<int()>(New, "f")(), 3);
  EXPECT_EQ(OldF(), 1);
}
