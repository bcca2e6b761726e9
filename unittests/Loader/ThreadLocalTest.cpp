// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native thread-local variables.

#include "LoadHelpers.h"

#include <cerrno>
#include <cstdint>
#include <thread>

using namespace clinch;
using namespace clinch::test;

/// Each of the ways in which code finds its variables: those that others may
/// have, and those of the object as a whole.
static const char *const EveryWay =
    "int other = 9;"
    "__thread int shared = 5; __thread int *place = &other;"
    "static __thread char few[3] = {1, 2, 3};"
    "static __thread _Alignas(64) double many[40];"
    "extern __thread int elsewhere __attribute__((weak));"
    "int f(void) { many[39] += 1; few[2] += 1;"
    "  return ++shared * 1000 + few[2] * 100 + (int)many[39] * 10"
    "    + (*place == 9) + (few[0] == 1) + ((long)many % 64 == 0); }"
    "int *at(void) { return &shared; }"
    "__attribute__((visibility(\"internal\"))) int inner(void) { return 0; }";

template <typename Fn> static auto inThread(Fn F) {
  decltype(F()) Result;
  std::thread([&] { Result = F(); }).join();
  return Result;
}

TEST(ThreadLocal, EachThreadHasItsOwn) {
  for (const char *Flags :
       {"-xc", "-xc -O0", "-xc -fplt", "-xc -fdata-sections", "-xc -g"}) {
    auto Code = load(makeObject(EveryWay, Flags));
    ASSERT_TRUE(Code) << Flags;
    auto *F = find<int()>(Code, "f");
    EXPECT_EQ(F(), 6413) << Flags;
    EXPECT_EQ(F(), 7523) << Flags;
    EXPECT_EQ(inThread(F), 6413) << Flags;
    auto *At = find<int *()>(Code, "at");
    EXPECT_EQ(*At(), 7);
    EXPECT_NE(inThread(At), At());
    // It has no one address.
    EXPECT_EQ(Code->lookup("shared"), nullptr);
    EXPECT_NE(Code->lookup("other"), nullptr);
  }
}

/// Hidden ones are found by their offset, in whichever object they are.
TEST(ThreadLocal, ObjectsOfOneProgramShareThem) {
  for (const char *Flags :
       {"-xc++", "-xc++ -fvisibility=hidden", "-xc++ -O0 -g"}) {
    const std::string Common =
        "inline thread_local int mine = 10; extern thread_local int theirs;";
    CompileOptions R;
    R.Objects = {makeObject(Common + "thread_local int theirs = 1;"
                                     "static thread_local _Alignas(256) int n;"
                                     "int add(int by) { mine += by;"
                                     "  theirs *= by; n += by; return n; }",
                            Flags)};
    auto Code = load(makeObject(Common + "int add(int);"
                                         "extern \"C\" int f()"
                                         "  { return add(3) * 1000 + mine * 10"
                                         "      + theirs; }",
                                Flags),
                     R);
    ASSERT_TRUE(Code) << Flags;
    auto *F = find<int()>(Code, "f");
    EXPECT_EQ(F(), 3133) << Flags;
    EXPECT_EQ(F(), 6169) << Flags;
    EXPECT_EQ(inThread(F), 3133) << Flags;
  }
}

TEST(ThreadLocal, WhatCannotBeSaysWhichVariableOfWhichFile) {
  const std::string Why =
      "` of `t.c` cannot be loaded: its code counts on a place in a program "
      "that is linked as a whole; expected that of a shared library (-fPIC), "
      "or -femulated-tls.";
  for (const char *Model : {"local-exec", "initial-exec"})
    EXPECT_EQ(errorOf(makeObject("__thread int t; int *f(void) { return &t; }",
                                 std::string("-xc -ftls-model=") + Model)),
              "The thread-local variable `t" + Why);
  EXPECT_EQ(errorOf(makeObject("extern __thread int t;"
                               "int *f(void) { return &t; }")),
            "The thread-local variable `t` is missing: expected a text or an "
            "object that is linked to define it.");
}

TEST(ThreadLocal, OfALibraryIsTheLibrarys) {
  for (const char *Flags : {"-xc", "-xc -femulated-tls"}) {
    auto Code = load(makeObject("extern __thread int errno;"
                                "static __thread int own = 3;"
                                "int *f(void) { return &errno; }"
                                "int *g(void) { return &own; }",
                                Flags));
    ASSERT_TRUE(Code) << Flags;
    auto *F = find<int *()>(Code, "f");
    EXPECT_EQ(F(), &errno) << Flags;
    EXPECT_TRUE(inThread([&] { return F() == &errno; })) << Flags;
    EXPECT_EQ(*find<int *()>(Code, "g")(), 3) << Flags;
  }
}

TEST(ThreadLocal, OneVariableIsNotOfTwoKinds) {
  const std::string Mixed =
      "The thread-local variable `t` is native in one object that is linked "
      "and emulated in another: each would have its own. Expected texts that "
      "are compiled with -fno-emulated-tls, or objects with -femulated-tls.";
  const char *const Emulated = "-xc -femulated-tls";
  const std::string Defines = "__thread int t; int f(void) { return ++t; }",
                    Uses = "extern __thread int t; int g(void) { return t; }";
  for (const char *First : {"-xc", Emulated}) {
    CompileOptions R;
    R.Objects = {makeObject(Defines, First)};
    EXPECT_EQ(
        errorOf(makeObject(Uses, First == Emulated ? "-xc" : Emulated), R),
        Mixed);
  }
  const std::string Inline = "inline thread_local int t; int f() { return t; }";
  CompileOptions R;
  R.Objects = {makeObject(Inline, "-xc++")};
  EXPECT_EQ(errorOf(makeObject("inline thread_local int t;"
                               "int g() { return t; }",
                               "-xc++ -femulated-tls"),
                    R),
            Mixed);
}
