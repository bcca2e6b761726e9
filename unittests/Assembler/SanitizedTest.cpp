// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled text that checks itself.
//
// That the other tests of this program find something: in a build with
// AddressSanitizer their blocks are compiled with the flags that are tried
// here. In one without, nobody has the functions that report.

#include "Machine.h"

#include <gtest/gtest.h>

using namespace clinch;
using namespace clinch::testing;

namespace {

constexpr const char *Text =
    "int table[4] = {1, 2, 3, 4};\n"
    "int fromTable(int i) { return table[i]; }\n"
    "int fromStack(int i) { volatile int a[4] = {5, 6, 7, 8}; return a[i]; }\n"
    "int fromScope(int i) {\n"
    "  volatile int *p;\n"
    "  { volatile int a[4] = {i}; p = a; if (!i) return *p; }\n"
    "  return *p;\n"
    "}\n"
    "int sum(int i) { return 2147483647 + i; }\n"
    "int from(const int *p) { return *p; }\n";

Expected<Module> compileChecked(std::vector<std::string> Flags) {
  CompileOptions O;
  O.Level = Tier::Fast;
  O.Flags = std::move(Flags);
  return session().compile({"text", Text}, O);
}

} // namespace

#ifdef __SANITIZE_ADDRESS__

TEST(Sanitized, WhatGoesWrongInCompiledTextIsReported) {
  // `undefined` alone would see some of these first.
  Expected<Module> M = compileChecked({"-fsanitize=address"});
  ASSERT_TRUE(M) << M.error().render();
  auto Find = [&](const char *Name) { return M->lookupAs<int (*)(int)>(Name); };
  EXPECT_EQ(Find("fromTable")(3), 4);
  EXPECT_DEATH(Find("fromTable")(4), "global-buffer-overflow");
  EXPECT_EQ(Find("fromStack")(3), 8);
  EXPECT_DEATH(Find("fromStack")(4), "stack-buffer-overflow");
  EXPECT_EQ(Find("fromScope")(0), 0);
  EXPECT_DEATH(Find("fromScope")(1), "stack-use-after-scope");
  auto *From = M->lookupAs<int (*)(const int *)>("from");
  auto Memory = std::make_unique<int>(9);
  EXPECT_EQ(From(Memory.get()), 9);
  int *Gone = Memory.get();
  Memory.reset();
  EXPECT_DEATH(From(Gone), "heap-use-after-free");
  M = compileChecked(sanitizerFlags());
  ASSERT_TRUE(M) << M.error().render();
  EXPECT_EQ(Find("sum")(-1), 2147483646);
  EXPECT_DEATH(Find("sum")(1), "signed integer overflow");
}

TEST(Sanitized, MemoryOfReleasedCodeIsFreeAgain) {
  for (int I = 0; I < 3; ++I) {
    // The red zones behind `table` must not stay for what comes after it.
    for (auto Flags : {sanitizerFlags(), {}}) {
      Expected<Module> M = compileChecked(Flags);
      ASSERT_TRUE(M) << M.error().render();
      auto *Table = M->lookupAs<int *>("table");
      for (int J = 0; J < 4; ++J)
        EXPECT_EQ(Table[J], J + 1);
    }
  }
}

#else

TEST(Sanitized, NeedsARunTimeInTheProcess) {
#ifndef __SANITIZE_THREAD__ // Its run time has what `undefined` calls.
  Expected<Module> U = compileChecked({"-fsanitize=signed-integer-overflow"});
  ASSERT_FALSE(U);
  EXPECT_EQ(U.error().message(),
            "A symbol is missing: expected the host, a named library or the "
            "process to define `__ubsan_handle_add_overflow`.");
#endif
  Expected<Module> M = compileChecked({"-fsanitize=address"});
  ASSERT_FALSE(M);
  EXPECT_EQ(M.error().message().find(
                "Symbols are missing: expected the host, a named library or "
                "the process to define `__asan_init`, "),
            0u)
      << M.error().message();
}

#endif
