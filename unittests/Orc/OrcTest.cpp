// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clinch's code in a session of the host's.

#include "clinch/Orc/Orc.h"
#include "unittests/Loader/TestObjects.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/Support/TargetSelect.h"

#include <gtest/gtest.h>

using namespace clinch;
namespace orc = llvm::orc;

namespace {

template <typename T> std::string messageOf(llvm::Expected<T> E) {
  return E ? "no error" : llvm::toString(E.takeError());
}

struct Hosts : testing::Test {
  static void SetUpTestSuite() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  }
  void SetUp() override {
    Session::Options O;
    O.EnginePath = CLINCH_TEST_ENGINE;
    O.CacheDir = Folder / "cache";
    Compiler = Session::create(O);
    JIT = llvm::cantFail(orc::LLJITBuilder().create());
  }
  llvm::Expected<orc::JITDylib &> add(const std::string &Name,
                                      const std::string &Text,
                                      const CompileOptions &O = {}) {
    return addToSession(JIT->getObjLinkingLayer(), Name, *Compiler,
                        {"text", Text}, O);
  }
  /// The JITDylib, which must be made.
  orc::JITDylib &added(const std::string &Name, const std::string &Text,
                       const CompileOptions &O = {}) {
    return llvm::cantFail(add(Name, Text, O));
  }
  template <typename Fn>
  Fn *lookup(orc::JITDylib &Dylib, const std::string &Name) {
    return llvm::cantFail(JIT->lookup(Dylib, Name)).template toPtr<Fn *>();
  }

  test::TemporaryFolder Folder;
  std::shared_ptr<Session> Compiler;
  std::unique_ptr<orc::LLJIT> JIT;
};

TEST_F(Hosts, AnLLJITRunsIt) {
  auto &Dylib =
      added("first", "#include <math.h>\n"
                     "static int calls;\n"
                     "double f(double x) { ++calls; return lgamma(x); }"
                     "int count(void) { return calls; }");
  EXPECT_EQ(Dylib.getName(), "first");
  EXPECT_EQ(lookup<double(double)>(Dylib, "f")(1), 0);
  EXPECT_EQ(lookup<int()>(Dylib, "count")(), 1);
  auto &ES = JIT->getExecutionSession();
  EXPECT_EQ(ES.getJITDylibByName("first"), &Dylib);
  // What the code uses is not what it exports.
  EXPECT_EQ(messageOf(ES.lookup({&Dylib}, "f")), "no error");
  EXPECT_NE(messageOf(ES.lookup({&Dylib}, "lgamma")), "no error");
}

TEST_F(Hosts, ABareSessionRunsIt) {
  orc::ExecutionSession ES(
      llvm::cantFail(orc::SelfExecutorProcessControl::Create()));
  orc::ObjectLinkingLayer Layer(ES);
  auto &Dylib = llvm::cantFail(addToSession(
      Layer, "bare", *Compiler, {"text", "int f(int x) { return x * x; }"}));
  auto F = llvm::cantFail(ES.lookup({&Dylib}, "f"));
  EXPECT_EQ(F.getAddress().toPtr<int (*)(int)>()(12), 144);
  llvm::cantFail(ES.removeJITDylib(Dylib));
  EXPECT_EQ(ES.getJITDylibByName("bare"), nullptr);
  llvm::cantFail(ES.endSession());
}

TEST_F(Hosts, ANameThatIsTakenIsAnError) {
  llvm::cantFail(JIT->createJITDylib("taken"));
  llvm::Error E = add("taken", "int f(void) { return 1; }").takeError();
  EXPECT_TRUE(E.isA<OrcError>());
  EXPECT_EQ(llvm::toString(std::move(E)),
            "A JITDylib is called `taken` already: expected a name that is "
            "free.");
}

TEST_F(Hosts, AnErrorOfTheTextHasAllOfOurs) {
  auto Dylib = add("wrong", "int f(void) { return nothing; }");
  ASSERT_FALSE(bool(Dylib));
  unsigned Handled = 0;
  llvm::handleAllErrors(Dylib.takeError(), [&](const OrcError &E) {
    ++Handled;
    EXPECT_EQ(E.Cause.kind(), Error::Kind::Compile);
    ASSERT_EQ(E.Cause.diagnostics().size(), 1U);
    EXPECT_EQ(E.Cause.diagnostics()[0].Line, 1U);
    EXPECT_EQ(E.Cause.diagnostics()[0].Column, 22U);
  });
  EXPECT_EQ(Handled, 1U);
  // Nothing is left of it.
  EXPECT_EQ(JIT->getExecutionSession().getJITDylibByName("wrong"), nullptr);
}

TEST_F(Hosts, WhatIsNowhereIsLeftToTheLinkOrder) {
  static int (*const Answer)() = [] { return 42; };
  auto &ES = JIT->getExecutionSession();
  llvm::cantFail(JIT->getMainJITDylib().define(orc::absoluteSymbols(
      {{ES.intern("answer_of_host"),
        {orc::ExecutorAddr::fromPtr(Answer),
         llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable}}})));
  const std::string Text = "int answer_of_host(void);\n"
                           "int f(void) { return answer_of_host() + 1; }";
  auto &Dylib = added("asks", Text);
  Dylib.addToLinkOrder(JIT->getMainJITDylib());
  EXPECT_EQ(lookup<int()>(Dylib, "f")(), 43);
  auto &Alone = added("alone", Text);
  EXPECT_NE(messageOf(JIT->lookup(Alone, "f")), "no error");
}

TEST_F(Hosts, ItsCodeIsUsedByTheHosts) {
  auto &Gives = added("gives", "int seven(void) { return 7; }");
  auto &Uses = added("uses", "int seven(void); int f(void)"
                             "{ return seven() * seven(); }");
  Uses.addToLinkOrder(Gives);
  EXPECT_EQ(lookup<int()>(Uses, "f")(), 49);
}

TEST_F(Hosts, ExceptionsPassThroughIt) {
  CompileOptions O;
  O.Lang = Language::CXX;
  auto &Dylib =
      added("throws",
            "extern \"C\" int f(int x) {"
            "  try { if (x) throw x; } catch (int y) { return y + 1; }"
            "  return 0; }",
            O);
  EXPECT_EQ(lookup<int(int)>(Dylib, "f")(4), 5);
}

TEST_F(Hosts, InitialisersAreRefused) {
  CompileOptions O;
  O.Lang = Language::CXX;
  auto Dylib = add("starts",
                   "int one(); static int x = one();"
                   "extern \"C\" int f() { return x; }",
                   O);
  EXPECT_EQ(messageOf(std::move(Dylib)),
            "The code has initialisers, which would never run: expected no "
            "global objects with constructors.");
}

TEST_F(Hosts, EmulatedThreadLocalsNeedNoLayer) {
  auto &Dylib =
      added("emulated", "_Thread_local int n; int f(void) { return ++n; }");
  EXPECT_EQ(lookup<int()>(Dylib, "f")(), 1);
  EXPECT_EQ(lookup<int()>(Dylib, "f")(), 2);
}

TEST_F(Hosts, TheCacheIsUsed) {
  const std::string Text = "int f(void) { return 8; }";
  added("one", Text);
  added("two", Text);
  EXPECT_EQ(Compiler->stats().Compiles, 1U);
  EXPECT_EQ(Compiler->stats().DiskHits, 1U);
  EXPECT_EQ(Compiler->stats().LiveModules, 0U);
}

} // namespace
