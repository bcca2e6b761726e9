// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same bits everywhere.

#include "SessionTesting.h"
#include "jit/Engine/Engine.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <xmmintrin.h>

using namespace clinch;
using test::session;

namespace {

/// A machine that this one can be.
struct Machine {
  const char *CPU;
  std::vector<std::string> Flags;
};

std::vector<Machine> machines() {
  const std::string Here = hostCPUFingerprint();
  auto Has = [&](const char *Feature) {
    return Here.find(",+" + std::string(Feature) + ',') != Here.npos;
  };
  std::vector<Machine> All = {{"x86-64", {}}, {"x86-64-v2", {}}};
  if (Has("avx2") && Has("fma"))
    for (const char *Width : {"128", "256"})
      All.push_back(
          {"x86-64-v3", {std::string("-mprefer-vector-width=") + Width}});
  if (Has("avx512f") && Has("avx512vl"))
    All.push_back({"x86-64-v4", {"-mprefer-vector-width=512"}});
  return All;
}

CompileOptions optionsOf(const Machine &On, Tier Level) {
  CompileOptions O;
  O.Level = Level;
  O.CPU = On.CPU;
  O.Flags = On.Flags;
  return O;
}

struct Function {
  const char *Name;
  unsigned Arguments;
};

/// Those that lib/Math has.
constexpr Function Functions[] = {
#define FUNCTION(Name, Arguments) {#Name, Arguments},
#include "MathFunctions.inc"
#undef FUNCTION
};

template <typename T> const char *typeName();
template <> const char *typeName<double>() { return "double"; }
template <> const char *typeName<float>() { return "float"; }

/// Each function as a loop, as one call, of a constant, and as an address.
template <typename T> std::string text() {
  std::string Text = "#define _GNU_SOURCE\n#include <math.h>\n";
  const std::string Type = typeName<T>();
  for (const Function &F : Functions) {
    const std::string Name = F.Name;
    const std::string Call = Name + (sizeof(T) == 4 ? "f" : "");
    const bool Two = F.Arguments == 2;
    const std::string Parameters = Type + (Two ? ", " + Type : "");
    Text += "void loop_" + Name + "(const " + Type + " *x, const " + Type +
            " *y, " + Type +
            " *__restrict o, long n) {\n"
            "  for (long i = 0; i < n; ++i) o[i] = " +
            Call + (Two ? "(x[i], y[i])" : "(x[i])") + ";\n}\n" + Type +
            " one_" + Name + "(" + Type + " x, " + Type + " y) { return " +
            Call + (Two ? "(x, y)" : "(x)") + "; }\n" + Type + " constant_" +
            Name + "(void) { " + Type + " x = 0.7, y = 0.3; return " + Call +
            (Two ? "(x, y)" : "(x)") + "; }\n" + Type + " literal_" + Name +
            "(void) { return " + Call + (Two ? "(0.7, 0.3)" : "(0.7)") +
            "; }\n" + Type + " (*const kept_" + Name + ")(" + Parameters +
            ") = " + Call + ";\n" + Type + " pointer_" + Name + "(" + Type +
            " x, " + Type + " y) { return kept_" + Name +
            (Two ? "(x, y)" : "(x)") + "; }\n";
  }
  return Text;
}

template <typename T> class Code {
public:
  using Loop = void (*)(const T *, const T *, T *, long);
  using One = T (*)(T, T);

  Code(Tier Level, const Machine &On) {
    auto Made =
        session().compile({"functions", text<T>()}, optionsOf(On, Level));
    EXPECT_TRUE(Made) << Made.error().message();
    if (Made)
      M = *Made;
  }
  template <typename F> F find(const char *Way, const Function &Of) const {
    return M.lookupAs<F>(std::string(Way) + Of.Name);
  }

private:
  Module M;
};

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

/// 1,003 numbers, so that each width leaves a remainder.
template <typename T> std::vector<T> numbers(unsigned Seed) {
  std::vector<T> X = specialValues<T>();
  std::mt19937_64 Random(Seed);
  std::uniform_real_distribution<T> Small(-2, 2), Large(-700, 700);
  while (X.size() < 1003)
    X.push_back(X.size() % 2 ? Small(Random) : Large(Random));
  std::shuffle(X.begin(), X.end(), Random);
  return X;
}

/// What the first code that was asked for a function gave.
template <typename T> using Known = std::map<std::string, std::vector<T>>;

/// \p Control: of the processor while the code runs.
template <typename T>
void expectKnown(const Code<T> &C, const Function &F, Known<T> &First,
                 const std::string &Where, unsigned Control = _mm_getcsr()) {
  static const std::vector<T> X = numbers<T>(1), Y = numbers<T>(2);
  const long N = long(X.size());
  std::vector<T> Whole(X.size()), Part(X.size()), Alone, Kept;
  auto Loop = C.template find<typename Code<T>::Loop>("loop_", F);
  auto One = C.template find<typename Code<T>::One>("one_", F);
  auto Pointer = C.template find<typename Code<T>::One>("pointer_", F);
  ASSERT_TRUE(Loop && One && Pointer);
  const unsigned Usual = _mm_getcsr();
  _mm_setcsr(Control);
  Loop(X.data(), Y.data(), Whole.data(), N);
  Loop(X.data() + 5, Y.data() + 5, Part.data() + 5, N - 5);
  for (long I = 0; I != N; ++I) {
    Alone.push_back(One(X[I], Y[I]));
    Kept.push_back(Pointer(X[I], Y[I]));
  }
  _mm_setcsr(Usual);
  const std::vector<T> &Expected =
      First.try_emplace(F.Name, Whole).first->second;
  for (long I = 0; I != N; ++I) {
    EXPECT_TRUE(sameBits(Whole[I], Expected[I]) &&
                (I < 5 || sameBits(Part[I], Expected[I])) &&
                sameBits(Alone[I], Expected[I]) &&
                sameBits(Kept[I], Expected[I]))
        << F.Name << "(" << X[I] << ", " << Y[I] << ") " << Where;
  }
  for (const char *Way : {"constant_", "literal_"}) {
    auto Constant = C.template find<T (*)()>(Way, F);
    EXPECT_TRUE(sameBits(Constant(), One(T(0.7), T(0.3)))) << F.Name << Where;
  }
}

/// In a loop, in its remainder, alone, through a pointer, of constants; on each
/// processor, at each width, in each tier.
template <typename T> void expectSameEverywhere() {
  Known<T> First;
  for (const Machine &On : machines())
    for (Tier Level : {Tier::Fast, Tier::Default, Tier::Max}) {
      const Code<T> C(Level, On);
      for (const Function &F : Functions)
        expectKnown(C, F, First,
                    std::string(" on ") + On.CPU + ", tier " +
                        std::to_string(int(Level)));
    }
}

TEST(Mathematics, AValueGivesTheSameBitsWhereverItStands) {
  expectSameEverywhere<double>();
  expectSameEverywhere<float>();
}

/// The best that this machine can be, if it has FMA: without, libm's `fma` is
/// called, which is not ours.
std::vector<Machine> best() {
  const Machine Last = machines().back();
  return std::string(Last.CPU) > "x86-64-v2" ? std::vector{Last}
                                             : std::vector<Machine>{};
}

template <typename T> void expectSameWhereAHostFlushes() {
  constexpr unsigned SubnormalsAreZero = 0x8040;
  Known<T> First;
  for (const Machine &On : best())
    for (Tier Level : {Tier::Fast, Tier::Default, Tier::Max}) {
      const Code<T> C(Level, On);
      for (const Function &F : Functions)
        expectKnown(C, F, First, " where the host flushes",
                    _mm_getcsr() | SubnormalsAreZero);
    }
}

TEST(Mathematics, AHostThatFlushesGetsOneResultInEveryWay) {
  expectSameWhereAHostFlushes<double>();
  expectSameWhereAHostFlushes<float>();
}

/// What a text permits around a function is permitted to nobody inside.
template <typename T> void expectSameUnderFlags() {
  const std::vector<std::string> Many[] = {
      {},
      {"-ffp-contract=fast"},
      {"-freciprocal-math", "-fapprox-func"},
      {"-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"}};
  Known<T> First;
  for (const Machine &On : best())
    for (const auto &Flags : Many) {
      Machine Changed = On;
      Changed.Flags.insert(Changed.Flags.end(), Flags.begin(), Flags.end());
      const Code<T> C(Tier::Max, Changed);
      for (const Function &F : Functions)
        expectKnown(C, F, First, Flags.empty() ? "" : " with " + Flags[0]);
    }
}

TEST(Mathematics, FlagsOfATextChangeNoBitOfAFunction) {
  expectSameUnderFlags<double>();
  expectSameUnderFlags<float>();
}

/// Negations of x and y that LLVM may move, merge or take away. Of the first
/// few, which no arithmetic is in, the sign of a NaN is kept as well.
constexpr size_t NegationsOfNaN = 8;
std::vector<std::string> negations() {
  std::vector<std::string> All = {
      "-x", "-(-x)", "-fabs(x)", "fabs(-x)", "!-x", "-trunc(x)",
      "copysign(x, -y)", "x > y ? -x : y",
      // LLVM computes -x * 2 as x * -2, which changes the sign of a NaN alone.
      "-(x * y)", "-x * y", "-(x / y)", "-(2 / x)", "-(x * 2)", "x * -1",
      "x / -1", "x - (-y)", "-(x - y)", "-(x + y)", "-x - y", "0 - x", "-x + 0",
      "x + -y * 2", "-(x * y) - 1", "-fma(x, y, x)", "fma(-x, y, -x)",
      "-sqrt(x)", "-fmin(-x, -y)", "-(x > y ? x : -y)"};
  for (const Function &F : Functions) {
    const std::string Name = F.Name;
    const bool Two = F.Arguments == 2;
    All.push_back("-" + Name + (Two ? "(-x, y)" : "(-x)"));
    All.push_back(Name + (Two ? "(x, -y)" : "(-fabs(x))"));
  }
  return All;
}

/// What each of them gives for all pairs of special values.
template <typename T>
std::vector<std::vector<T>> negated(const CompileOptions &O) {
  const std::vector<std::string> All = negations();
  std::string Text = std::string("#define _GNU_SOURCE\n#include <tgmath.h>\n"
                                 "#define exp10(x) _Generic(x, float: "
                                 "exp10f, default: exp10)(x)\ntypedef ") +
                     typeName<T>() + " T;\n";
  for (size_t K = 0; K != All.size(); ++K)
    Text += "void f" + std::to_string(K) +
            "(const T *p, const T *q, T *__restrict o, long n) {\n"
            "  for (long i = 0; i < n; ++i) { T x = p[i], y = q[i]; o[i] = " +
            All[K] + "; }\n}\n";
  auto M = session().compile({"negations", Text}, O);
  EXPECT_TRUE(M) << M.error().message();
  std::vector<T> X, Y;
  for (T A : specialValues<T>())
    for (T B : specialValues<T>()) {
      X.insert(X.end(), {A, -A});
      Y.insert(Y.end(), {B, B});
    }
  std::vector<std::vector<T>> Made(All.size(), std::vector<T>(X.size()));
  for (size_t K = 0; M && K != All.size(); ++K)
    M->template lookupAs<void (*)(const T *, const T *, T *, long)>(
        "f" + std::to_string(K))(X.data(), Y.data(), Made[K].data(),
                                 long(X.size()));
  return Made;
}

/// Beside code that is not optimised, where a negation stays where it is.
template <typename T> void expectNegationsKept() {
  const auto Expected = negated<T>(optionsOf({"", {"-O0"}}, Tier::Fast));
  for (const Machine &On : machines())
    for (Tier Level : {Tier::Fast, Tier::Default, Tier::Max}) {
      const auto Found = negated<T>(optionsOf(On, Level));
      for (size_t K = 0; K != Found.size(); ++K)
        for (size_t I = 0; I != Found[K].size(); ++I)
          EXPECT_TRUE(sameBits(Found[K][I], Expected[K][I]) &&
                      (K >= NegationsOfNaN || std::signbit(Found[K][I]) ==
                                                  std::signbit(Expected[K][I])))
              << negations()[K] << " number " << I << " on " << On.CPU
              << ", tier " << int(Level);
    }
}

TEST(Mathematics, NegationsThatMoveKeepEverySign) {
  expectNegationsKept<double>();
  expectNegationsKept<float>();
}

/// Powers whose exponents stand in the text are products, roots and quotients:
/// one result in every way, with libm's zeros, infinities and NaN.
template <typename T> void expectSimplePowers() {
  const std::string Type = typeName<T>();
  const std::vector<T> X = numbers<T>(7);
  for (const T Exponent : {T(2), T(3), T(0.5), T(-0.5), T(-1)}) {
    const std::string Text =
        "#include <math.h>\nvoid f(const " + Type + " *x, " + Type +
        " *o, long n) {\n  for (long i = 0; i < n; ++i) o[i] = pow" +
        (sizeof(T) == 4 ? "f" : "") + "(x[i], " + std::to_string(Exponent) +
        ");\n}\n";
    std::vector<T> First;
    for (const Machine &On : machines())
      for (Tier Level : {Tier::Fast, Tier::Default, Tier::Max}) {
        auto M = session().compile({"powers", Text}, optionsOf(On, Level));
        ASSERT_TRUE(M) << M.error().message();
        std::vector<T> Found(X.size());
        M->template lookupAs<void (*)(const T *, T *, long)>("f")(
            X.data(), Found.data(), long(X.size()));
        if (First.empty())
          First = Found;
        for (size_t I = 0; I != X.size(); ++I) {
          const T Libm = std::pow(X[I], Exponent);
          const double Most = sizeof(T) == 4 ? 0.505 : 1.5;
          EXPECT_TRUE(sameBits(Found[I], First[I]) &&
                      (sameBits(Found[I], Libm) ||
                       (std::isfinite(Libm) &&
                        unitsAway(Found[I], std::pow((long double)X[I],
                                                     Exponent)) <= Most)))
              << X[I] << " to the power of " << Exponent << ": " << Found[I]
              << " on " << On.CPU << ", tier " << int(Level);
        }
      }
  }
}

TEST(Mathematics, PowersOfWrittenExponentsNeedNoPow) {
  expectSimplePowers<double>();
  expectSimplePowers<float>();
}

TEST(Mathematics, ConstantsHaveNoPartInTheRoundingOfTheHost) {
  const std::string Calls[] = {"exp(%)", "sin(%)", "log(-%)", "tanh(%)"};
  for (Tier Level : {Tier::Fast, Tier::Default, Tier::Max})
    for (std::string Call : Calls) {
      std::string Literal = Call, Variable = Call;
      Literal.replace(Literal.find('%'), 1, "709.5 * -1.03");
      Variable.replace(Variable.find('%'), 1, "x");
      CompileOptions O;
      O.Level = Level;
      // Subnormal numbers are zero, and all is rounded up.
      const unsigned Usual = _mm_getcsr();
      _mm_setcsr(Usual | 0x8040 | 0x4000);
      auto M = session().compile(
          {"text", "#include <math.h>\n"
                   "double f(void) { return " +
                       Literal + "; }\ndouble g(double x) { return " +
                       Variable + "; }\n"},
          O);
      _mm_setcsr(Usual);
      ASSERT_TRUE(M) << M.error().message();
      const double Expected =
          M->lookupAs<double (*)(double)>("g")(709.5 * -1.03);
      EXPECT_TRUE(sameBits(M->lookupAs<double (*)()>("f")(), Expected))
          << Call << ", tier " << int(Level);
      EXPECT_NE(Expected, 0);
    }
}

constexpr const char *SmallAndHuge =
    "#define _GNU_SOURCE\n#include <math.h>\n#define EACH(X) for (long i = 0; "
    "i < n; ++i) X\n"
    "void f0(double *x, long n) { EACH(x[i] = sin(x[i]);) }\n"
    "void f1(double *x, long n) { EACH(if (x[i] > 1) x[i] = tan(x[i]);) }\n"
    "void f2(double *x, long n) { EACH(x[i] = cos(x[i]) + sin(x[i]);) }\n"
    "void f3(double *x, long n) { EACH(x[i] = sinf(cosf(x[i]) * 1e20f);) }\n"
    "void f4(double *x, long n) { EACH(x[i] = sin(x[i] > 1 ? 1 / x[i] : x[i] * "
    "1e18);) }\n"
    "void f5(double *x, long n) { double s; double c;\n"
    "EACH((sincos(x[i], &s, &c), x[i] = s - 2 * c);) }\n";

/// No huge number among the lanes of a vector, one, some and all.
std::vector<double> smallAndHuge() {
  std::vector<double> X;
  for (int I = 0; I != 300; ++I)
    X.push_back(I % 7 * (I < 100 ? 0.7 : I == 133 || I > 200 ? 1e11 : -3e7));
  return X;
}

TEST(Mathematics, HugeAnglesAmongSmallOnesChangeNothing) {
  std::map<std::string, std::vector<double>> First;
  for (const Machine &On : machines())
    for (Tier Level : {Tier::Fast, Tier::Default, Tier::Max}) {
      auto M = session().compile({"text", SmallAndHuge}, optionsOf(On, Level));
      ASSERT_TRUE(M) << M.error().message();
      for (const char *Name : {"f0", "f1", "f2", "f3", "f4", "f5"}) {
        std::vector<double> X = smallAndHuge();
        M->lookupAs<void (*)(double *, long)>(Name)(X.data(), long(X.size()));
        EXPECT_EQ(First.try_emplace(Name, X).first->second, X)
            << Name << " on " << On.CPU << ", tier " << int(Level);
      }
    }
}

template <typename T> void expectLikeLibm() {
  const Code<T> Ours(Tier::Fast, {"x86-64", {}});
  const Code<T> Libm(Tier::Fast, {"x86-64", {"-fno-builtin"}});
  std::vector<T> Values = specialValues<T>(), More = numbers<T>(3);
  for (const Function &F : Functions)
    for (T X : F.Arguments == 2 ? Values : More)
      for (T Y : F.Arguments == 2 ? Values : std::vector<T>{T(0)}) {
        using One = typename Code<T>::One;
        const T Found = Ours.template find<One>("one_", F)(X, Y);
        const T Expected = Libm.template find<One>("one_", F)(X, Y);
        bool Same = sameBits(Found, Expected);
        // Between the ends they may round otherwise, libm by 3 units.
        if (!Same && Expected != 0 && std::isfinite(Expected))
          Same = std::signbit(Found) == std::signbit(Expected) &&
                 unitsAway(Found, Expected) <= 4;
        EXPECT_TRUE(Same) << F.Name << "(" << X << ", " << Y << "): " << Found
                          << ", not " << Expected;
      }
}

TEST(Mathematics, ValuesAreNearThoseOfLibm) {
  expectLikeLibm<double>();
  expectLikeLibm<float>();
}

TEST(Mathematics, ErrnoIsSetForTextsThatLookAtIt) {
  for (Tier Level : {Tier::Fast, Tier::Default, Tier::Max}) {
    CompileOptions O;
    O.Level = Level;
    if (Level == Tier::Max)
      O.Flags = {"-fmath-errno"};
    auto M = session().compile({"text",
                                "#include <errno.h>\n#include <math.h>\n"
                                "static double (*volatile p)(double) = log;\n"
                                "double v; int f(double x)\n"
                                "{ errno = 0; v = exp(x); return errno; }\n"
                                "int g(double x)\n"
                                "{ errno = 0; v = p(x); return errno; }\n"
                                "int h(double x)\n"
                                "{ errno = 0; exp(x); return errno; }\n"},
                               O);
    ASSERT_TRUE(M) << M.error().message();
    auto Of = [&](const char *Name, double X) {
      return M->lookupAs<int (*)(double)>(Name)(X);
    };
    EXPECT_EQ(Of("f", 1e4), ERANGE);
    EXPECT_EQ(*M->lookupAs<double *>("v"),
              std::numeric_limits<double>::infinity());
    EXPECT_EQ(Of("f", 1), 0);
    EXPECT_EQ(Of("g", -1), EDOM);
    EXPECT_EQ(Of("h", 1e4), ERANGE);
  }
}

} // namespace
