// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can be looked at.

#include "EngineTesting.h"
#include "lib/Contract/PythonPrefix.h"
#include "unittests/Loader/TestObjects.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

using namespace clinch;
using namespace clinch::testing;

namespace {

bool contains(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != Text.npos;
}

TEST(Stages, EachIsKeptOnRequestInTheirOrder) {
  CompileOptions O;
  O.Keep = {Stage::Asm, Stage::LLVM, Stage::LLVMOpt, Stage::Obj};
  Expected<EngineResult> R =
      compile("int f(int a) { int b = a + 1; if (a) goto label_3; b = 2;\n"
              "label_3: return b; }",
              O);
  ASSERT_TRUE(R) << R.error().render();
  ASSERT_EQ(R->Kept.size(), 4u);
  EXPECT_EQ(R->Kept[0].first, Stage::LLVM);
  EXPECT_TRUE(contains(R->Kept[0].second, "%b = alloca i32")); // Names stay.
  EXPECT_TRUE(contains(R->Kept[0].second, "label_3:"));
  EXPECT_EQ(R->Kept[1].first, Stage::LLVMOpt);
  EXPECT_FALSE(contains(R->Kept[1].second, "alloca"));
  EXPECT_EQ(R->Kept[2].first, Stage::Asm);
  EXPECT_TRUE(contains(R->Kept[2].second, "f:"));
  EXPECT_TRUE(contains(R->Kept[2].second, "retq"));
  EXPECT_EQ(R->Kept[3].first, Stage::Obj);
  EXPECT_EQ(R->Kept[3].second, R->Object);
}

TEST(Stages, RemarksAreAtTheLinesOfTheTextAndChangeNoCode) {
  const std::string Text = "static double twice(double x) { return x + x; }\n"
                           "#line 7 \"loop\"\n"
                           "void f(double *restrict a, const double *b) {\n"
                           "  for (int i = 0; i < 1000; ++i)\n"
                           "    a[i] = twice(b[i]);\n"
                           "}\n";
  CompileOptions O;
  Expected<EngineResult> Plain = compile(Text, O);
  O.Keep = {Stage::Remarks};
  Expected<EngineResult> R = compile(Text, O);
  ASSERT_TRUE(R) << R.error().render();
  ASSERT_EQ(R->Kept.size(), 1u);
  EXPECT_TRUE(
      contains(R->Kept[0].second,
               "passed\tinline\tf\tloop\t9\t12\t'twice' inlined into 'f'"))
      << R->Kept[0].second;
  EXPECT_TRUE(
      contains(R->Kept[0].second,
               "passed\tloop-vectorize\tf\tloop\t8\t3\tvectorized loop"))
      << R->Kept[0].second;
  EXPECT_EQ(R->Object, Plain->Object);
}

TEST(Stages, ADeclarationOfSizedParametersNamesThem) {
  CompileOptions O;
  O.Keep = {Stage::Declarations};
  Expected<EngineResult> R =
      compile("double f(int n, double a[n][n]) { return a[0][1]; }", O);
  ASSERT_TRUE(R) << R.error().render();
  EXPECT_EQ(R->Kept[0].second,
            "f\t0\t51\tf\tf\tdouble f(int n, double a[n][n])\n");
}

TEST(Stages, DeclarationsSayWhatConstantsAre) {
  CompileOptions O;
  O.Keep = {Stage::Declarations};
  Expected<EngineResult> R = compile(
      "static const int n = 2 + 2; const double d = 0.5;\n"
      "constexpr long least = -0x7fffffffffffffff - 1; const int v[] = {1};",
      O);
  ASSERT_TRUE(R) << R.error().render();
  EXPECT_EQ(R->Kept[0].second,
            "v\t0\t26\tn\t\tconst int n\n"
            "c\t0\t26\tn\t\tstatic const int n = (int)(4LL)\n"
            "v\t28\t48\td\td\tconst double d\n"
            "c\t28\t48\td\td\tstatic const double d = (double)(0x1p-1)\n"
            "v\t50\t96\tleast\t\tconst long least\n"
            "c\t50\t96\tleast\t\tstatic constexpr const long least = "
            "(long)(-9223372036854775807LL-1)\n"
            "v\t98\t117\tv\tv\tconst int v[1]\n");
  O.Lang = Language::CXX;
  R = compile("struct S { int a; float b; }; constexpr S s{1, 2};\n"
              "enum class E : char { A, B }; constexpr E e[2] = {E::B};",
              O);
  ASSERT_TRUE(R) << R.error().render();
  EXPECT_TRUE(
      contains(R->Kept[0].second,
               "static constexpr const S s = {(int)(1LL), (float)(0x1p1f)}"))
      << R->Kept[0].second;
  EXPECT_TRUE(contains(R->Kept[0].second,
                       "static constexpr const E e[2] = {(E)(1LL), (E)(0LL)}"))
      << R->Kept[0].second;
}

TEST(Stages, DeclarationsAreWhatALaterTextMustBeTold) {
  CompileOptions O;
  O.Keep = {Stage::Declarations};
  Expected<EngineResult> R =
      compile("struct P { int x; } *p; static int a[] = {1, 2};\n"
              "typedef struct { int y; } Q; enum { A, B };\n"
              "double half(double x) { int local[2], *q; return x / 2; }",
              O);
  ASSERT_TRUE(R) << R.error().render();
  ASSERT_EQ(R->Kept.size(), 1u);
  EXPECT_EQ(R->Kept[0].second, "d\t0\t19\tstruct P\t\t\n"
                               "v\t0\t22\tp\tp\tstruct P *p\n"
                               "v\t24\t47\ta\t\tint a[2]\n"
                               "d\t49\t76\tQ\t\t\n"
                               "d\t78\t91\tA,B\t\t\n"
                               "f\t93\t150\thalf\thalf\tdouble (half)(double)\n"
                               "l\t117\t134\tlocal\thalf\tint local[2]\n"
                               "l\t117\t134\tq\thalf\tint *q\n");
}

TEST(Stages, EachHasATime) {
  Expected<EngineResult> R = compile("int f(int a) { return a; }", {});
  ASSERT_TRUE(R);
  ASSERT_EQ(R->Times.size(), 4u);
  const char *Names[] = {"parse", "irgen", "opt", "codegen"};
  for (size_t I = 0; I != 4; ++I) {
    EXPECT_EQ(R->Times[I].first, Names[I]);
    EXPECT_GT(R->Times[I].second, 0);
  }
}

TEST(Stages, CallsCanBeBoundToAnyAddressAndCHasNoUnwindTables) {
  CompileOptions O;
  O.Keep = {Stage::Asm};
  Expected<EngineResult> R =
      compile("void g(void); int f(void) { g(); return 1; }", O);
  ASSERT_TRUE(R);
  EXPECT_TRUE(contains(R->Kept[0].second, "callq\tg@PLT"));
  EXPECT_FALSE(contains(R->Kept[0].second, ".cfi"));
}

TEST(Stages, CXXTextMayThrowAndCatch) {
  CompileOptions O;
  O.Lang = Language::CXX;
  O.Keep = {Stage::Asm};
  Expected<EngineResult> R = compile("void g(); extern \"C\" int f() {\n"
                                     "try { g(); } catch (...) { return 1; }\n"
                                     "return 0; }",
                                     O);
  ASSERT_TRUE(R) << R.error().render();
  EXPECT_TRUE(contains(R->Kept[0].second, "__cxa_begin_catch"));
  EXPECT_TRUE(contains(R->Kept[0].second, ".cfi_lsda"));
}

std::string stageOf(Stage S, const char *Text, Language L = Language::CXX) {
  CompileOptions O;
  O.Lang = L;
  O.Prefix = PythonPrefix;
  O.Keep = {S};
  Expected<EngineResult> R = compile(Text, O);
  EXPECT_TRUE(R) << R.error().render();
  return R ? R->Kept[0].second : "";
}

TEST(Stages, PythonsFunctionsThrowNothing) {
  std::string Plain =
      stageOf(Stage::LLVM, "extern \"C\" int f(PyObject *O) { try {\n"
                           "  Py_DECREF(O);\n"
                           "  PyErr_Format(PyExc_ValueError, \"%d\", 1);\n"
                           "} catch (...) { return 1; } return 0; }");
  EXPECT_TRUE(contains(Plain, "call ptr (ptr, ptr, ...) @PyErr_Format"));
  EXPECT_FALSE(contains(Plain, "landingpad"));
}

TEST(Stages, WhatSeldomHappensStandsOutOfTheWay) {
  const char *Text = "int clinch_test(PyObject *O, double *To) {\n"
                     "  if (!PyFloat_Check(O)) {\n"
                     "    PyErr_SetString(PyExc_TypeError, \"\");\n"
                     "    return 1;\n  }\n"
                     "  *To = PyFloat_AS_DOUBLE(O);\n"
                     "  Py_DECREF(O);\n  return 0; }";
  for (Language L : {Language::C, Language::CXX}) {
    std::string Asm = stageOf(Stage::Asm, Text, L);
    size_t Return = Asm.find("retq");
    ASSERT_NE(Return, Asm.npos) << Asm;
    for (const char *Name :
         {"_Py_Dealloc@", "PyType_IsSubtype@", "PyErr_SetString@"}) {
      EXPECT_NE(Asm.find(Name), Asm.npos) << Asm;
      EXPECT_GT(Asm.find(Name), Return) << Asm;
    }
  }
}

TEST(Stages, WhatCallsBackMayThrow) {
  std::string Sort = stageOf(
      Stage::LLVM, "extern \"C\" int f(int *V, int (*C)(const void *, const "
                   "void *)) { try { qsort(V, 2, 4, C); }\n"
                   "catch (...) { return 1; } return 0; }");
  EXPECT_TRUE(contains(Sort, "invoke void @qsort"));
  EXPECT_TRUE(contains(Sort, "landingpad"));
}

TEST(Stages, WhatAsksForItIsNotOptimised) {
  EXPECT_TRUE(contains(
      stageOf(Stage::LLVMOpt,
              "extern \"C\" __attribute__((noinline, optnone)) int f(int A)\n"
              "{ int Kept = A; return Kept; }"),
      "%Kept = alloca i32"));
}

/// Passes, context and target machine are kept: no trace of one text may be
/// found in another's object.
TEST(Stages, ObjectsDoNotDependOnWhatWasCompiledBefore) {
  const std::pair<Language, const char *> Texts[] = {
      {Language::C, "int f(int a) { return a + 1; }"},
      {Language::C, "double g(double x) { return x * 3.25 + 1e9; }"},
      {Language::C, "const char *s(void) { return \"text\"; } static int n; "
                    "int *p(void) { return &n; }"},
      {Language::C, "int h(int a) { switch (a) { case 0: return 4; case 1: "
                    "return 9; case 2: return 1; case 3: return 7; case 4: "
                    "return 5; } return 0; }"},
      {Language::C, "_Thread_local int t; int k(void) { return t++; }"},
      {Language::C, "void v(long n, double *o) { for (long i = 0; i < n; ++i) "
                    "o[i] *= 2; }"},
      {Language::CXX, "void g(); extern \"C\" int f() { try { g(); } catch "
                      "(int e) { return e; } return 0; }"},
      {Language::CXX, "struct A { virtual ~A(); virtual int f() { return 1; } "
                      "}; A::~A() {} A a;"},
      {Language::CXX, "template <class T> T twice(T x) { return x + x; } int "
                      "f() { return twice(2) + (int)twice(2.5); }"},
  };
  for (Tier Level : {Tier::Fast, Tier::Default}) {
    for (int Round = 0; Round != 3; ++Round)
      for (size_t I = 0; I != std::size(Texts); ++I) {
        CompileOptions O;
        O.Lang = Texts[I].first;
        O.Level = Level;
        std::unique_ptr<Engine> Fresh(clinch_engine_create({}));
        Expected<EngineResult> R = Fresh->compile({"t", Texts[I].second}, O);
        Expected<EngineResult> Used =
            engine().compile({"t", Texts[I].second}, O);
        ASSERT_TRUE(R && Used) << Texts[I].second;
        EXPECT_EQ(R->Object, Used->Object) << Texts[I].second;
      }
  }
}

TEST(Stages, DebuggersGetTheTextAsAFileWithItsOwnLines) {
  namespace fs = std::filesystem;
  fs::path Folder =
      fs::temp_directory_path() / ("clinch-stages-" + std::to_string(getpid()));
  EngineConfig Config;
  Config.PrefixCacheDir = Folder;
  std::unique_ptr<Engine> E(clinch_engine_create(Config));
  CompileOptions O;
  O.Debug = true;
  O.Keep = {Stage::LLVM};
  const std::string Line = "#line 7 \"`Add.c_code`\"";
  SourceText Text = {"thunk.c",
                     "int f(int a) {\n" + Line + "\n  return a + 1;\n}\n"};
  Expected<EngineResult> R = E->compile(Text, O);
  ASSERT_TRUE(R) << R.error().render();
  std::vector<fs::path> Files(fs::directory_iterator(Folder / "debug"), {});
  ASSERT_EQ(Files.size(), 1u);
  Files[0] /= "thunk.c";
  std::stringstream Written;
  Written << std::ifstream(Files[0]).rdbuf();
  EXPECT_EQ(Written.str(), "int f(int a) {\n" + std::string(Line.size(), ' ') +
                               "\n  return a + 1;\n}\n");
  const std::string &IR = R->Kept[0].second;
  EXPECT_TRUE(contains(IR, "!DIFile(filename: \"" + Files[0].string() + "\""));
  EXPECT_TRUE(contains(IR, "!DILocation(line: 3,"));
  EXPECT_FALSE(contains(IR, "c_code"));
  // Messages still name the author's lines.
  Text.Text = "int f(int a) {\n#line 7 \"`Add.c_code`\"\n  return b;\n}\n";
  R = E->compile(Text, O);
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().diagnostics().at(0).Origin, "`Add.c_code`");
  fs::remove_all(Folder);
}

/// The temporary folder is everybody's.
TEST(Stages, DebuggersAreShownNothingOfOtherUsers) {
  namespace fs = std::filesystem;
  test::TemporaryFolder Temporary, Victim;
  const std::string Usual =
      Temporary / ("clinch-debug-" + std::to_string(geteuid()));
  const char *Before = getenv("TMPDIR");
  const std::string Restored = Before ? Before : "";
  setenv("TMPDIR", Temporary.Path.c_str(), 1);
  std::unique_ptr<Engine> E(clinch_engine_create({}));
  CompileOptions O;
  O.Debug = true;
  O.Keep = {Stage::LLVM};
  auto FileOf = [&](const std::string &Text) {
    Expected<EngineResult> R = E->compile({"thunk.c", Text}, O);
    EXPECT_TRUE(R) << R.error().render();
    if (!R)
      return std::string();
    const std::string &IR = R->Kept.at(0).second;
    size_t Begin = IR.find(Temporary.Path), End = IR.find('"', Begin);
    return IR.substr(Begin, End - Begin);
  };
  const std::string Text = "int f(int a) { return a; }\n";
  EXPECT_EQ(FileOf(Text).rfind(Usual + "/", 0), 0u);
  // What another has planted under the same name is not shown.
  const std::string Known = FileOf(Text);
  EXPECT_EQ(test::readFile(Known), Text);
  test::writeFile(Known, "int g;\n");
  EXPECT_EQ(test::readFile(FileOf(Text)), Text);
  for (bool IsLink : {false, true}) {
    fs::remove_all(Usual);
    if (IsLink)
      fs::create_directory_symlink(Victim.Path, Usual);
    else
      fs::create_directory(Usual);
    // Others own it, or may write to it.
    if (geteuid() == 0)
      ASSERT_EQ(lchown(Usual.c_str(), 65534, 65534), 0);
    else if (IsLink)
      continue;
    else
      fs::permissions(Usual, fs::perms::all);
    const std::string File = FileOf(Text);
    EXPECT_EQ(File.rfind(Usual + "-", 0), 0u) << File;
    EXPECT_EQ(test::readFile(File), Text);
    EXPECT_TRUE(fs::is_empty(IsLink ? Victim.Path : Usual));
    EXPECT_EQ(FileOf(Text), File); // One folder for the process.
  }
  Before ? setenv("TMPDIR", Restored.c_str(), 1) : unsetenv("TMPDIR");
}

} // namespace
