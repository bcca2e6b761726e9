// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thread-local variables of shared libraries, and native ones.

#include "LoadHelpers.h"

#include <cerrno>
#include <thread>

using namespace clinch;
using namespace clinch::test;

TEST(ThreadLocal, OfALibraryIsTheLibrarys) {
  auto Code = load(makeObject("extern __thread int errno;"
                              "static __thread int own = 3;"
                              "int *f(void) { return &errno; }"
                              "int *g(void) { return &own; }",
                              "-xc -femulated-tls"));
  ASSERT_TRUE(Code);
  auto *F = find<int *()>(Code, "f");
  EXPECT_EQ(F(), &errno);
  std::thread([&] { EXPECT_EQ(F(), &errno); }).join();
  EXPECT_EQ(*find<int *()>(Code, "g")(), 3);
}

TEST(ThreadLocal, ANativeOneIsRefusedByItsName) {
  const std::string Message =
      "The thread-local variable `n::t` cannot be loaded, as it is a native "
      "one: expected code that is compiled with -femulated-tls, or a shared "
      "library.";
  for (const char *Text :
       {"namespace n { thread_local int t; } int *f() { return &n::t; }",
        "namespace n { extern thread_local int t; } int *f() { return &n::t; "
        "}"})
    for (const char *Flags : {"-xc++", "-xc++ -ftls-model=initial-exec"})
      EXPECT_EQ(errorOf(makeObject(Text, Flags)), Message);
  CompileOptions R;
  R.Objects = {makeObject("namespace n { thread_local int t; }", "-xc++")};
  EXPECT_EQ(errorOf(makeObject("int f(void) { return 1; }"), R), Message);
}
