// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags and processors.

#include "EngineTesting.h"
#include "OptionNames.h"

#include "lib/Contract/PythonPrefix.h"

#include <gtest/gtest.h>
#include <set>

using namespace clinch;
using namespace clinch::testing;

namespace {

void expectRefused(const CompileOptions &O, const std::string &Message) {
  Expected<EngineResult> R = compile("int f(void) { return 1; }", O);
  ASSERT_FALSE(R) << Message;
  EXPECT_EQ(R.error().kind(), Error::Kind::InvalidArgument);
  EXPECT_EQ(R.error().message(), Message);
}

TEST(Flags, ValuesThatNobodyKnowsAreErrors) {
  expectRefused(withFlags({"-Zno-such-thing"}),
                "The compiler does not take these flags: unknown argument: "
                "'-Zno-such-thing'.");
  expectRefused(withFlags({"-std=c99999"}),
                "The compiler does not take these flags: invalid value "
                "'c99999' in '-std=c99999'.");
  expectRefused(withFlags({"-march=nonesuch"}),
                "The compiler does not take these flags: unknown target CPU "
                "'nonesuch'.");
  CompileOptions O;
  O.CPU = "nonesuch";
  expectRefused(O, "The compiler does not take these flags: unknown target CPU "
                   "'nonesuch'.");
}

TEST(Flags, WhatALibraryNeverDoesIsRefused) {
  expectRefused(withFlags({"-ccc-print-bindings"}),
                "The flag `-ccc-print-bindings` cannot be used here: it "
                "prints, and a library never does.");
  expectRefused(withFlags({"-gen-cdb-fragment-path", "folder"}),
                "The flag `-gen-cdb-fragment-path` cannot be used here: it "
                "writes files.");
  expectRefused(withFlags({"-gmodules"}),
                "The flag `-gmodules` cannot be used here: modules are files "
                "beside the text.");
  expectRefused(withFlags({"-v"}), "The flag `-v` cannot be used here: it "
                                   "prints, and a library never does.");
  expectRefused(withFlags({"-lm"}),
                "The flag `-lm` cannot be used here: libraries are named in "
                "`c_libraries`, or in CompileOptions::Libraries.");
  expectRefused(withFlags({"-o", "x"}),
                "The flag `-o` cannot be used here: it writes files.");
  expectRefused(withFlags({"-mllvm", "-debug"}),
                "The flag `-mllvm` cannot be used here: it changes LLVM for "
                "the whole process, or loads code into it.");
  expectRefused(withFlags({"-I"}), "The flag `-I` cannot be used here: the "
                                   "value that follows it is missing.");
  expectRefused(withFlags({"other.c"}), "A flag that begins with `-` was "
                                        "expected, and found `other.c`.");
}

std::string refusalOf(std::vector<std::string> Flags) {
  Expected<EngineResult> R =
      compile("int f(void) { return 1; }", withFlags(std::move(Flags)));
  return R ? "" : R.error().message();
}

TEST(Flags, UnknownOnesAreLeftOutWithOneWarning) {
  auto Warnings = [](std::vector<std::string> Flags) {
    Expected<EngineResult> R =
        compile("int f(void);\n", withFlags(std::move(Flags)));
    EXPECT_TRUE(R) << R.error().render();
    std::string All;
    for (const Diagnostic &D : R ? R->Warnings : std::vector<Diagnostic>())
      All += D.Message + "\n";
    return All;
  };
  const std::string Unknown =
      "the compiler does not know these flags and leaves them out: ";
  EXPECT_EQ(Warnings({"-fno-such-thing", "-Werror"}),
            Unknown + "`-fno-such-thing`\n");
  EXPECT_EQ(Warnings({"-Wlogical-op", "-O1", "-Werror=clobbered",
                      "-Wstringop-overflow=0", "-fcilkplus",
                      "-mtune-ctrl=^sse_typeless_stores",
                      "-gno-statement-frontiers"}),
            Unknown +
                "`-Wlogical-op`, `-Werror=clobbered`, `-Wstringop-overflow=0`, "
                "`-fcilkplus`, `-mtune-ctrl=^sse_typeless_stores`, "
                "`-gno-statement-frontiers`\n");
  EXPECT_EQ(Warnings({"-Wall", "-Wformat=2", "-Werror=format", "-Werror",
                      "-Wfatal-errors", "-Wno-error", "-Weverything",
                      "-Wno-everything"}),
            "");
}

TEST(Flags, EveryNameOfARefusedOptionIsRefused) {
  const std::string Here = "cannot be used here: ";
  std::set<std::string> Refused;
  auto Of = [&](const OptionName &O, bool Joined) {
    return Joined ? refusalOf({O.Name + "value"})
                  : refusalOf({O.Name, "value", "value"});
  };
  unsigned Aliases = 0;
  for (const OptionName &O : optionNames())
    if (O.Name == O.Means && Of(O, false).find(Here) != std::string::npos &&
        O.Name[0] == '-')
      Refused.insert(O.Name);
  for (const OptionName &O : optionNames()) {
    if (!Refused.count(O.Means))
      continue;
    Aliases += O.Name != O.Means;
    for (bool Joined : {false, true})
      if (!Joined || O.Value[0] == 'j' || O.Value[0] == 'e') {
        EXPECT_NE(Of(O, Joined).find(Here), std::string::npos)
            << O.Name << ": " << Of(O, Joined);
      }
  }
  EXPECT_GT(Refused.size(), 100U);
  EXPECT_GT(Aliases, 30U);
}

TEST(Flags, AnotherNameIsToldWithTheOptionsOwn) {
  const std::string Prints = " cannot be used here: it prints, and a library "
                             "never does.",
                    Writes = " cannot be used here: it writes files.";
  EXPECT_EQ(refusalOf({"--verbose"}), "The flag `--verbose` (`-v`)" + Prints);
  EXPECT_EQ(refusalOf({"--trace-includes"}),
            "The flag `--trace-includes` (`-H`)" + Prints);
  EXPECT_EQ(refusalOf({"-O1", "--output=x"}),
            "The flag `--output=x` (`-o`)" + Writes);
  EXPECT_EQ(refusalOf({"--dependencies"}),
            "The flag `--dependencies` (`-M`)" + Writes);
  EXPECT_EQ(refusalOf({"--language=c"}),
            "The flag `--language=c` (`-x`) cannot be used here: "
            "CompileOptions::Lang says which language it is.");
  EXPECT_EQ(refusalOf({"--preprocess"}),
            "The flag `--preprocess` (`-E`) cannot be used here: what is made "
            "is object code in memory.");
  EXPECT_EQ(refusalOf({"-Xclang", "-o"}),
            "The flag `-Xclang` cannot be used here: it changes LLVM for the "
            "whole process, or loads code into it.");
  // A value is no flag.
  EXPECT_EQ(refusalOf({"-D", "-v"}), refusalOf({"-D-v"}));
  EXPECT_EQ(refusalOf({"-I", "--verbose"}), "");
}

/// g++ and Clang pass them on; distributions put a macro there.
TEST(Flags, WhatIsPassedToThePreprocessorIsLookedAtToo) {
  EXPECT_TRUE(compile("static_assert(_FORTIFY_SOURCE == 2 && B == 1);",
                      withFlags({"-Wp,-D_FORTIFY_SOURCE=2,-DB"})));
  EXPECT_EQ(refusalOf({"-Wp,-DA,-H"}),
            "The flag `-Wp,-DA,-H` cannot be used here: it passes `-H` on, and "
            "it prints, and a library never does.");
  EXPECT_EQ(refusalOf({"-Xpreprocessor", "-H"}),
            "The flag `-Xpreprocessor` cannot be used here: it passes `-H` on, "
            "and it prints, and a library never does.");
  EXPECT_TRUE(compile("int f(void) { return 1; }", withFlags({"-O4"})));
  EXPECT_EQ(refusalOf({"-Wp,-O4"}),
            "The flag `-Wp,-O4` cannot be used here: it passes `-O4` on, and "
            "only Clang's driver knows it.");
}

/// A program that prints text hands over what it has for gcc, and Python's own.
TEST(Flags, WhatSaysSomethingToGccAloneIsLeftOut) {
  const std::string Text = "int f(int *a, int n) {\n"
                           "  int s = 0;\n"
                           "  for (int i = 0; i < n; ++i) s += a[i];\n"
                           "  return s;\n}\n";
  auto Result = [&](std::vector<std::string> Flags) {
    CompileOptions O = withFlags(std::move(Flags));
    O.Level = Tier::Default;
    O.Keep = {Stage::Asm};
    Expected<EngineResult> R = compile(Text, O);
    EXPECT_TRUE(R) << R.error().render();
    return R ? std::pair(R->Kept.at(0).second, R->Warnings.size())
             : std::pair(std::string(), size_t(0));
  };
  for (const char *Flag : {"-c",
                           "-shared",
                           "-s",
                           "-pipe",
                           "-rdynamic",
                           "-static-libgcc",
                           "-Wl,-O1,-Bsymbolic-functions,-z,relro",
                           "-fuse-ld=gold",
                           "-specs=/usr/lib/rpm/redhat/redhat-hardened-cc1",
                           "-flto",
                           "-flto=auto",
                           "-fno-lto",
                           "-ffat-lto-objects",
                           "-flto-partition=none",
                           "-fno-ipa-cp",
                           "-fipa-pta",
                           "-fno-tree-dominator-opts",
                           "-fgcse-lm",
                           "-fvect-cost-model=unlimited",
                           "-fno-var-tracking-assignments",
                           "--param=inline-unit-growth=100",
                           "-fno-gnu-unique",
                           "-fabi-version=11",
                           "-Wno-maybe-uninitialized",
                           "-Wimplicit-fallthrough=3",
                           "-Wno-error=stringop-truncation",
                           "-Wno-such-warning"})
    EXPECT_EQ(Result({Flag, "-Werror"}), Result({"-Werror"})) << Flag;
  EXPECT_EQ(Result({"-Xlinker", "-znow", "--param", "x=1", "-z", "relro"}),
            Result({}));
  // A value is no flag.
  expectRefused(withFlags({"-I", "-shared", "-Zno-such-thing"}),
                "The compiler does not take these flags: unknown argument: "
                "'-Zno-such-thing'.");
}

TEST(Flags, WhatClangCallsOtherwiseIsPutSo) {
  const std::string Text = "double f(double *a, int n) {\n"
                           "  double s = 0;\n"
                           "  for (int i = 0; i < n; ++i) s += a[i];\n"
                           "  return s;\n}\n";
  auto Assembly = [&](std::vector<std::string> Flags) {
    CompileOptions O = withFlags(std::move(Flags));
    O.Keep = {Stage::Asm};
    Expected<EngineResult> R = compile(Text, O);
    EXPECT_TRUE(R) << R.error().render();
    return R ? R->Kept.at(0).second : std::string();
  };
  const std::string Vectors = "\taddpd\t", Fast = Assembly({"-Ofast"});
  EXPECT_NE(Fast.find(Vectors), Fast.npos) << Fast;
  EXPECT_EQ(Fast, Assembly({"-O3", "-ffast-math"}));
  const std::string Plain = Assembly({"-Ofast", "-fno-tree-loop-vectorize"});
  EXPECT_EQ(Plain.find(Vectors), Plain.npos) << Plain;
  EXPECT_EQ(Plain, Assembly({"-Ofast", "-fvectorize", "-fno-tree-vectorize"}));
}

TEST(Flags, ALimitSaysWhatIsInlined) {
  std::string Text = "int g(int);\nstatic int h(int x) {\n";
  for (int I = 0; I < 20; ++I)
    Text += "  x ^= g(x);\n";
  Text += "  return x;\n}\nint f(int x) { return h(x) + h(x + 1); }\n";
  auto Inlines = [&](std::vector<std::string> Flags) {
    CompileOptions O = withFlags(std::move(Flags));
    O.Level = Tier::Default;
    O.Keep = {Stage::Asm};
    Expected<EngineResult> R = compile(Text, O);
    EXPECT_TRUE(R) << R.error().render();
    return R && R->Kept.at(0).second.find("\nh:") == std::string::npos;
  };
  EXPECT_FALSE(Inlines({}));
  EXPECT_TRUE(Inlines({"-finline-limit=2000"}));
  EXPECT_FALSE(Inlines({"-finline-limit=2000", "-finline-limit=10"}));
  EXPECT_TRUE(Inlines({"-finline-limit=2000", "-O3"}));
  expectRefused(withFlags({"-finline-limit=many"}),
                "The flag `-finline-limit=many` cannot be used here: expected "
                "a number.");
}

TEST(Flags, WhatOnlyALinkerCouldDoIsRefused) {
  expectRefused(withFlags({"-Wl,-O1,--wrap=malloc"}),
                "The flag `-Wl,-O1,--wrap=malloc` cannot be used here: it "
                "passes `--wrap=malloc` to a linker, and none runs.");
  expectRefused(withFlags({"-Xlinker", "--defsym=a=b"}),
                "The flag `-Xlinker` cannot be used here: it passes "
                "`--defsym=a=b` to a linker, and none runs.");
}

/// As gcc: a program has one list of flags for C and C++.
TEST(Flags, AStandardOfTheOtherLanguageIsAWarning) {
  Expected<EngineResult> R = compile(
      "static_assert(__STDC_VERSION__ > 201710L);", withFlags({"-std=c++14"}));
  ASSERT_TRUE(R) << R.error().render();
  ASSERT_EQ(R->Warnings.size(), 1U);
  EXPECT_EQ(R->Warnings[0].Message,
            "`-std=c++14` is for C++, and the text is C");
  CompileOptions O = withFlags({"-std=gnu99"});
  O.Lang = Language::CXX;
  R = compile("static_assert(__cplusplus == 202002L);", O);
  ASSERT_TRUE(R) << R.error().render();
  ASSERT_EQ(R->Warnings.size(), 1U);
  EXPECT_EQ(R->Warnings[0].Message,
            "`-std=gnu99` is for C, and the text is C++");
}

/// Clang crashed over `-cl-ext=`, or did not, by what memory held.
TEST(Flags, FlagsOfOpenCLAreRefused) {
  for (const char *Flag :
       {"-cl-ext=", "-cl-std=CL2.0", "-cl-fast-relaxed-math"})
    expectRefused(withFlags({Flag}), "The flag `" + std::string(Flag) +
                                         "` cannot be used here: it is for "
                                         "OpenCL, and the text is C or C++.");
}

/// A double would be expected where nobody puts it.
TEST(Flags, WhatChangesHowFunctionsAreCalledIsRefused) {
  for (const char *Flag : {"-mgeneral-regs-only", "-msoft-float", "-mno-x87"})
    expectRefused(withFlags({Flag}), "The flag `" + std::string(Flag) +
                                         "` cannot be used here: it changes "
                                         "how functions are called.");
}

TEST(Flags, OtherProcessorsAreRefused) {
  for (const char *Flag :
       {"-m16", "-m32", "-mx32", "-miamcu", "--target=i386-linux-gnu"})
    expectRefused(withFlags({Flag}), "The flag `" + std::string(Flag) +
                                         "` cannot be used here: code is made "
                                         "for the process it runs in.");
  expectRefused(withFlags({"-O1", "--driver-mode=cl"}),
                "The flags `-O1`, `--driver-mode=cl` ask for code for "
                "`x86_64-pc-windows-msvc19.33.0`: code is made for the process "
                "it runs in, which is `x86_64-pc-linux-gnu`.");
  EXPECT_TRUE(compile("int f(void) { return 1; }",
                      withFlags({"-m64", "--driver-mode=gcc"})));
}

TEST(Flags, FunctionsAreInstrumentedInEveryTier) {
  for (Tier Level : {Tier::Fast, Tier::Default, Tier::Max}) {
    CompileOptions O = withFlags({"-finstrument-functions"});
    O.Level = Level;
    O.Keep = {Stage::LLVMOpt};
    Expected<EngineResult> R = compile(
        "static int g(int x) { return x; } int f(void) { return g(1); }", O);
    ASSERT_TRUE(R) << R.error().render();
    const std::string &IR = R->Kept.at(0).second;
    for (const char *Call : {"call void @__cyg_profile_func_enter(",
                             "call void @__cyg_profile_func_exit("})
      EXPECT_NE(IR.find(Call), IR.npos) << Call << IR;
  }
}

/// A processor's own features stood behind what the flags had turned off.
TEST(Flags, WhatIsTurnedOffStaysOffOnThisProcessor) {
  const std::string Text =
      "typedef double V __attribute__((vector_size(32)));\n"
      "#ifdef __AVX__\nint hasAVX;\n#endif\n"
      "void f(V *X) { *X += *X; }\n";
  auto Assembly = [&](Tier Level, std::vector<std::string> Flags) {
    CompileOptions O = withFlags(std::move(Flags));
    O.Level = Level;
    O.CPU = "host";
    O.Keep = {Stage::Asm};
    Expected<EngineResult> R = compile(Text, O);
    EXPECT_TRUE(R) << R.error().render();
    return R ? R->Kept.at(0).second : std::string();
  };
  for (Tier Level : {Tier::Fast, Tier::Default, Tier::Max}) {
    const std::string On = Assembly(Level, {}),
                      Off = Assembly(Level, {"-mno-avx"});
    EXPECT_EQ(On.find("hasAVX") != On.npos, On.find("%ymm") != On.npos) << On;
    EXPECT_EQ(Off.find("hasAVX"), Off.npos) << Off;
    EXPECT_EQ(Off.find("%ymm"), Off.npos) << Off;
  }
}

TEST(Flags, SanitizersWithoutTheirChecksAreRefused) {
  expectRefused(withFlags({"-fsanitize=thread"}),
                "The flag `-fsanitize=thread` cannot be used here: of the "
                "sanitizers only `address` and `undefined` have their checks.");
  EXPECT_TRUE(compile("int f(void) { return 1; }",
                      withFlags({"-fsanitize=thread", "-fno-sanitize=all"})));
}

TEST(Flags, SanitizersCheckWhatTheyAreAskedToCheck) {
  const std::string Text = "int f(int *a) { return *a + 1; }";
  auto Optimised = [&](std::vector<std::string> Flags) {
    CompileOptions O = withFlags(std::move(Flags));
    O.Keep = {Stage::LLVMOpt};
    Expected<EngineResult> R = compile(Text, O);
    EXPECT_TRUE(R) << R.error().render();
    return R ? R->Kept.at(0).second : std::string();
  };
  const char *Marks[] = {"call void @__asan_report_load4(",
                         "call void @__ubsan_handle_add_overflow_abort("};
  auto Has = [&](const std::string &IR) {
    return std::pair(IR.find(Marks[0]) != IR.npos,
                     IR.find(Marks[1]) != IR.npos);
  };
  EXPECT_EQ(Has(Optimised({})), std::pair(false, false));
  EXPECT_EQ(Has(Optimised({"-fsanitize=address"})), std::pair(true, false));
  EXPECT_EQ(Has(Optimised(
                {"-fsanitize=address,undefined", "-fno-sanitize-recover=all"})),
            std::pair(true, true));
}

/// What ISO C leaves open is defined, unless the author says otherwise.
TEST(Flags, TheAuthorsOwnWinOverThoseOfEveryText) {
  const std::string Text = "int f(int *a, int n) { int u; return a[n] + 1; }";
  auto Code = [&](std::vector<std::string> Flags) {
    CompileOptions O = withFlags(std::move(Flags));
    O.Keep = {Stage::LLVM};
    Expected<EngineResult> R = compile(Text, O);
    EXPECT_TRUE(R) << R.error().render();
    return R ? R->Kept.at(0).second : std::string();
  };
  struct {
    const char *Flag, *Mark;
  } const Cases[] = {
      {"-fdelete-null-pointer-checks", " null_pointer_is_valid "},
      {"-fwrapv", " add nsw i32 "},
      {"-fwrapv-pointer", "getelementptr inbounds "},
      {"-ftrivial-auto-var-init=uninitialized", "store i32 0, ptr %u"}};
  const std::string Ours = Code({"-DOTHER"});
  EXPECT_EQ(Ours, Code({}));
  for (const auto &[Flag, Mark] : Cases) {
    std::string Turned = Flag;
    if (Turned.starts_with("-fwrapv"))
      Turned.insert(2, "no-");
    EXPECT_NE(Ours.find(Mark) != Ours.npos,
              Code({Turned}).find(Mark) != std::string::npos)
        << Turned;
  }
}

TEST(Flags, WhatHasNoEffectIsAWarning) {
  Expected<EngineResult> R =
      compile("int f(void) { return 1; }", withFlags({"-mglibc"}));
  ASSERT_TRUE(R) << R.error().render();
  ASSERT_EQ(R->Warnings.size(), 1u);
  EXPECT_EQ(R->Warnings[0].Message,
            "argument unused during compilation: '-mglibc'");
}

TEST(Flags, ForbiddenOnesAreTakenAwayOnceEach) {
  CompileOptions O = withFlags({"-DA", "-fbad", "-DA"});
  O.ForbiddenFlags = {"-fbad", "-DA", "-fabsent"};
  EXPECT_TRUE(compile("static_assert(A);", O));
  O.ForbiddenFlags.push_back("-DA");
  EXPECT_FALSE(compile("static_assert(A);", O));
}

TEST(Flags, ForbiddenOnesOfATierAreTakenAwayToo) {
  const std::string Optimised = "#ifndef __OPTIMIZE__\n#error level\n#endif\n";
  const std::pair<Tier, const char *> Levels[] = {{Tier::Default, "-O2"},
                                                  {Tier::Max, "-O3"}};
  for (const auto &[Level, Flag] : Levels) {
    CompileOptions O;
    O.Level = Level;
    O.ForbiddenFlags = {Level == Tier::Max ? "-O2" : "-O3"};
    EXPECT_TRUE(compile(Optimised, O)) << Flag;
    O.ForbiddenFlags = {Flag};
    EXPECT_FALSE(compile(Optimised, O)) << Flag;
    O.Flags = {"-O1"}; // What is given instead.
    EXPECT_TRUE(compile(Optimised, O)) << Flag;
  }
  CompileOptions O;
  O.Level = Tier::Max;
  O.ForbiddenFlags = {"-march=native"};
  EXPECT_TRUE(compile("#ifdef __SSE3__\n#error processor\n#endif\n", O));
}

TEST(Flags, DefinesStandardsAndWarningsReachTheText) {
  CompileOptions O = withFlags({"-DTWO=2", "-DGONE", "-UGONE", "-std=c11"});
  O.Defines = {"ONE", "THREE=3"};
  Expected<EngineResult> R =
      compile("_Static_assert(ONE == 1 && TWO == 2 && THREE == 3, \"\");\n"
              "#ifdef GONE\n#error gone\n#endif\n"
              "_Static_assert(__STDC_VERSION__ == 201112L, \"\");\n",
              O);
  EXPECT_TRUE(R) << R.error().render();
  R = compile("int f(int a) { int b; return a; }", withFlags({"-Wall"}));
  ASSERT_TRUE(R);
  ASSERT_EQ(R->Warnings.size(), 1u);
  EXPECT_EQ(R->Warnings[0].Message, "unused variable 'b'");
  EXPECT_EQ(R->Warnings[0].Level, Diagnostic::Severity::Warning);
  R = compile("int f(int a) { int b; return a; }", withFlags({"-Wall", "-w"}));
  ASSERT_TRUE(R);
  EXPECT_TRUE(R->Warnings.empty());
}

TEST(Flags, ALevelInTheFlagsIsMoreParticularThanTheTier) {
  CompileOptions O = withFlags({"-O0"});
  O.Level = Tier::Default;
  O.Keep = {Stage::LLVMOpt};
  std::string Text = "int f(int a) { int b = a; return b; }";
  Expected<EngineResult> R = compile(Text, O);
  ASSERT_TRUE(R);
  EXPECT_NE(R->Kept[0].second.find("alloca"), std::string::npos);
  O.Level = Tier::Fast;
  O.Flags = {"-O2"};
  R = compile(Text, O);
  ASSERT_TRUE(R);
  EXPECT_EQ(R->Kept[0].second.find("alloca"), std::string::npos);
}

TEST(Flags, OptimisedCodeIsForThisProcessor) {
  CompileOptions O;
  O.Keep = {Stage::LLVM};
  auto IR = [&O](Tier Level, const char *CPU) {
    O.Level = Level;
    O.CPU = CPU;
    Expected<EngineResult> R = compile("int f(int a) { return a; }", O);
    return R ? R->Kept[0].second : R.error().render();
  };
  EXPECT_EQ(IR(Tier::Default, ""), IR(Tier::Default, "host"));
  EXPECT_NE(IR(Tier::Default, ""), IR(Tier::Default, "x86-64"));
  EXPECT_EQ(IR(Tier::Fast, ""), IR(Tier::Fast, "x86-64"));
}

TEST(Flags, CPUsAreNamed) {
  CompileOptions O;
  O.Keep = {Stage::LLVM};
  O.Level = Tier::Fast;
  const std::string Text = "int f(void) { return __AVX2__; }";
  EXPECT_FALSE(compile(Text, O));
  O.CPU = "x86-64-v3";
  EXPECT_TRUE(compile(Text, O));
  O.CPU.clear();
  O.Flags = {"-march=haswell"};
  Expected<EngineResult> R = compile(Text, O);
  ASSERT_TRUE(R);
  EXPECT_NE(R->Kept[0].second.find("\"target-cpu\"=\"haswell\""),
            std::string::npos);
}

TEST(Flags, MacrosOfTheMachineAreThereAfterThePrefixToo) {
  CompileOptions O;
  O.Prefix = PythonPrefix;
  for (Language Lang : {Language::C, Language::CXX}) {
    O.Lang = Lang;
    O.Flags = {};
    EXPECT_FALSE(compile("int f(void) { return __AVX2__ + _OPENMP; }", O));
    O.Flags = {"-march=x86-64-v3", "-fopenmp", "-ffast-math", "-D__FMA__=7"};
    Expected<EngineResult> R =
        compile("int f(void) { return __AVX2__ + _OPENMP + __FAST_MATH__; }\n"
                "static_assert(__FMA__ == 7);",
                O);
    EXPECT_TRUE(R) << R.error().render();
  }
}

} // namespace
