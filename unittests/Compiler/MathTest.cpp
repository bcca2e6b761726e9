//===- MathTest.cpp - How exact vector mathematics is --------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clinch/Compiler/Session.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace clinch;

namespace {

/// A machine that this one can be.
struct Machine {
  const char *CPU;
  std::vector<std::string> Flags;
  bool Fused; ///< Without it, libmvec is called, which promises 4 units.
};

std::vector<Machine> machines() {
  std::vector<Machine> All = {{"x86-64", {}, false}};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    All.push_back({"x86-64-v3", {}, true});
    All.push_back({"x86-64-v3", {"-mprefer-vector-width=128"}, true});
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
    All.push_back({"x86-64-v4", {"-mprefer-vector-width=512"}, true});
  return All;
}

using Loop = void (*)(const double *, double *, long);

/// A loop over \p Function in the tier `max`; the module keeps it alive.
Module compileLoop(const std::string &Function, const Machine &On) {
  SessionOptions SO;
  SO.DiskCache = false;
  static std::shared_ptr<Session> S = *Session::create(SO);
  CompileOptions O;
  O.Level = Tier::Max;
  O.CPU = On.CPU;
  O.Flags = On.Flags;
  auto M =
      S->compile({"loop", "#include <math.h>\n"
                          "void loop(const double *x, double *__restrict o, "
                          "long n) {\n"
                          "  for (long i = 0; i < n; ++i) o[i] = " +
                              Function + "(x[i]);\n}\n"},
                 O);
  EXPECT_TRUE(M) << M.error().message();
  return M ? *M : Module();
}

/// How many units in the last place \p Found is away from \p Exact.
double unitsAway(double Found, long double Exact) {
  int Exponent = 0;
  std::frexp(double(Exact), &Exponent);
  Exponent = std::max(Exponent - 53, -1074);
  return double(std::fabs((Found - Exact) / std::ldexp(1.0L, Exponent)));
}

/// Numbers of all sizes between \p From and \p To, close to each other.
std::vector<double> between(double From, double To) {
  constexpr int Count = 400000;
  std::vector<double> X(Count);
  for (int I = 0; I < Count; ++I)
    X[I] = From + (To - From) / Count * (I + 0.3);
  // Where one power of two ends and the next begins.
  for (int K = int(From); K < int(To); ++K)
    for (double Near : {-1e-9, -1e-16, 0.0, 1e-16, 1e-9})
      X.push_back((K + 0.5) * M_LN2 * (1 + Near));
  for (int Exponent = 0; Exponent > -1074; --Exponent)
    for (double Tiny : {std::ldexp(1, Exponent), std::ldexp(-1.7, Exponent)})
      X.push_back(Tiny);
  X.resize(X.size() / 8 * 8); // The last few would be computed by libm.
  return X;
}

/// Expects errors of at most \p Bound units over \p X on every machine.
void expectWithin(double Bound, const std::string &Function,
                  const std::vector<double> &X,
                  long double (*Exact)(long double)) {
  for (const Machine &On : machines()) {
    Module M = compileLoop(Function, On);
    std::vector<double> Found(X.size());
    M.lookupAs<Loop>("loop")(X.data(), Found.data(), long(X.size()));
    double Worst = 0, Where = 0;
    for (size_t I = 0; I < X.size(); ++I)
      if (double Away = unitsAway(Found[I], Exact(X[I])); Away > Worst) {
        Worst = Away;
        Where = X[I];
      }
    EXPECT_LE(Worst, On.Fused ? Bound : 4)
        << Function << "(" << Where << ") on " << On.CPU;
  }
}

TEST(Math, AValueGivesTheSameWhereverItStands) {
  constexpr long Most = 41;
  for (const Machine &On : machines())
    for (const char *Function : {"exp", "tanh"}) {
      if (!On.Fused)
        continue; // The last values of a loop are libm's there.
      Module M = compileLoop(Function, On);
      auto *F = M.lookupAs<Loop>("loop");
      ASSERT_TRUE(F);
      double In[Most], Whole[Most], Part[Most];
      for (long I = 0; I < Most; ++I)
        In[I] = 0.37 * double(I) - 6.1;
      F(In, Whole, Most);
      for (long Begin = 0; Begin < Most; ++Begin) {
        F(In + Begin, Part, Most - Begin);
        for (long I = Begin; I < Most; ++I)
          EXPECT_EQ(Part[I - Begin], Whole[I]) << Function << " " << On.CPU;
      }
    }
}

TEST(Modules, KnowTheirVariables) {
  SessionOptions SO;
  SO.DiskCache = false;
  std::shared_ptr<Session> S = *Session::create(SO);
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

TEST(VectorMathematics, TanhIsWithinTwoUnitsInTheLastPlace) {
  expectWithin(2, "tanh", between(-23, 23), tanhl);
}

TEST(VectorMathematics, ExpIsWithinOneUnitInTheLastPlace) {
  expectWithin(1, "exp", between(-745, 709.7), expl);
}

/// The largest finite numbers, zeros, infinities and what is no number.
TEST(VectorMathematics, TheEndsAreThoseOfLibm) {
  constexpr double Inf = std::numeric_limits<double>::infinity();
  constexpr double Max = std::numeric_limits<double>::max();
  const std::vector<double> X = {
      0.0,    -0.0,   Inf,    -Inf,    Max, -Max, 709.78, 709.79,
      -745.1, -745.2, 1e-320, -1e-320, 1e5, -1e5, 22.5,   -22.5};
  struct {
    const char *Name;
    double (*Exact)(double);
  } Functions[] = {{"exp", std::exp}, {"tanh", std::tanh}};
  for (const Machine &On : machines())
    for (auto &F : Functions) {
      Module M = compileLoop(F.Name, On);
      std::vector<double> Found(X.size());
      M.lookupAs<Loop>("loop")(X.data(), Found.data(), long(X.size()));
      for (size_t I = 0; I < X.size(); ++I) {
        double Expected = F.Exact(X[I]);
        bool Same = Found[I] == Expected &&
                    std::signbit(Found[I]) == std::signbit(Expected);
        // Between the ends, a libm may round otherwise.
        if (Expected != 0 && std::fabs(Expected) != 1 &&
            std::isfinite(Expected))
          Same = unitsAway(Found[I], Expected) <= 1;
        EXPECT_TRUE(Same) << F.Name << "(" << X[I] << ") on " << On.CPU << ": "
                          << Found[I] << ", not " << Expected;
      }
      const std::vector<double> NaN(8, std::nan(""));
      M.lookupAs<Loop>("loop")(NaN.data(), Found.data(), 8);
      for (int I = 0; I < 8; ++I)
        EXPECT_TRUE(std::isnan(Found[I])) << F.Name << " on " << On.CPU;
    }
}
