// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that does not link.

#include "SessionTesting.h"

#include <array>
#include <latch>
#include <sys/wait.h>
#include <thread>

using namespace clinch;
using namespace clinch::test;

namespace {

TEST_F(Sessions, AnObjectThatDoesNotLinkIsReportedEachTime) {
  auto S = session();
  for (int I = 0; I < 2; ++I) {
    CompileOptions O;
    O.Defines = {"USE=other", "USE=absent"};
    auto M = S->compile({"text", "int absent(void); int f(void)"
                                 "{ return absent(); }"},
                        O);
    ASSERT_FALSE(M);
    EXPECT_EQ(M.error().kind(), Error::Kind::Link);
    EXPECT_EQ(M.error().message(),
              "A symbol is missing: expected the host, a named library or the "
              "process to define `absent`.");
    ASSERT_EQ(M.error().diagnostics().size(), 1U);
    const Diagnostic &Use = M.error().diagnostics()[0];
    EXPECT_EQ(Use.Origin, "text");
    EXPECT_EQ(Use.Line, 3U);
    EXPECT_EQ(Use.Column, 5U);
    EXPECT_EQ(Use.Message, "`absent` is used, and nothing defines it.");
  }
  EXPECT_EQ(S->stats().LiveModules, 0U);
}

/// What became of it nobody knows; here the symbol is gone that it was made
/// for.
TEST_F(Sessions, AnEntryOnDiskThatDoesNotLinkIsAMiss) {
  const SourceText Text{"text", "#if __has_include(<other.h>)\n"
                                "int absent(void);\n"
                                "int f(void) { return absent(); }\n"
                                "#else\n"
                                "int f(void) { return 14; }\n"
                                "#endif\n"};
  test::writeFile(Folder / "other.h", "");
  setenv("CPATH", Folder.Path.c_str(), 1); // For the engine of the tests.
  CompileOptions O;
  static int (*const Absent)() = [] { return 3; };
  O.Symbols = {{"absent", reinterpret_cast<void *>(Absent)}};
  auto First = session()->compile(Text, O);
  unsetenv("CPATH");
  ASSERT_TRUE(First) << First.error().message();
  EXPECT_EQ(First->lookupAs<int (*)()>("f")(), 3);
  First = Module();

  auto S = session();
  auto None = S->find(Text, {});
  ASSERT_TRUE(None) << None.error().message();
  EXPECT_FALSE(bool(*None));
  const unsigned Before = compiles();
  auto M = S->compile(Text, {});
  ASSERT_TRUE(M) << M.error().message();
  EXPECT_EQ(compiles(), Before + 1);
  EXPECT_EQ(M->stats().Cache, Module::CacheResult::Miss);
  EXPECT_EQ(M->lookupAs<int (*)()>("f")(), 14);
  *M = Module();
  EXPECT_EQ(session()->compile(Text, {})->stats().Cache,
            Module::CacheResult::HitDisk);
}

TEST_F(Sessions, ALibraryThatDisappearsIsAnErrorUntilItIsBack) {
  const std::string Path = Folder / "libgone.so";
  auto Put = [&](const std::string &Text) {
    test::writeFile(Path, test::makeObject(Text, "-xc", "-shared"));
  };
  CompileOptions O;
  O.Libraries = {"gone"};
  O.LibraryDirs = {Folder.Path};
  const SourceText Text{"text", "int g(void); int f(void) { return g() + 1; }"};
  Put("int g(void) { return 1; }");
  EXPECT_EQ(compile(*session(), Text.Text, O).lookupAs<int (*)()>("f")(), 2);
  unlink(Path.c_str());
  auto S = session();
  for (int I = 0; I < 2; ++I) {
    auto M = S->compile(Text, O);
    ASSERT_FALSE(M);
    EXPECT_EQ(M.error().message(),
              "A library is missing: `gone`: expected `libgone.so` in `" +
                  Folder.Path + "`, or the folders of the system.");
  }
  Put("int h(void) { return 1; }");
  auto M = S->compile(Text, O);
  ASSERT_FALSE(M);
  EXPECT_EQ(M.error().message(),
            "A symbol is missing: expected the host, a named library or the "
            "process to define `g`.");
  Put("int g(void) { return 4; }");
  EXPECT_EQ(compile(*S, Text.Text, O).lookupAs<int (*)()>("f")(), 5);
}

/// Nobody else would make it.
TEST_F(Sessions, AnInitialiserThatAsksForItsOwnCodeGetsAnError) {
  static std::shared_ptr<Session> S;
  static CompileOptions O;
  static std::string Said;
  static const SourceText Text{
      "text",
      "void ask(void); int f(void) { return 14; }\n"
      "__attribute__((constructor)) static void begin(void) { ask(); }"};
  S = session();
  void (*Ask)() = [] {
    auto M = S->compile(Text, O);
    Said = M ? "no error" : M.error().message();
  };
  O.Symbols = {{"ask", reinterpret_cast<void *>(Ask)}};
  EXPECT_EQ(compile(*S, Text.Text, O).lookupAs<int (*)()>("f")(), 14);
  EXPECT_EQ(Said,
            "This text compiles itself while it is being loaded, directly or "
            "through another text: expected its initialisers to compile other "
            "texts.");
  S.reset();
}

/// Each is the leader that the other waits for: one of them gets the error.
TEST_F(Sessions, TwoInitialisersThatCompileEachOtherOnTwoThreads) {
  static std::shared_ptr<Session> S;
  static CompileOptions O;
  static std::latch Begun(2);
  static std::array<std::string, 2> Said;
  static const std::array<SourceText, 2> Texts = {
      {{"first",
        "void ask(int); int f(void) { return 1; }\n"
        "__attribute__((constructor)) static void i(void) { ask(1); }"},
       {"second",
        "void ask(int); int f(void) { return 2; }\n"
        "__attribute__((constructor)) static void i(void) { ask(0); }"}}};
  S = session();
  void (*Ask)(int) = [](int Other) {
    Begun.arrive_and_wait();
    auto M = S->compile(Texts[Other], O);
    Said[Other] = M ? "" : M.error().message();
  };
  O.Symbols = {{"ask", reinterpret_cast<void *>(Ask)}};
  std::array<Module, 2> Made; // Each stays until the other has been loaded.
  auto Run = [&](int I) {
    if (auto M = S->compile(Texts[I], O))
      Made[I] = *M;
  };
  std::thread Second(Run, 1);
  Run(0);
  Second.join();
  for (int I = 0; I < 2; ++I) {
    ASSERT_TRUE(Made[I]);
    EXPECT_EQ(Made[I].lookupAs<int (*)()>("f")(), I + 1);
  }
  const std::string Message =
      "This text compiles itself while it is being loaded, directly or "
      "through another text: expected its initialisers to compile other texts.";
  EXPECT_EQ(Said[0] + Said[1], Message);
  S.reset();
}

TEST_F(Sessions, AChildCompilesWhatItsParentWasCompiling) {
  auto S = session();
  const std::string Text = "int f(void) { return 13; }";
  std::thread Compiling([&] { compile(*S, Text); });
  while (S->stats().Compiles == 0 && compiles() == 0)
    std::this_thread::yield();
  pid_t Child = fork();
  if (Child == 0) {
    auto M = S->compile({"text", Text}, {});
    _exit(M && M->lookupAs<int (*)()>("f")() == 13 ? 0 : 1);
  }
  int Status = 1;
  waitpid(Child, &Status, 0);
  EXPECT_EQ(Status, 0);
  Compiling.join();
}

} // namespace
