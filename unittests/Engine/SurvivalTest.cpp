//===- SurvivalTest.cpp - What would end a process --------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineTesting.h"

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace clinch;
using namespace clinch::testing;

namespace {

std::string repeat(const std::string &S, size_t Times) {
  std::string Result;
  Result.reserve(S.size() * Times);
  for (size_t I = 0; I != Times; ++I)
    Result += S;
  return Result;
}

CompileOptions fast() {
  CompileOptions O;
  O.Level = Tier::Fast;
  return O;
}

void expectWorks() {
  Expected<EngineResult> R = compile("int f(int a) { return a; }", fast());
  EXPECT_TRUE(R) << R.error().render();
}

/// The kind and message of the error that \p Text must give.
void expectError(const std::string &Text, ErrorKind Kind,
                 const std::string &Message, const CompileOptions &O = fast()) {
  Expected<EngineResult> R = compile(Text, O);
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().kind(), Kind) << R.error().render();
  EXPECT_EQ(R.error().message(), Message);
  expectWorks();
}

TEST(Survival, CrashesAreErrors) {
  expectError("#pragma clang __debug crash\n", ErrorKind::Crash,
              "The compiler crashed over this text: signal Illegal "
              "instruction.");
  expectError("#pragma clang __debug parser_crash\nint a;\n", ErrorKind::Crash,
              "The compiler crashed over this text: signal Illegal "
              "instruction.");
  expectError("#pragma clang __debug llvm_fatal_error\n", ErrorKind::Crash,
              "The compiler crashed over this text: #pragma clang __debug "
              "llvm_fatal_error.");
}

TEST(Survival, OverflownStacksAreErrors) {
  expectError("int a = " + repeat("- ", 1000000) + "1;", ErrorKind::Crash,
              "The compiler crashed over this text: signal Segmentation "
              "fault.");
}

TEST(Survival, DeepNestingIsAnErrorOfTheText) {
  Expected<EngineResult> R = compile("int f(void) {" + repeat("{", 100000) +
                                         repeat("}", 100000) + "return 1; }",
                                     fast());
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().kind(), ErrorKind::Compile);
  EXPECT_EQ(R.error().diagnostics().at(0).Message,
            "bracket nesting level exceeded maximum of 20000");
  expectWorks();
}

TEST(Survival, NestingAsDeepAsLargeGraphsIsFine) {
  Expected<EngineResult> R =
      compile("int f(int a) {" + repeat("{ if (a) goto out; ", 2000) +
                  "a = 1;" + repeat("}", 2000) + " out: return a; }",
              fast());
  EXPECT_TRUE(R) << R.error().render();
}

TEST(Survival, BackEndErrorsAreErrorsOfTheText) {
  expectError("void f(void) { __asm__ volatile(\"no_such_instruction\"); }",
              ErrorKind::Compile, "The text does not compile: 1 error.");
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

TEST(Survival, SignalsOfTheHostStayItsOwn) {
  static volatile sig_atomic_t Seen;
  Seen = 0;
  struct sigaction Ours = {}, Before, After;
  Ours.sa_handler = [](int) { Seen = 1; };
  sigaction(SIGFPE, &Ours, &Before);
  (void)compile("#pragma clang __debug crash\n", fast());
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
      for (int I = 0; I != 8; ++I) {
        std::string Name = "f" + std::to_string(T) + std::to_string(I);
        Expected<EngineResult> R =
            compile("int " + Name + "(int a) { return a; }", fast());
        Good[T] += bool(R);
        Expected<EngineResult> C =
            compile("#pragma clang __debug crash\n", fast());
        Crashed[T] += !C && C.error().kind() == ErrorKind::Crash;
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Good, std::vector<int>(6, 8));
  EXPECT_EQ(Crashed, std::vector<int>(6, 8));
}

TEST(Survival, WorksAfterAFork) {
  expectWorks();
  pid_t Child = fork();
  if (Child == 0)
    _exit(compile("int f(void) { return 2; }", fast()) ? 0 : 1);
  int Status = -1;
  waitpid(Child, &Status, 0);
  EXPECT_EQ(Status, 0);
}

TEST(Survival, TimeHasALimit) {
  CompileOptions O = fast();
  O.TimeLimitMs = 1;
  expectError(
      "int f(int a) {\n" + repeat("a = a * 3 + 1;\n", 200000) + "return a; }",
      ErrorKind::Limit, "The compile took longer than its limit of 1 ms.", O);
  O.TimeLimitMs = 100000;
  EXPECT_TRUE(compile("int f(void) { return 1; }", O));
}

TEST(Survival, MemoryHasALimit) {
  CompileOptions O = fast();
  O.MemoryLimit = size_t(4) << 20;
  expectError(
      "int f(int a) {\n" + repeat("a = a * 3 + 1;\n", 200000) + "return a; }",
      ErrorKind::Limit,
      "The compile took more memory than its limit of 4194304 bytes.", O);
  O.MemoryLimit = size_t(1) << 30;
  EXPECT_TRUE(compile("int f(void) { return 1; }", O));
}

TEST(Survival, FiftyMegabytes) {
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

TEST(Survival, BytesThatAreNoText) {
  using namespace std::string_literals;
  Expected<EngineResult> R = compile("int f(void)\0{ return 1; }"s, fast());
  ASSERT_TRUE(R) << R.error().render();
  EXPECT_EQ(R->Warnings.at(0).Message, "null character ignored");
  R = compile("int f\xff(void) { return 1; }", fast());
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().diagnostics().at(0).Message,
            "source file is not valid UTF-8");
  R = compile("const char *f(void) { return \"\xff\xfe\"; } // \xc0", fast());
  EXPECT_TRUE(R) << R.error().render();
}

size_t residentBytes() {
  std::ifstream In("/proc/self/statm");
  size_t Size = 0, Resident = 0;
  In >> Size >> Resident;
  return Resident * sysconf(_SC_PAGESIZE);
}

TEST(Survival, BadTextsLeaveNothingBehind) {
  CompileOptions O = fast();
  O.Headers = Prefix::Python;
  auto Bad = [&](int I) {
    Expected<EngineResult> R =
        compile("int f(PyObject *a) { return b" + std::to_string(I) + "; }", O);
    ASSERT_FALSE(R);
  };
  for (int I = 0; I != 100; ++I)
    Bad(I);
  size_t Before = residentBytes();
  for (int I = 0; I != 1000; ++I)
    Bad(I);
  EXPECT_LT(residentBytes(), Before + (size_t(4) << 20));
  expectWorks();
}

} // namespace
