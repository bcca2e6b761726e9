// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code asks of the machine.

#include "LoadHelpers.h"

#include <thread>

using namespace clinch;
using namespace clinch::test;

TEST(Machine, EmulatedThreadLocalsAreEachThreadsOwn) {
  auto Code = load(makeObject("__thread int t = 5;"
                              "int f(int x) { return t += x; }",
                              "-xc -femulated-tls"));
  auto *F = find<int(int)>(Code, "f");
  EXPECT_EQ(F(1), 6);
  EXPECT_EQ(F(1), 7);
  int There = 0;
  std::thread([&] { There = F(1); }).join();
  EXPECT_EQ(There, 6);
  EXPECT_EQ(F(1), 8);
}

TEST(Machine, FeaturesOfTheProcessorAreKnown) {
  auto Code = load(makeObject(
      "int sse2(void) { return !!__builtin_cpu_supports(\"sse2\"); }"
      "int avx512(void) { return !!__builtin_cpu_supports(\"avx512f\"); }"
      "int amx(void) { __builtin_cpu_init();"
      "  return !!__builtin_cpu_supports(\"amx-tile\"); }"
      "int maker(void) { return !!__builtin_cpu_is(\"intel\")"
      "  + 2 * !!__builtin_cpu_is(\"amd\"); }",
      "-xc -mcmodel=large")); // Clang takes the tables to be near.
  EXPECT_EQ(find<int()>(Code, "sse2")(), 1);
  EXPECT_EQ(find<int()>(Code, "avx512")(), !!__builtin_cpu_supports("avx512f"));
  EXPECT_EQ(find<int()>(Code, "maker")(),
            !!__builtin_cpu_is("intel") + 2 * !!__builtin_cpu_is("amd"));
  find<int()>(Code, "amx")();
}

TEST(Machine, ComplexNumbersAreMultipliedAndDivided) {
  auto Code = load(makeObject(
      "double f(double a, double b) { _Complex double z = a + b * 1i;"
      "  z = z * z / (b - a * 1i); return __real__ z + 1000 * __imag__ z; }"));
  // (1 + 2i)^2 / (2 - i) = -2 + i
  EXPECT_EQ((find<double(double, double)>(Code, "f")(1, 2)), -2 + 1000);
}

TEST(Machine, SixteenBytesAreAtomic) {
  auto Code = load(makeObject(
      "_Atomic __int128 v = 7; long f(long x) { v += x; return (long)v; }"
      "int g(long x) { __int128 e = x;"
      "  return __c11_atomic_compare_exchange_strong(&v, &e, 1, 5, 5); }"));
  EXPECT_EQ(find<long(long)>(Code, "f")(3), 10);
  EXPECT_EQ(find<int(long)>(Code, "g")(9), 0);
  EXPECT_EQ(find<int(long)>(Code, "g")(10), 1);
  EXPECT_EQ(find<long(long)>(Code, "f")(0), 1);
}

TEST(Machine, ShortFloatsAreConverted) {
  auto Code =
      load(makeObject("float f(float x) { return (float)(__bf16)x; }"
                      "double g(double x) { return (double)(_Float16)x; }"
                      "long double h(double x) { return (__bf16)x; }"));
  EXPECT_EQ(find<float(float)>(Code, "f")(1.00390625f), 1.0f);
  EXPECT_EQ(find<double(double)>(Code, "g")(0.1), 0.0999755859375);
  EXPECT_EQ(find<long double(double)>(Code, "h")(3), 3);
}

TEST(Machine, WideIntegersAreDivided) {
  auto Code =
      load(makeObject("long f(long a, long b) { __int128 x = (__int128)a << 64;"
                      "  return (long)(x / b >> 60); }"));
  EXPECT_EQ((find<long(long, long)>(Code, "f")(3, 6)), 8);
}

TEST(Machine, SectionsKnowWhereTheyBeginAndEnd) {
  auto Code = load(
      makeObject("__attribute__((section(\"numbers\"), used)) static int a = 3;"
                 "__attribute__((section(\"numbers\"), used)) static int b = 4;"
                 "extern int __start_numbers[], __stop_numbers[];"
                 "int f(void) { int n = 0; for (int *p = __start_numbers;"
                 "  p != __stop_numbers; ++p) n = n * 10 + *p; return n; }"));
  EXPECT_EQ(find<int()>(Code, "f")(), 34);
  EXPECT_EQ(errorOf(makeObject("extern int __start_absent[];"
                               "int *f(void) { return __start_absent; }")),
            "A symbol is missing: expected the host, a named library or the "
            "process to define `__start_absent`.");
}

TEST(Machine, NotesThatAreLoadedCanBeRead) {
  auto Code = load(makeObject(
      "__attribute__((section(\".note.mine\"), used))"
      "  static const int note[4] = {4, 0, 1, 42};"
      "int f(int i) { return note[i]; }"
      "asm(\".section .note.other,\\\"a\\\",@note\\n"
      "other: .long 17\\n.previous\");"
      "extern const int other __attribute__((visibility(\"hidden\")));"
      "int g(void) { return *(const volatile int *)&other; }"
      "int h(int i) { return *(const volatile int *)(note + i); }"));
  EXPECT_EQ(find<int(int)>(Code, "h")(3), 42);
  EXPECT_EQ(find<int()>(Code, "g")(), 17);
}

TEST(Machine, HandlesAreEachObjectsOwn) {
  const std::string Object = makeObject(
      "extern void *__dso_handle __attribute__((visibility(\"hidden\")));"
      "void *f(void) { return &__dso_handle; }");
  auto A = load(Object), B = load(Object);
  EXPECT_NE(find<void *()>(A, "f")(), find<void *()>(B, "f")());
}
