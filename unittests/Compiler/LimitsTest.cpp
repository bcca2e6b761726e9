// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts that would go on for ever.
//
// Each of these once took minutes, or gigabytes, whatever the limits were.

#include "EngineProcesses.h"
#include "HostileTexts.h"

#include <chrono>
#include <sys/resource.h>

using namespace clinch;
using namespace clinch::test;
using namespace clinch::testing;

namespace {

constexpr size_t MemoryLimit = size_t(256) << 20;

Expected<Module> compileReally(const std::string &Text,
                               const CompileOptions &O) {
  return realSession()->compile({"text.c", Text}, O);
}

CompileOptions limited(const HostileText &H) {
  CompileOptions O;
  O.Level = H.Level;
  O.Lang = H.Lang;
  O.Flags = H.Flags;
  O.TimeLimitMs = 1000;
  O.MemoryLimit = MemoryLimit;
  return O;
}

/// The most that any engine's process has held.
size_t mostResident() {
  rusage Use = {};
  getrusage(RUSAGE_CHILDREN, &Use);
  return size_t(Use.ru_maxrss) << 10;
}

class Hostile : public ::testing::TestWithParam<HostileText> {};

void expectLeftInTime(const HostileText &H) {
  const CompileOptions O = limited(H);
  ASSERT_TRUE(compileReally("int f(int a) { return a; }", O));
  ASSERT_EQ(engineProcesses().size(), 1u);
  const size_t Before = residentBytes(engineProcesses()[0]);
  const auto Begin = std::chrono::steady_clock::now();
  auto R = compileReally(H.Text(), O);
  const std::chrono::duration<double> Took =
      std::chrono::steady_clock::now() - Begin;
  EXPECT_LT(Took.count(), 2.0);
  ASSERT_FALSE(R);
  const std::string &Message = R.error().message();
  if (H.IsError)
    EXPECT_EQ(R.error().kind(), Error::Kind::Compile) << R.error().render();
  else
    EXPECT_TRUE(Message ==
                    "The compile took longer than its limit of 1000 ms." ||
                Message == "The compile took more memory than its limit of "
                           "268435456 bytes.")
        << R.error().render();
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LT(mostResident(), Before + MemoryLimit + (size_t(100) << 20));
#endif
  auto Again = compileReally("int f(int a) { return a + 1; }", O);
  EXPECT_TRUE(Again) << Again.error().render();
}

/// In a child, which sees its own engine's processes alone.
TEST_P(Hostile, IsLeftInTime) {
  EXPECT_EQ(inChild([] { expectLeftInTime(GetParam()); }), 0);
}

INSTANTIATE_TEST_SUITE_P(Texts, Hostile, ::testing::ValuesIn(hostileTexts()),
                         [](const auto &Info) { return Info.param.Name; });

void expectLimit(const CompileOptions &O, const char *Message) {
  auto R = compileReally(
      "int f(int a) {\n" + many("a = a * 3 + 1;\n", 200000) + "return a; }", O);
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().kind(), Error::Kind::Limit) << R.error().render();
  EXPECT_EQ(R.error().message(), Message);
}

TEST(Limits, TimeHasOne) {
  CompileOptions O;
  O.Level = Tier::Fast;
  O.TimeLimitMs = 1;
  expectLimit(O, "The compile took longer than its limit of 1 ms.");
  O.TimeLimitMs = 100000;
  EXPECT_TRUE(compileReally("int f(void) { return 1; }", O));
}

TEST(Limits, MemoryHasOne) {
  CompileOptions O;
  O.Level = Tier::Fast;
  O.MemoryLimit = size_t(4) << 20;
  expectLimit(O,
              "The compile took more memory than its limit of 4194304 bytes.");
  O.MemoryLimit = size_t(1) << 30;
  EXPECT_TRUE(compileReally("int f(void) { return 2; }", O));
  O.MemoryLimit = SIZE_MAX;
  EXPECT_TRUE(compileReally("int f(void) { return 3; }", O));
}

TEST(Limits, AProcessServesTextAfterText) {
  CompileOptions O;
  O.MemoryLimit = size_t(64) << 20;
  ASSERT_TRUE(compileReally("int f(void) { return 4; }", O));
  const std::vector<pid_t> First = engineProcesses();
  for (int I = 5; I < 25; ++I)
    ASSERT_TRUE(
        compileReally("int f(void) { return " + std::to_string(I) + "; }", O));
  auto Wrong = compileReally("int f(void) { return wrong; }", O);
  ASSERT_FALSE(Wrong);
  EXPECT_EQ(Wrong.error().kind(), Error::Kind::Compile);
  EXPECT_EQ(engineProcesses(), First);
}

} // namespace
