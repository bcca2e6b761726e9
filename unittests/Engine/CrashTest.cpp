// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What would end a process.
//
// A program of its own. What a compile that crashed had allocated is left where
// it is, for nobody knows what of it is still in order: these tests are the
// only ones of the engine that run without a search for leaks.

#include "CrashRecovery/CrashGuard.h"
#include "CrashRecoveryTesting.h"

#include "llvm/Support/ErrorHandling.h"

#include <csignal>
#include <cstdlib>
#include <functional>
#include <pthread.h>
#include <sys/resource.h>
#include <thread>

using namespace clinch;
using namespace clinch::testing;

/// LeakSanitizer asks, where there is one.
// NOLINTNEXTLINE(bugprone-reserved-identifier): it is theirs.
extern "C" int __lsan_is_turned_off() { return 1; }

namespace {

/// The stack of this is used up.
const std::string Overflowing = "int a = " + repeat("- ", 1000000) + "1;";

/// Returns what went wrong in \p Work, or an empty string.
std::string run(engine::CompileStack &Stack, std::function<void()> Work) {
  Status S = engine::runGuarded(Stack, std::move(Work));
  return S ? "" : S.error().message();
}

TEST(CrashRecovery, CrashesAreErrors) {
  engine::CompileStack Stack;
  Status S = engine::runGuarded(Stack, [] { raise(SIGILL); });
  ASSERT_FALSE(S);
  EXPECT_EQ(S.error().kind(), Error::Kind::Crash);
  EXPECT_EQ(S.error().message(),
            "The compiler crashed over this text: signal Illegal instruction.");
  EXPECT_EQ(run(Stack, [] { llvm::report_fatal_error("it gives up"); }),
            "The compiler crashed over this text: it gives up.");
  EXPECT_EQ(run(Stack, [] {}), "");
  expectWorks();
}

TEST(CrashRecovery, AnAllocationThatFailsEndsTheWork) {
  engine::CompileStack Stack;
  const char *Message = "The compiler crashed over this text: out of memory.";
  EXPECT_EQ(run(Stack, [] { llvm::report_bad_alloc_error("nothing is left"); }),
            Message);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // What libstdc++ itself allocates throws, past frames that know no
  // exceptions.
  EXPECT_EQ(run(Stack, [] { std::string().reserve(size_t(PTRDIFF_MAX) / 2); }),
            Message);
#endif
  expectWorks();
}

TEST(CrashRecovery, ACrashSaysOverWhat) {
  engine::CompileStack Stack;
  EXPECT_EQ(run(Stack,
                [] {
                  const engine::CrashSubject Outer("the flags");
                  const engine::CrashSubject Inner("the headers", ", here");
                  raise(SIGILL);
                }),
            "The compiler crashed over the headers: signal Illegal "
            "instruction, here.");
  EXPECT_EQ(run(Stack,
                [] {
                  {
                    const engine::CrashSubject Inner("the headers", ", here");
                  }
                  raise(SIGILL);
                }),
            "The compiler crashed over this text: signal Illegal "
            "instruction.");
}

TEST(CrashRecovery, WorkWithoutAStackDoesNotBegin) {
  rlimit Before;
  getrlimit(RLIMIT_AS, &Before);
  const rlimit Little = {size_t(1) << 20, Before.rlim_max};
  setrlimit(RLIMIT_AS, &Little);
  engine::CompileStack None;
  setrlimit(RLIMIT_AS, &Before);
  ASSERT_FALSE(None);
  EXPECT_EQ(run(None, [] { abort(); }),
            "The system has no thread or no stack for the compile.");
}

/// Whoever is inside then need not wait for a lock that stays locked.
TEST(CrashRecovery, ACrashSendsOthersElsewhere) {
  Engine &Shared = clinch::testing::engine();
  ASSERT_TRUE(Shared.isUsable());
  std::thread Crashes;
  CompileOptions O = fast();
  O.Interrupted = [&] {
    if (!Crashes.joinable())
      Crashes = std::thread([] { (void)compile(Overflowing, fast()); });
    return false;
  };
  Expected<EngineResult> R = compile(
      "int f(int a) {\n" + repeat("a = a * 3 + 1;\n", 1000000) + "return a; }",
      O);
  Crashes.join();
  ASSERT_TRUE(R) << R.error().render();
  EXPECT_EQ(R->Object, "");
  EXPECT_FALSE(Shared.isUsable());
}

/// LLVM 22.1.8 cannot lower ldexp of eight shorts for AVX-512; Clang meets it
/// too.
TEST(CrashRecovery, ACrashOfTheBackEndNamesTierAndProcessor) {
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
TEST(CrashRecoveryDeathTest, WhatGlibcGivesUpIsPassedOn) {
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
TEST(CrashRecoveryDeathTest, HandlersThatCallEachOtherEnd) {
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
TEST(CrashRecoveryDeathTest, AFaultOfTheHostEndsItAlsoWhereItIsIgnored) {
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
TEST(CrashRecovery, HandlersLeftBehindAreNotTheHosts) {
  static volatile sig_atomic_t Seen;
  static struct sigaction Host, Theirs, Before, Ours;
  Seen = 0;
  Host = {}, Theirs = {};
  Host.sa_handler = [](int) { Seen = 1; };
  Theirs.sa_handler = SIG_IGN;
  sigaction(SIGFPE, &Host, &Before);
  engine::CompileStack Stack;
  EXPECT_EQ(run(Stack, [] { sigaction(SIGFPE, &Theirs, &Ours); }), "");
  sigaction(SIGFPE, &Ours, nullptr); // As if they had been taken out.
  EXPECT_EQ(run(Stack, [] {}), "");
  raise(SIGFPE);
  EXPECT_EQ(Seen, 1);
  sigaction(SIGFPE, &Before, nullptr);
}

TEST(CrashRecovery, OverflownStacksAreErrors) {
  const char *Message = "The compiler crashed over this text: it nests too "
                        "deeply for a stack of 64 MB.";
  expectError(Overflowing, Error::Kind::Crash, Message);
  expectError("int a = " + repeat("(", 100000) + "1" + repeat(")", 100000) +
                  ";",
              Error::Kind::Crash, Message);
}

/// Where 8 MB are used up Clang would go on in a thread of its own, in which a
/// crash is nobody's.
TEST(CrashRecovery, DeepTextStaysWhereCrashesAreCaught) {
  Expected<EngineResult> R = compile("struct s { struct s *n; };\n"
                                     "struct s *f(struct s *a) { return a" +
                                         repeat("->n", 10000) + "; }",
                                     fast());
  EXPECT_TRUE(R) << R.error().render();
}

TEST(CrashRecovery, SignalsOfTheHostStayItsOwn) {
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

void *alternateStack() {
  stack_t S = {};
  sigaltstack(nullptr, &S);
  return S.ss_flags & SS_DISABLE ? nullptr : S.ss_sp;
}

/// What a sanitizer does when a thread ends: it looks whose stack is there.
void lookWhenThreadEnds(void *Seen) {
  *static_cast<void **>(Seen) = alternateStack();
}

TEST(CrashRecovery, SignalsRunOnAStackThatTheThreadDoesNotKeep) {
  pthread_key_t AtEnd;
  ASSERT_EQ(pthread_key_create(&AtEnd, lookWhenThreadEnds), 0);
  engine::CompileStack Stack;
  void *Within = nullptr, *After = &Stack;
  for (bool Crashes : {false, true}) {
    std::string Problem = run(Stack, [&] {
      pthread_setspecific(AtEnd, static_cast<void *>(&After));
      Within = alternateStack();
      if (Crashes)
        raise(SIGFPE);
    });
    EXPECT_EQ(Problem, Crashes ? "The compiler crashed over this text: signal "
                                 "Floating point exception."
                               : "");
    EXPECT_EQ(Within, Stack.handlerStack());
    EXPECT_NE(After, Within);
    EXPECT_NE(After, &Stack);
  }
  pthread_key_delete(AtEnd);
}

} // namespace
