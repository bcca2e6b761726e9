// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematics on every processor.
//
// Code for every processor that LLVM knows is read for calls that loops should
// not have, and run where this machine can be that processor. Each processor
// gets a part of all loops; with CLINCH_TEST_ALL set, all.

#include "clinch/Compiler/Session.h"
#include "jit/Engine/Options/Processor.h"

#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

using namespace clinch;

namespace {

struct Function {
  const char *Name;
  unsigned Arguments;
};

constexpr Function Functions[] = {
#define FUNCTION(Name, Arguments) {#Name, Arguments},
#include "MathFunctions.inc"
#undef FUNCTION
};
constexpr const char *Types[] = {"double", "float", "int", "short", "long"};

std::string outputOf(const std::string &Command) {
  std::string Text;
  FILE *Pipe = popen((Command + " 2>&1").c_str(), "r");
  for (char Buffer[4096]; size_t N = fread(Buffer, 1, sizeof Buffer, Pipe);)
    Text.append(Buffer, N);
  pclose(Pipe);
  return Text;
}

std::vector<std::string> processors() {
  std::istringstream In(outputOf(CLINCH_TEST_CLANG " --print-supported-cpus"));
  std::vector<std::string> Names;
  for (std::string Line; std::getline(In, Line);)
    if (!Line.empty() && Line[0] == '\t')
      Names.push_back(Line.substr(1, Line.find(' ') - 1));
  return Names;
}

/// The instruction sets of a processor, as the macros that Clang defines.
std::set<std::string>
instructionSets(const std::string &CPU,
                const std::vector<std::string> &Features = {}) {
  std::string Command = CLINCH_TEST_CLANG " -march=" + CPU +
                        " -mtune=generic -dM -E -xc /dev/null";
  for (const std::string &Feature : Features)
    Command += " -Xclang -target-feature -Xclang " + Feature;
  std::istringstream In(outputOf(Command));
  static const std::regex Set("#define (__[A-Z0-9_]+__) 1");
  std::set<std::string> Result;
  std::smatch Found;
  for (std::string Line; std::getline(In, Line);)
    if (std::regex_match(Line, Found, Set))
      Result.insert(Found[1]);
  return Result;
}

/// One loop, and the same for one number.
struct Loop {
  unsigned Function, From, To; ///< To: 0 or 1, which function is called.

  std::string text(const std::string &Name) const {
    const std::string To = Types[this->To], From = Types[this->From];
    const auto &Of = Functions[Function];
    std::string Call = Of.Name + std::string(this->To ? "f" : "") + "((" + To +
                       ")X" +
                       (Of.Arguments == 2 ? ", (" + To + ")X + 1)" : ")");
    auto With = [&](const std::string &X) {
      return std::regex_replace(Call, std::regex("X"), X);
    };
    return "void " + Name + "(const " + From + " *x, " + To +
           " *restrict o, long n) {\n"
           "  for (long i = 0; i < n; ++i) o[i] = " +
           With("x[i]") + ";\n}\n" + To + " one_" + Name + "(" + From +
           " x) { return " + With("x") + "; }\n";
  }
};

std::vector<Loop> allLoops() {
  std::vector<Loop> All;
  for (unsigned F = 0; F != std::size(Functions); ++F)
    for (unsigned From = 0; From != std::size(Types); ++From)
      for (unsigned To : {0U, 1U})
        All.push_back({F, From, To});
  return All;
}

std::string textOf(const std::vector<Loop> &Loops) {
  std::string Text = "#define _GNU_SOURCE\n#include <math.h>\n";
  for (size_t I = 0; I != Loops.size(); ++I)
    Text += Loops[I].text("loop" + std::to_string(I));
  return Text;
}

/// How often code calls a function of ours.
long callsIn(const std::string &IR) {
  static const std::regex Call("call[^\n]*@clinch\\.");
  return std::distance(std::sregex_iterator(IR.begin(), IR.end(), Call),
                       std::sregex_iterator());
}

template <typename From, typename To>
void runLoop(const Module &M, size_t Index, const std::string &Where) {
  constexpr long N = 37;
  const std::string Name = "loop" + std::to_string(Index);
  auto *Whole = M.lookupAs<void (*)(const From *, To *, long)>(Name);
  auto *One = M.lookupAs<To (*)(From)>("one_" + Name);
  ASSERT_TRUE(Whole && One);
  From X[N];
  To Found[N];
  for (long I = 0; I != N; ++I)
    X[I] = From(0.23 * double(I) - (I % 3));
  Whole(X, Found, N);
  for (long I = 0; I != N; ++I) {
    const To Expected = One(X[I]);
    EXPECT_TRUE(Found[I] == Expected ||
                (std::isnan(Found[I]) && std::isnan(Expected)))
        << Name << "(" << X[I] << "): " << Found[I] << ", not " << Expected
        << Where;
  }
}

template <typename To>
void runFrom(const Module &M, size_t Index, unsigned From,
             const std::string &Where) {
  switch (From) {
  case 0:
    return runLoop<double, To>(M, Index, Where);
  case 1:
    return runLoop<float, To>(M, Index, Where);
  case 2:
    return runLoop<int, To>(M, Index, Where);
  case 3:
    return runLoop<short, To>(M, Index, Where);
  default:
    return runLoop<long, To>(M, Index, Where);
  }
}

class Reader {
public:
  Reader() {
    Session::Options SO;
    SO.DiskCache = false;
    S = Session::create(SO);
  }

  void read(const std::string &CPU, const std::vector<Loop> &Loops,
            std::vector<std::string> Flags, bool HasFMA, bool Run) {
    CompileOptions O;
    O.Level = Tier::Max;
    O.Flags = std::move(Flags);
    O.Flags.push_back("-march=" + CPU);
    O.Keep = {Stage::LLVMOpt};
    std::string Where = " on " + CPU + " with";
    for (const std::string &F : O.Flags)
      Where += " " + F;
    auto M = S->compile({"loops", textOf(Loops)}, O);
    ASSERT_TRUE(M) << M.error().message() << Where;
    // Of one number each function is called, and in a loop without FMA.
    const long Calls = callsIn(*M->stage(Stage::LLVMOpt));
    EXPECT_EQ(Calls, long(Loops.size()) * (HasFMA ? 1 : 2)) << Where;
    for (size_t I = 0; Run && I != Loops.size(); ++I)
      if (Loops[I].To)
        runFrom<float>(*M, I, Loops[I].From, Where);
      else
        runFrom<double>(*M, I, Loops[I].From, Where);
  }

private:
  std::shared_ptr<Session> S;
};

TEST(Processors, LoopsCallNothingWhereTheyCanBeVectors) {
  const bool All = getenv("CLINCH_TEST_ALL") != nullptr;
  const std::vector<Loop> Loops = allLoops();
  const std::vector<std::vector<std::string>> Ways = {
      {},
      {"-mprefer-vector-width=512"},
      {"-mtune=znver4"},
      {"-mprefer-vector-width=128"},
      {"-mtune=skylake-avx512"}};
  // What `native` means to Clang is another processor where an emulator runs
  // this process alone.
  const engine::Processor Host = engine::Processor::host();
  const std::set<std::string> Here = instructionSets(Host.Name, Host.Features);
  Reader R;
  size_t Next = 0, Known = 0, Runs = 0;
  for (const std::string &CPU : processors()) {
    const std::set<std::string> Sets = instructionSets(CPU);
    if (!Sets.count("__SSE2__"))
      continue; // It has no such code.
    ++Known;
    bool Run = true;
    for (const std::string &Set : Sets)
      Run &= Here.count(Set) != 0;
    Runs += Run;
    for (size_t Way = 0; Way != (All ? Ways.size() : 1); ++Way) {
      std::vector<Loop> Part = Loops;
      if (!All) {
        Part.clear();
        for (int I = 0; I != 3; ++I)
          Part.push_back(Loops[Next++ * 7 % Loops.size()]);
      }
      R.read(CPU, Part, Ways[All ? Way : Known % Ways.size()],
             Sets.count("__FMA__") != 0, Run);
    }
  }
  EXPECT_GT(Known, 50U);
  EXPECT_GT(Runs, 0U);
}

} // namespace
