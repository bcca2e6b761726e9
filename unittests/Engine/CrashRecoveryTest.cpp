// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What asks too much.

#include "CrashRecoveryTesting.h"
#include "lib/Contract/PythonPrefix.h"

#include <cstring>
#include <fstream>
#include <memory>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace clinch;
using namespace clinch::testing;

/// A host may run under AddressSanitizer even if we were not built with it.
/// Returns the allocated bytes. A null pointer without such a run time.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the name is theirs.
extern "C" __attribute__((weak)) size_t
__sanitizer_get_current_allocated_bytes();

namespace {

TEST(CrashRecovery, DeepNestingIsAnErrorOfTheText) {
  Expected<EngineResult> R = compile("int f(void) {" + repeat("{", 100000) +
                                         repeat("}", 100000) + "return 1; }",
                                     fast());
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().kind(), Error::Kind::Compile);
  EXPECT_EQ(R.error().diagnostics().at(0).Message,
            "bracket nesting level exceeded maximum of 20000");
  expectWorks();
}

TEST(CrashRecovery, NestedStatementsAreCountedToo) {
  auto Nested = [](const char *Head, size_t Times) {
    return compile("int f(int a) {\n" + repeat(Head, Times) +
                       "a = 1; return a; }",
                   fast());
  };
  for (const char *Head : {"if (a) ", "if (a) ; else ", "while (a) ",
                           "for (; a;) ", "switch (a) case 1: "}) {
    Expected<EngineResult> R = Nested(Head, 1000);
    EXPECT_TRUE(R) << Head << R.error().render();
  }
  for (const char *Head : {"if (a) ", "for (; a;) "}) {
    Expected<EngineResult> R = Nested(Head, 100000);
    ASSERT_FALSE(R) << Head;
    EXPECT_EQ(R.error().kind(), Error::Kind::Compile);
    ASSERT_EQ(R.error().diagnostics().size(), 1u) << R.error().render();
    EXPECT_EQ(R.error().diagnostics()[0].Message,
              "statements nest too deeply: more than 20000 scopes are open");
    EXPECT_EQ(R.error().diagnostics()[0].Line, 2u);
  }
  expectWorks();
}

/// Some would crash, some print, and `overflow_stack` never returns.
TEST(CrashRecovery, WhatDebugsClangIsRefused) {
  for (const char *Name :
       {"crash", "parser_crash", "assert", "llvm_fatal_error",
        "llvm_unreachable", "overflow_stack", "sloc_usage"}) {
    std::string Pragma = std::string("clang __debug ") + Name;
    for (const std::string &Text :
         {"\n#pragma " + Pragma + "\nint a;\n",
          "#define P _Pragma(\"" + Pragma + "\")\nP int a;\n"}) {
      Expected<EngineResult> R = compile(Text, fast());
      ASSERT_FALSE(R) << Text;
      EXPECT_EQ(R.error().kind(), Error::Kind::Compile) << R.error().render();
      EXPECT_EQ(R.error().diagnostics().at(0).Message,
                "`#pragma clang __debug` is for those who debug Clang itself, "
                "and is refused");
      EXPECT_EQ(R.error().diagnostics().at(0).Line, 2u);
    }
  }
  expectWorks();
}

/// Clang makes loads for the condition that are in no block.
TEST(CrashRecovery, CodeThatIsNeverReachedCompiles) {
  const std::string Text = "double f(double x) { double a = x;\n"
                           "if (x > 0) { switch (1) { case 0: a = 1; }\n"
                           "if (__builtin_unreachable(); a > -2) a = a * a;\n"
                           "else a = x - 2; } return a + g + x; }";
  for (Tier Level : {Tier::Fast, Tier::Default, Tier::Max}) {
    CompileOptions O;
    O.Lang = Language::CXX;
    O.Level = Level;
    Expected<EngineResult> R = compile("double g = 1;\n" + Text, O);
    EXPECT_TRUE(R) << R.error().render();
  }
}

TEST(CrashRecovery, NestingAsDeepAsLargeGraphsIsFine) {
  Expected<EngineResult> R =
      compile("int f(int a) {" + repeat("{ if (a) goto out; ", 2000) +
                  "a = 1;" + repeat("}", 2000) + " out: return a; }",
              fast());
  EXPECT_TRUE(R) << R.error().render();
}

TEST(CrashRecovery, BackEndErrorsAreErrorsOfTheText) {
  expectError("void f(void) { __asm__ volatile(\"no_such_instruction\"); }",
              Error::Kind::Compile, "The text does not compile: 1 error.");
  Expected<EngineResult> R =
      compile("#line 9 \"`Op.c_code`\"\nvoid f(int x) {\n"
              "__asm__ volatile(\"movl %0, %%eax; bad_one\" :: \"r\"(x)); }",
              fast());
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().diagnostics().at(0).Message,
            "invalid instruction mnemonic 'bad_one'");
  EXPECT_EQ(R.error().diagnostics().at(0).Origin, "`Op.c_code`");
  EXPECT_EQ(R.error().diagnostics().at(0).Line, 10u);
}

TEST(CrashRecovery, WorksAfterAFork) {
  expectWorks();
  pid_t Child = fork();
  if (Child == 0)
    _exit(compile("int f(void) { return 2; }", fast()) ? 0 : 1);
  int Status = -1;
  waitpid(Child, &Status, 0);
  EXPECT_EQ(Status, 0);
}

TEST(CrashRecovery, FiftyMegabytes) {
  std::string Text = repeat("// A line that says nothing at all.\n", 1400000);
  ASSERT_GT(Text.size(), size_t(50) * 1000 * 1000);
  EXPECT_TRUE(compile(Text + "int f(void) { return 1; }\n", fast()));
  Expected<EngineResult> R =
      compile(Text + "int f(void) { return x; }\n", fast());
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().diagnostics().at(0).Line, 1400001u);
  R = compile(std::string(size_t(50) << 20, ')'), fast());
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().diagnostics().at(0).Message,
            "expected identifier or '('");
  expectWorks();
}

TEST(CrashRecovery, BytesThatAreNoText) {
  using namespace std::string_literals;
  auto expectMessage = [](const std::string &Text, const char *Message) {
    Expected<EngineResult> R = compile(Text, fast());
    ASSERT_FALSE(R) << Message;
    EXPECT_EQ(R.error().diagnostics().at(0).Message, Message);
    EXPECT_EQ(R.error().diagnostics().at(0).Line, 2u);
  };
  expectMessage("\nint f(void)\0{ return 1; }"s, "null character ignored");
  expectMessage("\nint f\xff(void) { return 1; }",
                "source file is not valid UTF-8");
  expectMessage("\nconst char *f(void) { return \"\xff\xfe\"; }",
                "illegal character encoding in string literal");
  Expected<EngineResult> R =
      compile("int f(void) { return 1; } // \xc0", fast());
  EXPECT_TRUE(R) << R.error().render();
}

/// What the process holds: resident pages or, where AddressSanitizer keeps
/// released memory for a while, what is allocated.
size_t heldBytes() {
  if (__sanitizer_get_current_allocated_bytes)
    return __sanitizer_get_current_allocated_bytes();
  std::ifstream In("/proc/self/statm");
  size_t Size = 0, Resident = 0;
  In >> Size >> Resident;
  return Resident * sysconf(_SC_PAGESIZE);
}

TEST(CrashRecovery, BadTextsLeaveNothingBehind) {
  CompileOptions O = fast();
  O.Prefix = PythonPrefix;
  auto Bad = [&](int I) {
    Expected<EngineResult> R =
        compile("int f(PyObject *a) { return b" + std::to_string(I) + "; }", O);
    ASSERT_FALSE(R);
  };
  for (int I = 0; I != 100; ++I)
    Bad(I);
  size_t Before = heldBytes();
  for (int I = 0; I != 1000; ++I)
    Bad(I);
  EXPECT_LT(heldBytes(), Before + (size_t(4) << 20));
  expectWorks();
}

/// Resident memory of no file.
size_t anonymousKilobytes() {
  std::ifstream In("/proc/self/status");
  std::string Word;
  size_t Amount = 0;
  while (In >> Word && Word != "RssAnon:")
    ;
  In >> Amount;
  return Amount;
}

/// As threads of compiles leave it: much is free, but not at the arena's end.
std::unique_ptr<char[]> fragmentArena(size_t Bytes) {
  std::unique_ptr<char[]> Last;
  std::thread([&] {
    std::vector<std::unique_ptr<char[]>> Blocks;
    for (size_t Size = 1000; Bytes > Size; Bytes -= Size) {
      Blocks.push_back(std::make_unique<char[]>(Size));
      memset(Blocks.back().get(), 1, Size);
    }
    Last = std::move(Blocks.back());
  }).join();
  return Last;
}

TEST(CrashRecovery, WhatCompilesFreedGoesBackToTheSystem) {
  if (__sanitizer_get_current_allocated_bytes)
    GTEST_SKIP() << "a sanitizer keeps what was freed";
  expectWorks();
  auto Last = fragmentArena(size_t(64) << 20);
  const size_t Before = anonymousKilobytes();
  for (int I = 0; I != 100; ++I)
    expectWorks();
  EXPECT_LT(anonymousKilobytes() + (48 << 10), Before);
}

/// The last, since what was left goes on and takes memory.
TEST(CrashRecovery, WhoIsInterruptedDoesNotWait) {
  std::string Slow =
      "int f(int a) {\n" + repeat("a = a * 3 + 1;\n", 200000) + "return a; }";
  CompileOptions O = fast();
  unsigned Asked = 0;
  O.Interrupted = [&] { return ++Asked == 2; };
  expectError(Slow, Error::Kind::Host, "The compile was interrupted.", O);
  EXPECT_EQ(Asked, 2u);
  // Those who were left go on, also without their engine.
  std::unique_ptr<Engine> Own(clinch_engine_create(EngineConfig()));
  Asked = 0;
  Expected<EngineResult> R = Own->compile({"text.c", Slow}, O);
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().message(), "The compile was interrupted.");
  Own.reset();
  // Who is asked and does not mind gets what he came for.
  Asked = 100;
  R = compile(
      "int f(int a) {\n" + repeat("a = a * 3 + 1;\n", 2000) + "return a; }", O);
  EXPECT_TRUE(R) << R.error().render();
}

} // namespace
