// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is optimised beside a loop.

#include "RulesTesting.h"

#include <gtest/gtest.h>
#include <regex>

using namespace clinch;
using namespace clinch::testing;

namespace {

/// Of an assembled text: a loop, what it calls, a check, a computation and the
/// function around all.
TestText loopWithShell() {
  TestText T;
  T.authored("`Op.c_support_code`", Region::Role::Free,
             "void refuse(int); int asked(int); long deep(long);\n"
             "__attribute__((noinline)) static long twice(long x) {\n"
             "  if (x > 9) refuse(2);\n  return 2 * x;\n}\n"
             "__attribute__((noinline)) static long sum(const long *x, int n) "
             "{\n  long s = 0;\n"
             "  for (int i = 0; i < n; ++i) s += twice(x[i]);\n  return s;\n}\n"
             "static int refused(int a) { return asked(a) && asked(a + 1); }");
  T.ours("long run(const long *x, int n) {\n"
         "  if (asked(n)) { refuse(n); return 0; }\n"
         "  if (refused(n)) { refuse(n + 1); return 0; }\n"
         "  return sum(x, n);\n}\n"
         "double compute(double x, double y) {\n" +
         [] {
           std::string Steps;
           for (int I = 0; I != 12; ++I)
             Steps += "  x = x * y + y; y = y / x - x;\n";
           return Steps;
         }() +
         "  return x;\n}\n");
  return T;
}

/// The functions of \p T that are left as they are.
std::vector<std::string> left(const TestText &T, CompileOptions O) {
  O.Keep = {Stage::LLVMOpt};
  Expected<EngineResult> R = compile(T.Text, O);
  EXPECT_TRUE(R) << R.error().render();
  if (!R)
    return {};
  const std::string &IR = R->Kept.at(0).second;
  std::vector<std::string> Names;
  const std::regex Definition("define [^\n]*@(\\w+)\\([^\n]*\\) [^\n]*(#\\d+)");
  for (std::sregex_iterator I(IR.begin(), IR.end(), Definition), End; I != End;
       ++I) {
    const size_t At = IR.find("attributes " + I->str(2) + " ");
    const std::string Line = IR.substr(At, IR.find('\n', At) - At);
    if (Line.find("optnone") != Line.npos)
      Names.push_back(I->str(1));
  }
  return Names;
}

TEST(AroundLoops, ChecksAreLeftAsTheyAre) {
  CompileOptions O;
  const TestText T = loopWithShell();
  O.Regions = T.Regions;
  O.FailureVariable = "failure";
  EXPECT_EQ(left(T, O), std::vector<std::string>{"run"});
  // A tier that may take long optimises all, and a flag says what it wants.
  O.Level = Tier::Max;
  EXPECT_EQ(left(T, O), std::vector<std::string>{});
  O.Level = Tier::Default;
  O.Flags = {"-O2"};
  EXPECT_EQ(left(T, O), std::vector<std::string>{});
}

TEST(AroundLoops, FunctionsThatAnybodyMayCallAreNot) {
  EXPECT_EQ(left(loopWithShell(), {}), std::vector<std::string>{});
}

} // namespace
