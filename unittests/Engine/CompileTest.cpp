// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text in, object out.

#include "EngineTesting.h"
#include "lib/Contract/PythonPrefix.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <regex>

using namespace clinch;
using namespace clinch::testing;

namespace {

TEST(Compile, GivesAnELFObject) {
  for (Tier Level : {Tier::Fast, Tier::Default, Tier::Max}) {
    CompileOptions O;
    O.Level = Level;
    Expected<EngineResult> R = compile("int f(int a) { return a + 1; }", O);
    ASSERT_TRUE(R) << R.error().render();
    EXPECT_EQ(R->Object.substr(0, 4), "\x7f"
                                      "ELF");
    EXPECT_EQ(R->Object[16], 1); // ET_REL
    EXPECT_TRUE(R->Warnings.empty());
    EXPECT_TRUE(R->Inputs.Entries.empty());
  }
}

TEST(Compile, TakesThePythonPrefixInBothLanguages) {
  for (Language Lang : {Language::C, Language::CXX}) {
    CompileOptions O;
    O.Lang = Lang;
    O.Prefix = PythonPrefix;
    Expected<EngineResult> R =
        compile("PyObject *f(PyArrayObject *a) {\n"
                "  return PyFloat_FromDouble(*(double *)PyArray_DATA(a));\n}\n",
                O);
    ASSERT_TRUE(R) << R.error().render();
    for (const Manifest::Entry &E : R->Inputs.Entries)
      ADD_FAILURE() << E.Path << " of this machine was looked at";
  }
}

/// Returns "line:column symbol" of each use.
std::vector<std::string> usesOf(const std::string &Text, Language Lang) {
  CompileOptions O;
  O.Lang = Lang;
  O.Prefix = PythonPrefix;
  Expected<EngineResult> R = compile(Text, O);
  std::vector<std::string> Uses;
  EXPECT_TRUE(R) << R.error().render();
  if (R)
    for (const Diagnostic &D : R->Uses)
      Uses.push_back(std::to_string(D.Line) + ":" + std::to_string(D.Column) +
                     " " + D.Message);
  std::sort(Uses.begin(), Uses.end());
  return Uses;
}

TEST(Compile, SaysWhereATextUsesWhatItDoesNotDefine) {
  using List = std::vector<std::string>;
  EXPECT_EQ(usesOf("int unused(void), used(void), named(void) __asm__(\"n\");\n"
                   "extern int variable; static int own(void) { return 1; }\n"
                   "#define CALL used()\n"
                   "struct s { int used; };\n"
                   "int f(struct s *p) { return p->used + CALL + used(); }\n"
                   "int g(void) { return variable + named() + own() + f(0); }\n"
                   "void h(void) { PyErr_Clear(); }\n",
                   Language::C),
            (List{"5:39 used", "6:22 variable", "6:33 n", "7:16 PyErr_Clear"}));
  EXPECT_EQ(usesOf("namespace n { int f(int); template <class T> T t(T); }\n"
                   "struct s { s(int); int m() const; static int v; };\n"
                   "int a() { return n::f(1) + n::t(2L) + s::v; }\n"
                   "int b() {\n"
                   "  s x(1);\n"
                   "  return x.m();\n"
                   "}\n",
                   Language::CXX),
            (List{"3:21 _ZN1n1fEi", "3:31 _ZN1n1tIlEET_S1_", "3:42 _ZN1s1vE",
                  "5:5 _ZN1sC1Ei", "6:12 _ZNK1s1mEv"}));
}

/// \p Functions of nothing but branches and calls, and one that computes.
std::string ladders(unsigned Functions) {
  std::string Text = "void g(int); extern int *p;\n";
  for (unsigned I = 0; I < Functions; ++I) {
    Text += "int ladder_" + std::to_string(I) + "(void) {\n";
    for (unsigned J = 0; J < 100; ++J)
      Text +=
          "  if (p[" + std::to_string(J) + "]) g(" + std::to_string(J) + ");\n";
    Text += "  return 0;\n}\n";
  }
  return Text + "int loop(int n) {\n"
                "  int s = 0;\n"
                "  for (int i = 0; i < n; ++i) s += p[i] * p[i + 1];\n"
                "  return s;\n}\n";
}

/// Whether the function \p Name is generated the short way.
bool isHurried(const std::string &IR, const std::string &Name) {
  std::smatch Group;
  if (!std::regex_search(
          IR, Group,
          std::regex("define [^\n]*@" + Name + "\\([^\n]*(#[0-9]+)")))
    return false;
  return std::regex_search(
      IR, std::regex("attributes " + Group[1].str() + " = [^\n]* optnone"));
}

TEST(Compile, LaddersOfVeryLargeTextsAreHurried) {
  CompileOptions O;
  O.Keep = {Stage::LLVMOpt};
  for (unsigned Functions : {5, 60}) {
    Expected<EngineResult> R = compile(ladders(Functions), O);
    ASSERT_TRUE(R) << R.error().render();
    const std::string &IR = R->Kept.at(0).second;
    EXPECT_EQ(isHurried(IR, "ladder_3"), Functions == 60);
    EXPECT_FALSE(isHurried(IR, "loop"));
  }
}

/// Its instructions cannot be selected in a caller for another processor.
TEST(Compile, AHelperForAnotherProcessorIsNotInlined) {
  CompileOptions O;
  O.Keep = {Stage::Asm};
  for (Tier Level : {Tier::Fast, Tier::Default}) {
    O.Level = Level;
    Expected<EngineResult> R =
        compile("typedef short S __attribute__((vector_size(32)));\n"
                "static __attribute__((target(\"avx2\"))) void g(S *a)\n"
                "{ *a = __builtin_ia32_pmulhrsw256(*a, *a); }\n"
                "void f(S *a) { g(a); }",
                O);
    ASSERT_TRUE(R) << R.error().render();
    EXPECT_NE(R->Kept.at(0).second.find("vpmulhrsw"), std::string::npos);
  }
}

/// A pass of ours that looked for the count of such a loop crashed.
TEST(Compile, SelectsOfSelectsInALoop) {
  CompileOptions O;
  for (const char *CPU : {"haswell", "skylake-avx512", "znver5"})
    for (Tier Level : {Tier::Default, Tier::Max}) {
      O.Level = Level;
      O.CPU = CPU;
      Expected<EngineResult> R =
          compile("void f(long *x, long *y, long *z, long n) {\n"
                  "  for (long i = 0; i < n; ++i)\n"
                  "    z[i] = z[i] + ((x[i] > 1 ? (y[i] > 1 ? 1 : x[i]) : 1)"
                  " * 1);\n}\n",
                  O);
      EXPECT_TRUE(R) << R.error().render();
    }
}

TEST(Compile, ReportsErrorsWhereLineSaysTheyAre) {
  Expected<EngineResult> R = compile("int f(int a) {\n"
                                     "#line 7 \"`Double.c_extract` for `x`\"\n"
                                     "  return b + 1;\n}\n",
                                     {});
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().kind(), Error::Kind::Compile);
  EXPECT_EQ(R.error().message(), "The text does not compile: 1 error.");
  ASSERT_EQ(R.error().diagnostics().size(), 1u);
  const Diagnostic &D = R.error().diagnostics()[0];
  EXPECT_EQ(D.Origin, "`Double.c_extract` for `x`");
  EXPECT_EQ(D.Line, 7u);
  EXPECT_EQ(D.Column, 10u);
  EXPECT_EQ(D.Message, "use of undeclared identifier 'b'");
  EXPECT_EQ(D.SourceLine, "  return b + 1;");
}

/// The line that the first error quotes.
std::string quoted(const char *Text) {
  Expected<EngineResult> R = compile(Text, {});
  return R || R.error().diagnostics().empty()
             ? "none"
             : R.error().diagnostics()[0].SourceLine;
}

TEST(Compile, LinesEndAsClangEndsThem) {
  EXPECT_EQ(quoted("int f(int a) {\n  a = 1;\r  return b;\r}\n"),
            "  return b;");
  EXPECT_EQ(quoted("int f(int a) {\r\n  a = 1\r\n  return a;\r\n}\r\n"),
            "  a = 1");
  EXPECT_EQ(quoted("int f(int a) {\n  a = 1\n  return a;\n}\n"), "  a = 1");
  EXPECT_EQ(quoted("return b;"), "return b;");
  EXPECT_EQ(quoted("int a;\n\nb"), "b");
}

std::vector<std::string> messagesOf(const char *Text, Language Lang) {
  CompileOptions O;
  O.Lang = Lang;
  Expected<EngineResult> R = compile(Text, O);
  std::vector<std::string> Messages;
  if (!R)
    for (const Diagnostic &D : R.error().diagnostics())
      Messages.push_back(D.Message);
  return Messages;
}

TEST(Compile, AnUnknownNameIsReportedOnce) {
  const char *Text = "int f(void) { return b; }\n"
                     "int g(void) { return b + lacking(1); }\n"
                     "missing *p;\nmissing *q;\n"
                     "int h(void) { return p != q && lacking(2); }\n";
  const std::vector<std::string> Expected = {
      "use of undeclared identifier 'b'",
      "use of undeclared identifier 'lacking'", "unknown type name 'missing'"};
  for (Language Lang : {Language::C, Language::CXX})
    EXPECT_EQ(messagesOf(Text, Lang), Expected);
}

TEST(Compile, NothingFollowsFromAnAuthorsOwnError) {
  const char *Text = "#error use of undeclared identifier 'b'\n"
                     "int f(void) { return b; }\n";
  const std::vector<std::string> Expected(2,
                                          "use of undeclared identifier 'b'");
  for (Language Lang : {Language::C, Language::CXX})
    EXPECT_EQ(messagesOf(Text, Lang), Expected);
}

TEST(Compile, GoesOnAfterErrors) {
  EXPECT_FALSE(compile("int f( {", {}));
  EXPECT_TRUE(compile("int f(void) { return 1; }", {}));
}

} // namespace
