//===- MathTest.cpp - Vector mathematics -------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clinch/Compiler/Session.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace clinch;

namespace {

/// A machine that this one can be.
struct Machine {
  const char *CPU;
  std::vector<std::string> Flags;
};

std::vector<Machine> machines() {
  std::vector<Machine> All = {{"x86-64", {}}};
  if (__builtin_cpu_supports("avx"))
    All.push_back({"sandybridge", {}});
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    All.push_back({"x86-64-v3", {}});
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
    All.push_back({"x86-64-v4", {"-mprefer-vector-width=512"}});
  return All;
}

struct Function {
  const char *Name;
  bool Two = false;
};

constexpr Function Functions[] = {
    {"acos"},       {"acosh"}, {"asin"},  {"asinh"},     {"atan"},
    {"atanh"},      {"cbrt"},  {"cos"},   {"cosh"},      {"erf"},
    {"erfc"},       {"exp"},   {"exp10"}, {"exp2"},      {"expm1"},
    {"log"},        {"log10"}, {"log1p"}, {"log2"},      {"sin"},
    {"sinh"},       {"tan"},   {"tanh"},  {"pow", true}, {"atan2", true},
    {"hypot", true}};

template <typename T> const char *typeName();
template <> const char *typeName<double>() { return "double"; }
template <> const char *typeName<float>() { return "float"; }

/// Each function as a loop and as one call.
template <typename T> std::string text() {
  std::string Text = "#define _GNU_SOURCE\n#include <math.h>\n";
  const std::string Type = typeName<T>();
  for (const Function &F : Functions) {
    const std::string Name = F.Name;
    const std::string Call = Name + (sizeof(T) == 4 ? "f" : "");
    Text += "void loop_" + Name + "(const " + Type + " *x, const " + Type +
            " *y, " + Type +
            " *__restrict o, long n) {\n"
            "  for (long i = 0; i < n; ++i) o[i] = " +
            Call + (F.Two ? "(x[i], y[i])" : "(x[i])") + ";\n}\n" + Type +
            " one_" + Name + "(" + Type + " x, " + Type + " y) { return " +
            Call + (F.Two ? "(x, y)" : "(x)") + "; }\n";
  }
  return Text;
}

template <typename T> class Code {
public:
  using Loop = void (*)(const T *, const T *, T *, long);
  using One = T (*)(T, T);

  Code(Tier Level, const char *CPU, std::vector<std::string> Flags) {
    Session::Options SO;
    SO.DiskCache = false;
    static std::shared_ptr<Session> S = Session::create(SO);
    CompileOptions O;
    O.Level = Level;
    O.CPU = CPU;
    O.Flags = std::move(Flags);
    auto Made = S->compile({"functions", text<T>()}, O);
    EXPECT_TRUE(Made) << Made.error().message();
    if (Made)
      M = *Made;
  }
  Loop loop(const Function &F) const {
    return M.lookupAs<Loop>(std::string("loop_") + F.Name);
  }
  One one(const Function &F) const {
    return M.lookupAs<One>(std::string("one_") + F.Name);
  }

private:
  Module M;
};

template <typename T> Code<T> vectorCode(Tier Level, const Machine &On) {
  std::vector<std::string> Flags = On.Flags;
  Flags.push_back("-fveclib=libmvec");
  return Code<T>(Level, On.CPU, Flags);
}

template <typename T> bool sameBits(T A, T B) {
  return (std::isnan(A) && std::isnan(B)) ||
         (A == B && std::signbit(A) == std::signbit(B));
}

/// How many units in the last place \p Found is away from \p Exact.
template <typename T> double unitsAway(T Found, long double Exact) {
  constexpr int Digits = std::numeric_limits<T>::digits;
  int Exponent = 0;
  std::frexp(T(Exact), &Exponent);
  Exponent = std::max(Exponent, std::numeric_limits<T>::min_exponent) - Digits;
  return double(std::fabs((Found - Exact) / std::ldexp(1.0L, Exponent)));
}

/// Computes vectors of every length, from every beginning, and single numbers.
template <typename T> void expectSameEverywhere(const Machine &On) {
  constexpr long Most = 41;
  Code<T> Max = vectorCode<T>(Tier::Max, On);
  Code<T> Fast = vectorCode<T>(Tier::Fast, On);
  T X[Most], Y[Most], Whole[Most], Part[Most];
  for (long I = 0; I < Most; ++I) {
    X[I] = T(0.37) * T(I) - T(6.1);
    Y[I] = T(0.21) * T(I) - T(1.3);
  }
  // One that a function leaves to libm stands among the others.
  X[7] = std::numeric_limits<T>::infinity();
  X[22] = T(1e5);
  X[30] = std::numeric_limits<T>::denorm_min();
  for (const Function &F : Functions) {
    auto Loop = Max.loop(F);
    ASSERT_TRUE(Loop);
    Loop(X, Y, Whole, Most);
    for (long Begin = 0; Begin < Most; ++Begin) {
      Loop(X + Begin, Y + Begin, Part, Most - Begin);
      for (long I = Begin; I < Most; ++I)
        EXPECT_TRUE(sameBits(Part[I - Begin], Whole[I]))
            << F.Name << "(" << X[I] << ") on " << On.CPU;
    }
    for (long I = 0; I < Most; ++I)
      for (const Code<T> *C : {&Max, &Fast})
        EXPECT_TRUE(sameBits(C->one(F)(X[I], Y[I]), Whole[I]))
            << F.Name << "(" << X[I] << ") on " << On.CPU;
  }
}

TEST(VectorMathematics, AValueGivesTheSameWhereverItStands) {
  for (const Machine &On : machines()) {
    expectSameEverywhere<double>(On);
    expectSameEverywhere<float>(On);
  }
}

/// Zeros, infinities, what is no number, the ends of the range and numbers so
/// small that they have fewer digits.
template <typename T> std::vector<T> specialValues() {
  using L = std::numeric_limits<T>;
  std::vector<T> X;
  for (T V : {T(0),         L::infinity(),   L::max(), L::min(),
              L::min() / 4, L::denorm_min(), T(1),     T(2),
              T(0.5),       T(1e5),          T(1e-5),  T(1e22),
              T(3),         T(88.5),         T(104),   T(709.5),
              T(710),       T(745.5),        T(1024),  T(1075),
              T(38.5),      T(308),          T(323),   T(128),
              T(150),       T(27),           T(6)}) {
    X.push_back(V);
    X.push_back(-V);
  }
  X.push_back(L::quiet_NaN());
  return X;
}

template <typename T> void expectLikeLibm(const Machine &On) {
  Code<T> Vectors = vectorCode<T>(Tier::Fast, On);
  Code<T> Libm(Tier::Fast, "x86-64", {});
  const std::vector<T> Values = specialValues<T>();
  for (const Function &F : Functions)
    for (T X : Values)
      for (T Y : F.Two ? Values : std::vector<T>{T(0)}) {
        const T Found = Vectors.one(F)(X, Y), Expected = Libm.one(F)(X, Y);
        bool Same = sameBits(Found, Expected);
        // Between the ends they may round otherwise.
        if (!Same && Expected != 0 && std::isfinite(Expected))
          Same = std::signbit(Found) == std::signbit(Expected) &&
                 unitsAway(Found, Expected) <= 4;
        EXPECT_TRUE(Same) << F.Name << "(" << X << ", " << Y << ") on "
                          << On.CPU << ": " << Found << ", not " << Expected;
      }
}

TEST(VectorMathematics, SpecialValuesAreThoseOfLibm) {
  for (const Machine &On : machines()) {
    expectLikeLibm<double>(On);
    expectLikeLibm<float>(On);
  }
}

/// glibc promises four units in the last place; libm is within one.
template <typename T> void expectExact(const Machine &On) {
  Code<T> Vectors = vectorCode<T>(Tier::Fast, On);
  Code<T> Libm(Tier::Fast, "x86-64", {});
  std::mt19937_64 Random(20260101);
  std::uniform_real_distribution<T> Small(-2, 2), Large(-700, 700);
  for (const Function &F : Functions)
    for (int I = 0; I < 20000; ++I) {
      const T X = I % 2 ? Small(Random) : Large(Random), Y = Small(Random);
      const T Found = Vectors.one(F)(X, Y), Expected = Libm.one(F)(X, Y);
      EXPECT_TRUE(sameBits(Found, Expected) || unitsAway(Found, Expected) <= 5)
          << F.Name << "(" << X << ", " << Y << ") on " << On.CPU << ": "
          << Found << ", not " << Expected;
    }
}

TEST(VectorMathematics, IsWithinFourUnitsInTheLastPlace) {
  for (const Machine &On : machines()) {
    expectExact<double>(On);
    expectExact<float>(On);
  }
}

TEST(Modules, KnowTheirVariables) {
  Session::Options SO;
  SO.DiskCache = false;
  std::shared_ptr<Session> S = Session::create(SO);
  auto M = S->compile({"text",
                       "static int kept; int shared = 3; const int fixed = 4;\n"
                       "static const char *const text[] = {\"a\", \"b\"};\n"
                       "int *f(void) { static double inner; inner += fixed;\n"
                       "kept += shared + text[kept & 1][0]; return &kept; }"},
                      {});
  ASSERT_TRUE(M) << M.error().message();
  EXPECT_EQ(M->variables(),
            (std::vector<std::string>{"f.inner", "kept", "shared"}));
  EXPECT_TRUE(Module().variables().empty());
}

} // namespace
