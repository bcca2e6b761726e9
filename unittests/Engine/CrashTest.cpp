//===- CrashTest.cpp - What would end a process -----------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of its own, with LimitsTest.cpp. What a compile that crashed, or
// was ended half-way, had allocated is left where it is, for nobody knows what
// of it is still in order: these tests are the only ones of the engine that run
// without a search for leaks.
//
//===----------------------------------------------------------------------===//

#include "Survival/Allocations.h"
#include "Survival/Budget.h"
#include "Survival/CrashGuard.h"
#include "SurvivalTesting.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <new>
#include <pthread.h>
#include <string_view>
#include <thread>

using namespace clinch;
using namespace clinch::testing;

/// LeakSanitizer asks, where there is one.
// NOLINTNEXTLINE(bugprone-reserved-identifier): it is theirs.
extern "C" int __lsan_is_turned_off() { return 1; }

namespace {

TEST(Survival, CrashesAreErrors) {
  engine::CompileStack Stack;
  EXPECT_EQ(engine::runGuarded(Stack, [] { raise(SIGILL); }),
            "signal Illegal instruction");
  EXPECT_EQ(engine::runGuarded(Stack,
                               [] { llvm::report_fatal_error("it gives up"); }),
            "it gives up");
  EXPECT_EQ(engine::runGuarded(Stack, [] {}), "");
  expectWorks();
}

/// Each form of new may be another's than malloc, as it is a sanitizer's.
TEST(Survival, LargeBlocksGoBackWhereTheyCameFrom) {
  using engine::AllocationWatch;
  static std::vector<std::pair<const char *, void *>> Returned;
  constexpr size_t Large = size_t(2) << 20;
  constexpr std::align_val_t Alignment{128};
  void *OfC = std::malloc(Large), *OfNew = ::operator new(Large),
       *Aligned = ::operator new(Large, Alignment);
  std::string Problem;
  {
    CompileOptions O;
    O.MemoryLimit = Large;
    engine::Budget Limits(O);
    AllocationWatch Watch(Limits, 8 * Large);
    engine::CompileStack Stack;
    Problem = engine::runGuarded(Stack, [&] {
      Watch.begin();
      Watch.after(OfC, {[](void *P) {
                    Returned.emplace_back("free", P);
                    std::free(P);
                  }});
      Watch.after(OfNew, {[](void *P) {
                    Returned.emplace_back("delete", P);
                    ::operator delete(P);
                  }});
      Watch.after(Aligned, {nullptr,
                            [](void *P, std::align_val_t A) {
                              EXPECT_EQ(size_t(A), 128u);
                              Returned.emplace_back("aligned", P);
                              ::operator delete(P, A);
                            },
                            Alignment});
      Watch.before(8 * Large);
    });
    EXPECT_EQ(Limits.message(),
              "The compile took more memory than its limit of 2097152 bytes.");
  }
  EXPECT_EQ(Problem, "its limits were exceeded");
  std::sort(Returned.begin(), Returned.end(), [](auto &A, auto &B) {
    return std::string_view(A.first) < B.first;
  });
  const std::vector<std::pair<const char *, void *>> Expected = {
      {"aligned", Aligned}, {"delete", OfNew}, {"free", OfC}};
  EXPECT_EQ(Returned.size(), 3u);
  for (size_t N = 0; N < Returned.size(); ++N) {
    EXPECT_STREQ(Returned[N].first, Expected[N].first);
    EXPECT_EQ(Returned[N].second, Expected[N].second);
  }
}

TEST(Survival, AnAllocationThatFailsEndsTheWork) {
  engine::CompileStack Stack;
  const std::string Said = "Out of memory: the compile ended at an allocation";
  EXPECT_EQ(engine::runGuarded(Stack, [] { engine::endForMemory(7); }),
            Said + " of 7 bytes");
  engine::endForMemory(7); // Nobody's work: nothing happens.
  Error E = engine::errorOf(Said, "The compiler crashed over this text");
  EXPECT_EQ(E.kind(), Error::Kind::Limit);
  EXPECT_EQ(E.message(), Said + ".");
  E = engine::errorOf("it gives up", "The compiler crashed over this text");
  EXPECT_EQ(E.kind(), Error::Kind::Crash);
  EXPECT_EQ(E.message(), "The compiler crashed over this text: it gives up.");
  expectWorks();
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// What libstdc++ itself allocates throws, past frames that know no exceptions.
TEST(Survival, WhatTheLibraryThrowsEndsTheWork) {
  engine::CompileStack Stack;
  EXPECT_EQ(engine::runGuarded(
                Stack, [] { std::string().reserve(size_t(PTRDIFF_MAX) / 2); }),
            "Out of memory: the compile ended at an allocation");
  expectWorks();
}
#endif

/// The next compile would wait for that lock for ever.
TEST(Survival, WorkThatEndsWithALockIsNoticed) {
  engine::CompileStack Stack;
  std::mutex Lock;
  auto Locks = [&] { std::lock_guard<std::mutex> Guard(Lock); };
  engine::runGuarded(Stack, [&] {
    Locks();
    static int Made = (Locks(), 1);
    (void)Made;
    engine::endForMemory(7);
  });
  EXPECT_FALSE(engine::isLockedForGood());
  engine::runGuarded(Stack, [&] {
    static int Made = (engine::endForMemory(7), 1);
    (void)Made;
  });
  EXPECT_TRUE(engine::isLockedForGood());
  engine::runGuarded(Stack, Locks);
  EXPECT_TRUE(engine::isLockedForGood());
}

/// LLVM 22.1.8 cannot lower ldexp of eight shorts for AVX-512; Clang meets it
/// too.
TEST(Survival, ACrashOfTheBackEndNamesTierAndProcessor) {
  CompileOptions O;
  O.Flags = {"-march=skylake-avx512"};
  Expected<EngineResult> R =
      compile("typedef short S __attribute__((vector_size(16)));\n"
              "typedef double V __attribute__((vector_size(64)));\n"
              "void f(S *a, V *b) { *b = __builtin_elementwise_exp2(\n"
              "    __builtin_convertvector(*a, V)); }\n",
              O);
  if (R)
    GTEST_SKIP() << "this LLVM compiles it";
  EXPECT_EQ(R.error().kind(), Error::Kind::Crash);
  EXPECT_EQ(
      R.error().message().rfind("The compiler crashed over this text: ", 0),
      0u);
  EXPECT_NE(R.error().message().find(
                ", in the tier `default` for the processor `skylake-avx512`."),
            std::string::npos)
      << R.error().message();
}

/// malloc ends the process with its lock held: who survived that would wait for
/// it for ever.
TEST(SurvivalDeathTest, WhatGlibcGivesUpIsPassedOn) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer has an allocator of its own";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  engine::CompileStack Stack;
  EXPECT_EXIT((void)engine::runGuarded(Stack,
                                       [] {
                                         static char NeverAllocated[64];
                                         char *volatile P = NeverAllocated + 8;
                                         free(P);
                                       }),
              ::testing::KilledBySignal(SIGABRT), "invalid pointer");
}

/// Python's faulthandler does so: enabled while a compile runs, disabled later.
TEST(SurvivalDeathTest, HandlersThatCallEachOtherEnd) {
#ifdef __SANITIZE_THREAD__
  // It runs a handler when the one before has returned: no stack fills up.
  GTEST_SKIP() << "ThreadSanitizer lets no handler interrupt another.";
#endif
  static struct sigaction Theirs, Before;
  Theirs = {};
  Theirs.sa_flags = SA_NODEFER;
  Theirs.sa_handler = [](int Signal) {
    sigaction(Signal, &Before, nullptr);
    raise(Signal);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  engine::CompileStack Stack;
  EXPECT_EXIT(
      {
        (void)engine::runGuarded(Stack,
                                 [] { sigaction(SIGILL, &Theirs, &Before); });
        (void)engine::runGuarded(Stack, [] { raise(SIGILL); });
        std::thread([] { raise(SIGILL); }).join();
      },
      ::testing::KilledBySignal(SIGILL), "");
}

/// The kernel ignores a signal that a host ignores only if somebody sends it:
/// returning to an instruction that faults would fault again, for ever.
TEST(SurvivalDeathTest, AFaultOfTheHostEndsItAlsoWhereItIsIgnored) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  engine::CompileStack Stack;
  auto WhileACompileRuns = [&](void (*Do)()) {
    alarm(60); // Ends what goes on for ever.
    for (int Signal : {SIGSEGV, SIGTRAP})
      signal(Signal, SIG_IGN);
    (void)engine::runGuarded(Stack, [Do] { std::thread(Do).join(); });
    _exit(7);
  };
  EXPECT_EXIT(WhileACompileRuns([] { *(volatile int *)nullptr = 1; }),
              ::testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(WhileACompileRuns([] { asm volatile("int3"); }),
              ::testing::KilledBySignal(SIGTRAP), "");
  EXPECT_EXIT(WhileACompileRuns([] { raise(SIGSEGV); }),
              ::testing::ExitedWithCode(7), "");
}

/// And the host's own come back when the others have left ours behind.
TEST(Survival, HandlersLeftBehindAreNotTheHosts) {
  static volatile sig_atomic_t Seen;
  static struct sigaction Host, Theirs, Before, Ours;
  Seen = 0;
  Host = {}, Theirs = {};
  Host.sa_handler = [](int) { Seen = 1; };
  Theirs.sa_handler = SIG_IGN;
  sigaction(SIGFPE, &Host, &Before);
  engine::CompileStack Stack;
  EXPECT_EQ(
      engine::runGuarded(Stack, [] { sigaction(SIGFPE, &Theirs, &Ours); }), "");
  sigaction(SIGFPE, &Ours, nullptr); // As if they had been taken out.
  EXPECT_EQ(engine::runGuarded(Stack, [] {}), "");
  raise(SIGFPE);
  EXPECT_EQ(Seen, 1);
  sigaction(SIGFPE, &Before, nullptr);
}

/// The stack of this is used up.
const std::string Overflowing = "int a = " + repeat("- ", 1000000) + "1;";

TEST(Survival, OverflownStacksAreErrors) {
  const char *Message = "The compiler crashed over this text: it nests too "
                        "deeply for a stack of 64 MB.";
  expectError(Overflowing, Error::Kind::Crash, Message);
  expectError("int a = " + repeat("(", 100000) + "1" + repeat(")", 100000) +
                  ";",
              Error::Kind::Crash, Message);
}

/// Where 8 MB are used up Clang would go on in a thread of its own, in which a
/// crash is nobody's.
TEST(Survival, DeepTextStaysWhereCrashesAreCaught) {
  Expected<EngineResult> R = compile("struct s { struct s *n; };\n"
                                     "struct s *f(struct s *a) { return a" +
                                         repeat("->n", 10000) + "; }",
                                     fast());
  EXPECT_TRUE(R) << R.error().render();
}

TEST(Survival, SignalsOfTheHostStayItsOwn) {
  static volatile sig_atomic_t Seen;
  Seen = 0;
  struct sigaction Ours = {}, Before, After;
  Ours.sa_handler = [](int) { Seen = 1; };
  sigaction(SIGFPE, &Ours, &Before);
  (void)compile(Overflowing, fast());
  sigaction(SIGFPE, nullptr, &After);
  EXPECT_EQ(After.sa_handler, Ours.sa_handler);
  raise(SIGFPE);
  EXPECT_EQ(Seen, 1);
  sigaction(SIGFPE, &Before, nullptr);
}

TEST(Survival, ThreadsThatCompileAndCrashAtOnce) {
  std::vector<std::thread> Threads;
  std::vector<int> Good(6), Crashed(6);
  for (int T = 0; T != 6; ++T)
    Threads.emplace_back([T, &Good, &Crashed] {
      for (int I = 0; I != 3; ++I) {
        std::string Name = "f" + std::to_string(T) + std::to_string(I);
        Expected<EngineResult> R =
            compile("int " + Name + "(int a) { return a; }", fast());
        Good[T] += bool(R);
        Expected<EngineResult> C = compile(Overflowing, fast());
        Crashed[T] += !C && C.error().kind() == Error::Kind::Crash;
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Good, std::vector<int>(6, 3));
  EXPECT_EQ(Crashed, std::vector<int>(6, 3));
}

void *alternateStack() {
  stack_t S = {};
  sigaltstack(nullptr, &S);
  return S.ss_flags & SS_DISABLE ? nullptr : S.ss_sp;
}

/// What a sanitizer does when a thread ends: it looks whose stack is there.
void lookWhenThreadEnds(void *Seen) {
  *static_cast<void **>(Seen) = alternateStack();
}

TEST(Survival, SignalsRunOnAStackThatTheThreadDoesNotKeep) {
  pthread_key_t AtEnd;
  ASSERT_EQ(pthread_key_create(&AtEnd, lookWhenThreadEnds), 0);
  engine::CompileStack Stack;
  void *Within = nullptr, *After = &Stack;
  for (bool Crashes : {false, true}) {
    std::string Problem = engine::runGuarded(Stack, [&] {
      pthread_setspecific(AtEnd, static_cast<void *>(&After));
      Within = alternateStack();
      if (Crashes)
        raise(SIGFPE);
    });
    EXPECT_EQ(Problem, Crashes ? "signal Floating point exception" : "");
    EXPECT_EQ(Within, Stack.handlerStack());
    EXPECT_NE(After, Within);
    EXPECT_NE(After, &Stack);
  }
  pthread_key_delete(AtEnd);
}

} // namespace
