// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts that ask too much.

#pragma once

#include "clinch/Compiler/Options.h"

#include <functional>
#include <string>
#include <vector>

namespace clinch::testing {

struct HostileText {
  const char *Name;
  std::function<std::string()> Text;
  Language Lang = Language::C;
  Tier Level = Tier::Fast;
  std::vector<std::string> Flags = {};
  bool IsError = false; ///< It is wrong, and is found to be in time.
};

inline std::string many(const std::string &S, size_t Times) {
  std::string Result;
  Result.reserve(S.size() * Times);
  for (size_t I = 0; I != Times; ++I)
    Result += S;
  return Result;
}

inline std::vector<HostileText> hostileTexts() {
  using namespace std::string_literals;
  return {
      {"Templates",
       [] {
         return "template <int N, long M> struct A { static const long v = "
                "A<N - 1, 2 * M>::v + A<N - 1, 2 * M + 1>::v; };\n"
                "template <long M> struct A<0, M> { static const long v = 1; "
                "};\n"
                "long f() { return A<40, 0>::v; }"s;
       },
       Language::CXX},
      {"Dimensions", [] { return "int p" + many("[1]", 50000) + ";"; }},
      {"WideProducts",
       [] {
         return "#define B(x) ((unsigned _BitInt(8388607))(x))\n"
                "unsigned f(unsigned a) { unsigned _BitInt(8388607) x = a;\n" +
                many("x = x * x + B(a);\n", 40) + "return (unsigned)x; }";
       }},
      {"Unrolling",
       [] {
         return "void g(int); void f(void) {\n"
                "#pragma clang loop unroll_count(100000)\n"
                "for (int i = 0; i < 1000000; ++i) { g(i); g(i * 3); "
                "g(i ^ 5); } }"s;
       },
       Language::C, Tier::Default},
      {"Initialiser",
       [] {
         return "int a[] = {[0 ... 500000000] = 3};\n"
                "int f(void) { return a[7]; }"s;
       }},
      {"Repetition",
       [] {
         return "__asm__(\".rept 1000000000\\n nop\\n .endr\");\n"
                "int f(void) { return 1; }"s;
       }},
      {"Commas",
       [] {
         return "int f(int a) { return " + many("a = a * 3 + 1, ", 100000) +
                "a; }";
       }},
      {"Misspelt",
       [] {
         return "int " + many("abcdefghij", 10000) +
                ";\nint f(void) { return " + many("abcdefghik", 10000) + "; }";
       },
       Language::C,
       Tier::Fast,
       {},
       true},
      {"Filled",
       [] {
         return "__asm__(\".fill 4000000000, 1, 7\");\n"
                "int f(void) { return 1; }"s;
       }},
      {"Spaced",
       [] {
         return "__asm__(\".space 4000000000, 7\");\n"
                "int f(void) { return 1; }"s;
       }},
  };
}

} // namespace clinch::testing
