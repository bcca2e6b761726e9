// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions code calls.

#include "EngineTesting.h"

#include <gtest/gtest.h>

#include <cstring>
#include <regex>
#include <set>

using namespace clinch;
using namespace clinch::testing;

namespace {

constexpr Tier Tiers[] = {Tier::Fast, Tier::Default, Tier::Max};
using Names = std::set<std::string>;
using Flags = std::vector<std::string>;

struct Function {
  std::string Name;
  unsigned Arguments;
};

/// Those that lib/Math has.
const Function Functions[] = {
#define FUNCTION(Name, Arguments) {#Name, Arguments},
#include "MathFunctions.inc"
#undef FUNCTION
};

CompileOptions options(Tier Level, const char *CPU = "x86-64-v3") {
  CompileOptions O;
  O.Level = Level;
  O.CPU = CPU;
  O.Flags = {"-D_GNU_SOURCE"};
  return O;
}

std::string optimised(const std::string &Text, CompileOptions O) {
  O.Keep = {Stage::LLVMOpt};
  Expected<EngineResult> R = compile(Text, O);
  EXPECT_TRUE(R) << R.error().render();
  return R ? R->Kept.at(0).second : "";
}

/// What the code of a text calls by name, without LLVM's own intrinsics.
Names called(const std::string &IR) {
  static const std::regex Call("call [^\n]*?@([\\w.]+)\\(");
  Names Result;
  for (std::sregex_iterator I(IR.begin(), IR.end(), Call), End; I != End; ++I)
    if ((*I)[1].str().rfind("llvm.", 0) != 0)
      Result.insert((*I)[1]);
  return Result;
}

const std::string Header = "#include <math.h>\n";

Names calledBy(const std::string &Body, const CompileOptions &O) {
  return called(optimised(Header + Body, O));
}

/// Expects the same calls in every tier.
void expectCalls(const Names &Expected, const std::string &Body,
                 const Flags &More = {}) {
  for (Tier Level : Tiers) {
    CompileOptions O = options(Level);
    O.Flags.insert(O.Flags.end(), More.begin(), More.end());
    EXPECT_EQ(calledBy(Body, O), Expected) << Body;
  }
}

std::string loop(const std::string &Type, const std::string &Call) {
  return Header + "void f(long n, " + Type + " *restrict o, const " + Type +
         " *x) {\n  for (long i = 0; i < n; ++i) o[i] = " + Call + ";\n}\n";
}

TEST(OwnMath, OneNumberIsComputedByAFunctionOfOurs) {
  for (const Flags &More : {Flags{}, {"-fno-math-errno"}, {"-ffast-math"}}) {
    expectCalls({"clinch.exp"}, "double f(double x) { return exp(x); }", More);
    expectCalls({"clinch.expf"}, "float f(float x) { return expf(x); }", More);
    expectCalls({"clinch.hypot"},
                "double f(double x, double y) { return hypot(x, y); }", More);
    expectCalls({"clinch.log"},
                "double f(double x) { return __builtin_log(x); }", More);
  }
}

TEST(OwnMath, LoopsHaveVectorsOfEveryFunctionAndCallNothing) {
  struct {
    const char *CPU, *Width;
  } Processors[] = {{"x86-64-v3", "<4 x double>"},
                    {"skylake-avx512", "<8 x double>"},
                    {"sapphirerapids", "<8 x double>"},
                    {"znver4", "<8 x double>"}};
  for (auto &P : Processors)
    for (const Function &F : Functions)
      for (const char *Type : {"double", "float"}) {
        const std::string Name = F.Name + (*Type == 'f' ? "f" : "");
        const std::string IR = optimised(
            loop(Type, Name + (F.Arguments == 2 ? "(x[i], i)" : "(x[i])")),
            options(Tier::Max, P.CPU));
        EXPECT_EQ(called(IR), Names{}) << Name << " on " << P.CPU;
        // Where little is to be done, two vectors at once are too.
        EXPECT_TRUE(IR.find(std::string("fmul ") + P.Width) != IR.npos ||
                    IR.find("fmul <8 x double>") != IR.npos)
            << Name << " on " << P.CPU << "\n"
            << IR;
      }
}

TEST(OwnMath, FunctionsOfTheTextThatCallThemAreInlinedFirst) {
  std::string Body = "exp(log(exp(log(cbrt(v)))))";
  const std::string IR =
      optimised("#include <math.h>\n"
                "static double one(double v) { return " +
                    Body +
                    "; }\n"
                    "void f(long n, double *restrict o, const double *x) {\n"
                    "  for (long i = 0; i < n; ++i) o[i] = one(x[i]);\n}\n"
                    "double g(double x) { return one(x) + one(-x); }\n",
                options(Tier::Max));
  EXPECT_NE(IR.find("store <4 x double>"), IR.npos) << IR;
}

TEST(OwnMath, AFlagSaysHowWideVectorsAre) {
  CompileOptions O = options(Tier::Max, "znver4");
  O.Flags.push_back("-mprefer-vector-width=128");
  const std::string IR = optimised(loop("double", "exp(x[i])"), O);
  EXPECT_NE(IR.find("store <2 x double>"), IR.npos) << IR;
  EXPECT_EQ(IR.find("<4 x double>"), IR.npos) << IR;
}

TEST(OwnMath, WhatNeedNotOrCannotBeInALoopIsCalled) {
  const std::string Loop = loop("double", "exp(x[i])");
  EXPECT_EQ(called(optimised(Loop, options(Tier::Fast))), Names{"clinch.exp"});
  EXPECT_EQ(called(optimised(Loop, options(Tier::Default))), Names{});
  // Without the instruction each step would be a call.
  EXPECT_EQ(called(optimised(Loop, options(Tier::Max, "x86-64-v2"))),
            Names{"clinch.exp"});
  CompileOptions Small = options(Tier::Max);
  Small.Flags.push_back("-Os");
  EXPECT_EQ(called(optimised(Loop, Small)), Names{"clinch.exp"});
  const std::string NotOptimised =
      "#define void __attribute__((optnone)) void\n";
  EXPECT_EQ(called(optimised(Loop.substr(0, Header.size()) + NotOptimised +
                                 Loop.substr(Header.size()),
                             options(Tier::Max))),
            Names{"clinch.exp"});
}

/// Expects that no tier calls a function of ours.
void expectNone(const std::string &Text, const Flags &More = {}) {
  for (Tier Level : Tiers) {
    CompileOptions O = options(Level);
    O.Flags.insert(O.Flags.end(), More.begin(), More.end());
    const std::string IR = optimised(Text, O);
    EXPECT_EQ(IR.find("@clinch."), IR.npos) << IR;
  }
}

/// Each iteration needs the one before, so that vectors of iterations cannot
/// be.
TEST(OwnMath, LoopsWithRecurrencesCallThem) {
  const char *Loops[] = {"for (long i = 1; i < n; ++i) x[i] = exp(x[i - 1]);",
                         "for (long i = 2; i < n; ++i) x[i] = exp(x[i - 2]);",
                         "for (long i = 0; i < n; ++i) x[0] = t = exp(t + i);",
                         "for (long i = 0; i < n; ++i) x[i] = exp(t *= 3);"};
  for (const char *Loop : Loops)
    for (Tier Level : {Tier::Default, Tier::Max})
      EXPECT_EQ(calledBy("void f(long n, double *x, double t) {" +
                             std::string(Loop) + "}",
                         options(Level, "skylake-avx512")),
                Names{"clinch.exp"})
          << Loop;
  const char *Vectors[] = {
      "for (long i = 8; i < n; ++i) x[i] = exp(x[i - 8]);",
      "for (long i = 0; i < n; ++i) t += exp(x[i]); *x = t;",
      "for (long i = 0; i < n; ++i) x[i] = exp(x[i + 1]);"};
  for (const char *Loop : Vectors)
    EXPECT_EQ(calledBy("void f(long n, double *x, double t) {" +
                           std::string(Loop) + "}",
                       options(Tier::Max, "skylake-avx512")),
              Names{})
        << Loop;
}

TEST(OwnMath, WhatIsNotOneOfThemIsLeftAlone) {
  const std::string Use = "double f(double x) { return exp(x); }";
  const std::string Address = "double (*a(void))(double) { return exp; }"
                              "double (*g)(double) = exp;";
  expectNone("static double exp(double x) { return x + 1; }" + Use + Address);
  expectNone("double exp(double x) { return x + 1; }" + Use + Address);
  expectNone("int exp(int); int f(int x) { return exp(x); }");
  expectNone(Header + "long double f(long double x) { return expl(x); }");
  expectNone(Header + "void f(long double *x) { sincosl(*x, x, x + 1); }");
  expectNone("#include <complex.h>\n"
             "double _Complex f(double _Complex x) { return cexp(x); }");
  expectNone(Header + Use + Address, {"-fno-builtin"});
  expectNone(Header + "double f(double x) { return log1p(x); }",
             {"-fno-builtin-log1p"});
  expectNone(Header + "#pragma STDC FENV_ACCESS ON\n" + Use);
}

TEST(OwnMath, AddressesAreOfThem) {
  for (Tier Level : Tiers) {
    const std::string IR =
        optimised(Header + "double (*kept)(double) = exp;"
                           "static double call(double (*p)(double), double x)"
                           "{ return p(x); }"
                           "double f(double x) { return call(log, x); }",
                  options(Level));
    EXPECT_NE(IR.find("global ptr @clinch.exp"), IR.npos) << IR;
    EXPECT_EQ(IR.find("ptr @log"), IR.npos) << IR;
    const Names Found = called(IR);
    EXPECT_FALSE(Found.count("log")) << IR;
    if (Level != Tier::Fast)
      EXPECT_EQ(Found, Names{"clinch.log"});
  }
}

TEST(OwnMath, OverloadsOfCXXAreThem) {
  for (Tier Level : Tiers) {
    CompileOptions O = options(Level);
    O.Lang = Language::CXX;
    Names Found = called(optimised(
        "#include <cmath>\n"
        "extern \"C\" double f(double x, float y, long double z, int k)\n"
        "{ return std::exp(x) + std::log(y) + std::log2(z) + std::cbrt(k); }",
        O));
    for (const char *Name : {"clinch.exp", "clinch.logf", "clinch.cbrt"})
      EXPECT_TRUE(Found.count(Name)) << Name;
    EXPECT_FALSE(Found.count("clinch.log2"));
  }
}

TEST(OwnMath, VectorsOfTheAuthorAreComputedLaneByLane) {
  for (const char *Size : {"16", "32", "64"})
    expectCalls({"clinch.exp"}, "typedef double V __attribute__((vector_size(" +
                                    std::string(Size) +
                                    "))); void f(V *x)"
                                    "{ *x = __builtin_elementwise_exp(*x);}");
}

/// libm's function is called too where its errno may be looked at.
TEST(OwnMath, ErrnoIsKeptForTextsThatLookAtIt) {
  const std::string Use = "double f(double x) { return exp(x); }";
  const std::string Looks = "#include <errno.h>\nint e(void) { return errno; }";
  for (Tier Level : Tiers) {
    const std::string Asked = optimised(Header + Use, [&] {
      CompileOptions O = options(Level);
      O.Flags.push_back("-fmath-errno");
      return O;
    }());
    EXPECT_TRUE(called(Asked).count("exp")) << Asked;
    EXPECT_TRUE(called(Asked).count("clinch.exp")) << Asked;
    const Names Found = calledBy(Looks + Use, options(Level));
    EXPECT_EQ(Found.count("exp"), Level == Tier::Max ? 0u : 1u);
    EXPECT_TRUE(Found.count("clinch.exp"));
    // It never sets errno.
    EXPECT_EQ(calledBy(Looks + "double f(double x) { return cbrt(x); }",
                       options(Level)),
              (Names{"__errno_location", "clinch.cbrt"}));
  }
}

/// Of a table LLVM does not know that no store changes it.
TEST(OwnMath, LoopsOverArraysThatMayOverlapHaveVectors) {
  for (const Function &F : Functions) {
    std::string Text =
        loop("double",
             std::string(F.Name) + (F.Arguments == 2 ? "(x[i], i)" : "(x[i])"));
    Text.replace(Text.find("restrict"), strlen("restrict"), "");
    const std::string IR = optimised(Text, options(Tier::Default));
    EXPECT_EQ(called(IR), Names{}) << F.Name;
    EXPECT_NE(IR.find("fmul <4 x double>"), std::string::npos) << F.Name;
  }
}

/// The blocks of \p IR that have \p What.
std::vector<std::string> blocksWith(const std::string &IR, const char *What) {
  static const std::regex Label("\n[\\w.]+:[^\n]*\n");
  std::vector<std::string> Found;
  for (std::sregex_token_iterator I(IR.begin(), IR.end(), Label, -1), End;
       I != End; ++I)
    if (I->str().find(What) != std::string::npos)
      Found.push_back(*I);
  return Found;
}

/// A sine's angle is read from a table if a number of the vector is huge.
TEST(OwnMath, WhatHugeAnglesNeedIsBehindABranch) {
  for (const char *Type : {"double", "float"})
    for (const char *Call :
         {"sin", "cos", "tan", "sin(x[i]) + cos", "x[i] < 0 ? 0 : sin"})
      for (Tier Level : {Tier::Default, Tier::Max}) {
        const std::string IR = optimised(
            loop(Type, "(" + std::string(Type) + ")(" +
                           (*Type == 'f' ? std::regex_replace(
                                               std::string(Call),
                                               std::regex("sin|cos|tan"), "$&f")
                                         : std::string(Call)) +
                           "(x[i]))"),
            options(Level, "x86-64-v4"));
        EXPECT_EQ(called(IR), Names{});
        const auto Gathers = blocksWith(IR, "call <8 x double> @llvm.masked");
        EXPECT_FALSE(Gathers.empty()) << Call << IR;
        for (const std::string &Block : Gathers)
          EXPECT_EQ(Block.find("store <"), std::string::npos) << Block;
      }
}

TEST(OwnMath, SquareRootsAreTheProcessorsUnlessErrnoIsLookedAt) {
  const std::string Double = loop("double", "sqrt(x[i])");
  const std::string Float = loop("float", "sqrtf(x[i])");
  for (Tier Level : {Tier::Default, Tier::Max}) {
    EXPECT_NE(optimised(Double, options(Level)).find("@llvm.sqrt.v4f64"),
              std::string::npos);
    EXPECT_NE(optimised(Float, options(Level)).find("@llvm.sqrt.v8f32"),
              std::string::npos);
  }
  CompileOptions O = options(Tier::Default);
  O.Flags.push_back("-fmath-errno");
  EXPECT_EQ(called(optimised(Double, O)), Names{"sqrt"});
  O = options(Tier::Default);
  O.Flags.push_back("-fno-builtin-sqrt");
  EXPECT_EQ(called(optimised(Double, O)), Names{"sqrt"});
  const std::string Looks = "#include <errno.h>\nint e(void) { return errno; }";
  EXPECT_EQ(called(optimised(Looks + "\n" + Double, options(Tier::Default))),
            (Names{"__errno_location", "sqrt"}));
}

TEST(OwnMath, SineAndCosineAtOnceAreTwoCalls) {
  const std::string Double =
      "void f(double x, double *s, double *c) { sincos(x, s, c); }";
  const std::string Float =
      "void f(float x, float *s, float *c) { sincosf(x, s, c); }";
  for (const Flags &More : {Flags{}, {"-fno-math-errno"}}) {
    expectCalls({"clinch.cos", "clinch.sin"}, Double, More);
    expectCalls({"clinch.cosf", "clinch.sinf"}, Float, More);
  }
  expectCalls({"clinch.cos", "clinch.sin", "sincos"}, Double, {"-fmath-errno"});
  expectCalls({"sincos"}, Double, {"-fno-builtin-sincos"});
  const std::string IR = optimised(
      Header + "void f(long n, double *restrict s, double *restrict c) {\n"
               "for (long i = 0; i < n; ++i) sincos(s[i], s + i, c + i); }",
      options(Tier::Max));
  EXPECT_EQ(called(IR), Names{});
  EXPECT_NE(IR.find("store <4 x double>"), IR.npos) << IR;
}

TEST(OwnMath, TheLogarithmOfGammaIsLibmsInEveryTier) {
  expectCalls({"lgamma"}, "double f(double x) { return lgamma(x); }");
  expectCalls({"lgammaf"}, "float f(float x) { return lgammaf(x); }");
}

TEST(OwnMath, CallsOfConstantsAreConstants) {
  for (const char *Body :
       {"double f(void) { return exp(0.7); }",
        "double f(void) { double x = 0.7; return pow(x, 0.3); }",
        "float f(void) { return __builtin_sinf(1e30f); }"})
    for (const Flags &More : {Flags{}, {"-ffast-math"}})
      expectCalls({}, Body, More);
  // What it sets is to be seen.
  expectCalls({"exp"}, "double f(void) { return exp(1e9); }", {"-fmath-errno"});
  expectCalls({"pow"}, "double f(double x) { return pow(x, 0.5); }",
              {"-fmath-errno"});
  EXPECT_EQ(calledBy("static double one(double x) { return exp(x) * x; }\n"
                     "double f(void) { return log(one(2)); }",
                     options(Tier::Max)),
            Names{});
}

/// As PyTensor writes sigmoid, softplus and log1mexp.
TEST(OwnMath, ChoicesAmongFunctionsHaveVectors) {
  for (const char *Expression :
       {"1.0 / (1.0 + exp(-x[i]))",
        "x[i] < -37.0 ? exp(x[i]) : x[i] < 18.0 ? log1p(exp(x[i])) : "
        "x[i] < 33.3 ? x[i] + exp(-x[i]) : x[i]",
        "x[i] < -0.6931471805599453 ? log1p(-exp(x[i])) : "
        "log(-expm1(x[i]))"})
    for (Tier Level : {Tier::Default, Tier::Max}) {
      const std::string IR =
          optimised(loop("double", Expression), options(Level));
      EXPECT_EQ(called(IR), Names{}) << Expression;
      EXPECT_NE(IR.find("store <4 x double>"), IR.npos) << Expression << IR;
    }
}

/// LLVM computes `expf(1)` as a double, and takes `pow(2, x)` for another.
TEST(OwnMath, NoTierRewritesWhatAnotherCalls) {
  const std::string Text = "float f(void) { return expf(1); }\n"
                           "float i(float x) { return erff(x); }\n"
                           "double g(double x) { return pow(2, x); }\n"
                           "double h(double x) { return pow(x, 1.5); }\n"
                           "double k(double x) { return pow(x, 2); }\n"
                           "double l(double x) { return pow(x, -0.5); }\n";
  for (const Flags &More : {Flags{}, {"-fno-math-errno"}})
    for (Tier Level : {Tier::Fast, Tier::Default}) {
      CompileOptions O;
      O.Level = Level;
      O.Flags = More;
      std::string IR = optimised(Header + Text, O);
      Names Found = called(IR);
      EXPECT_EQ(Found, (Names{"clinch.erff", "clinch.pow"})) << IR;
      EXPECT_NE(IR.find("fmul double"), IR.npos)
          << IR; // k(), l() call nothing.
    }
}

} // namespace
