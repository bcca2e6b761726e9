//===- SessionTest.cpp - Text in, code out -------------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clinch/Compiler/Session.h"
#include "unittests/Loader/TestObjects.h"

#include <cstdio>
#include <dlfcn.h>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <vector>

using namespace clinch;
using clinch::test::TemporaryFolder;

namespace {

unsigned compiles() {
  void *Library = dlopen(CLINCH_TEST_ENGINE, RTLD_NOW);
  auto *Count =
      reinterpret_cast<unsigned (*)()>(dlsym(Library, "clinch_test_compiles"));
  return Count();
}

struct Sessions : testing::Test {
  std::shared_ptr<Session> session(SessionOptions O = {}) {
    O.EnginePath = CLINCH_TEST_ENGINE;
    if (O.CacheDir.empty())
      O.CacheDir = Folder / "cache";
    return *Session::create(O);
  }
  Module compile(Session &S, const std::string &Text,
                 const CompileOptions &O = {}) {
    auto M = S.compile({"text", Text}, O);
    EXPECT_TRUE(M) << M.error().message();
    return M ? *M : Module();
  }
  TemporaryFolder Folder;
};

TEST_F(Sessions, FindCompilesNothing) {
  auto S = session();
  SourceText Text{"text", "int found(void) { return 5; }"};
  unsigned Before = compiles();
  auto None = S->find(Text, {});
  ASSERT_TRUE(None);
  EXPECT_FALSE(bool(*None));
  EXPECT_EQ(compiles(), Before);
  Module Made = compile(*S, Text.Text);
  auto Live = S->find(Text, {});
  ASSERT_TRUE(Live && *Live);
  EXPECT_EQ(Live->stats().Cache, CacheResult::HitMemory);
  EXPECT_EQ(Live->lookup("found"), Made.lookup("found"));
  Made = Module();
  *Live = Module();
  auto Kept = session()->find(Text, {});
  ASSERT_TRUE(Kept && *Kept);
  EXPECT_EQ(Kept->stats().Cache, CacheResult::HitDisk);
  EXPECT_EQ(Kept->lookupAs<int (*)()>("found")(), 5);
}

} // namespace

TEST_F(Sessions, CompilesOnceForOneKey) {
  auto S = session();
  unsigned Before = compiles();
  Module A = compile(*S, "int f(void) { return 1; }");
  Module B = compile(*S, "int f(void) { return 1; }");
  EXPECT_EQ(compiles(), Before + 1);
  EXPECT_EQ(A.lookup("f"), B.lookup("f"));
  EXPECT_EQ(A.lookupAs<int (*)()>("f")(), 1);
  EXPECT_EQ(A.stats().Cache, CacheResult::Miss);
  EXPECT_EQ(B.stats().Cache, CacheResult::HitMemory);
  EXPECT_EQ(S->stats().LiveModules, 1U);
  EXPECT_EQ(S->stats().LiveBytes, A.stats().CodeBytes);
  A = B = Module();
  EXPECT_EQ(S->stats().LiveModules, 0U);
  EXPECT_EQ(S->stats().LiveBytes, 0U);
}

TEST_F(Sessions, FindsItOnDiskAgain) {
  {
    auto S = session();
    compile(*S, "int f(void) { return 2; }");
  }
  unsigned Before = compiles();
  auto S = session();
  Module M = compile(*S, "int f(void) { return 2; }");
  EXPECT_EQ(compiles(), Before);
  EXPECT_EQ(M.stats().Cache, CacheResult::HitDisk);
  EXPECT_EQ(M.lookupAs<int (*)()>("f")(), 2);
  ASSERT_EQ(M.warnings().size(), 1U);
  EXPECT_EQ(M.warnings()[0].Message, "it was compiled");
}

TEST_F(Sessions, CompilesOnceForManyThreads) {
  auto S = session();
  unsigned Before = compiles();
  std::vector<std::thread> Threads;
  std::vector<Module> Modules(8);
  for (Module &M : Modules)
    Threads.emplace_back([&] { M = compile(*S, "int f(void) { return 3; }"); });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(compiles(), Before + 1);
  for (Module &M : Modules)
    EXPECT_EQ(M.lookup("f"), Modules[0].lookup("f"));
}

TEST_F(Sessions, SaysThatTheEngineIsMissing) {
  SessionOptions O;
  O.DiskCache = false;
  O.EnginePath = "/nowhere/libclinch-engine.so";
  auto S = *Session::create(O);
  auto M = S->compile({"text", "int f(void) { return 4; }"}, {});
  ASSERT_FALSE(M);
  EXPECT_EQ(M.error().message(),
            "The compiler cannot be loaded: expected it in "
            "`/nowhere/libclinch-engine.so`, the system said "
            "`/nowhere/libclinch-engine.so: cannot open shared object file: "
            "No such file or directory`.");
}

TEST_F(Sessions, SaysThatTheEngineIsCutShort) {
  const std::string Half = std::string(testing::TempDir()) + "half-engine.so";
  {
    std::ifstream From(CLINCH_TEST_ENGINE, std::ios::binary);
    std::vector<char> Bytes(5000);
    ASSERT_TRUE(From.read(Bytes.data(), std::streamsize(Bytes.size())));
    std::ofstream(Half, std::ios::binary)
        .write(Bytes.data(), std::streamsize(Bytes.size()));
  }
  SessionOptions O;
  O.DiskCache = false;
  O.EnginePath = Half;
  auto S = *Session::create(O);
  auto M = S->compile({"text", "int f(void) { return 5; }"}, {});
  ASSERT_FALSE(M);
  EXPECT_EQ(M.error().message(),
            "The compiler cannot be loaded: expected it in `" + Half +
                "`, the system said `" + Half + ": file too short`.");
  std::remove(Half.c_str());
}

TEST_F(Sessions, ErrorsReachEveryThreadAndAreNotKept) {
  auto S = session();
  std::vector<std::thread> Threads;
  std::atomic<int> Failures{0};
  for (int I = 0; I < 4; ++I)
    Threads.emplace_back([&] {
      auto M = S->compile({"text", "this is no C"}, {});
      Failures += !M && M.error().message() == "The text does not compile.";
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Failures, 4);
  unsigned Before = compiles();
  EXPECT_FALSE(S->compile({"text", "this is no C"}, {}));
  EXPECT_EQ(compiles(), Before + 1);
  EXPECT_EQ(S->stats().Compiles, 0U);
  EXPECT_EQ(compile(*S, "int f(void) { return 5; }").lookupAs<int (*)()>("f")(),
            5);
}

TEST_F(Sessions, AStageThatIsNotAtHandIsMadeAndTheCodeShared) {
  auto S = session();
  const std::string Text = "int f(void) { return 6; }";
  Module A = compile(*S, Text);
  EXPECT_EQ(A.stage(Stage::Asm), nullptr);
  EXPECT_EQ(A.object(), "");
  unsigned Before = compiles();
  CompileOptions O;
  O.Keep = {Stage::Obj};
  Module B = compile(*S, Text, O);
  EXPECT_EQ(compiles(), Before); // The disk has it.
  EXPECT_EQ(B.object().substr(1, 3), "ELF");
  EXPECT_EQ(B.stats().ObjectBytes, B.object().size());
  O.Keep = {Stage::Asm};
  Module C = compile(*S, Text, O);
  EXPECT_EQ(compiles(), Before + 1);
  ASSERT_TRUE(C.stage(Stage::Asm));
  EXPECT_EQ(*C.stage(Stage::Asm), "assembly of text");
  EXPECT_EQ(A.lookup("f"), B.lookup("f"));
  EXPECT_EQ(A.lookup("f"), C.lookup("f"));
  EXPECT_EQ(S->stats().LiveModules, 1U);
  EXPECT_EQ(A.key(), C.key());
}

TEST_F(Sessions, AChangedHeaderIsNoHitInMemoryOrOnDisk) {
  auto S = session();
  CompileOptions O;
  O.Defines = {"FILE=" + (Folder / "h.h")};
  const std::string Text = "int f(void) { return 7; }";
  unsigned Before = compiles();
  Module A = compile(*S, Text, O);
  Module B = compile(*S, Text, O);
  EXPECT_EQ(compiles(), Before + 1);
  test::writeFile(Folder / "h.h", "1");
  Module C = compile(*S, Text, O);
  EXPECT_EQ(compiles(), Before + 2);
  EXPECT_NE(A.lookup("f"), C.lookup("f"));
  Module D = compile(*S, Text, O);
  EXPECT_EQ(compiles(), Before + 2);
  EXPECT_EQ(C.lookup("f"), D.lookup("f"));
  A = B = Module();
  EXPECT_EQ(compile(*S, Text, O).lookup("f"), C.lookup("f"));
  EXPECT_EQ(S->stats().LiveModules, 1U);
}

TEST_F(Sessions, SymbolsOfTheHostArePartOfTheCodeNotOfTheKey) {
  static int One = 1, Two = 2;
  auto S = session();
  const std::string Text = "extern int v; int f(void) { return v; }";
  CompileOptions O;
  O.Symbols = {{"v", &One}};
  Module A = compile(*S, Text, O);
  unsigned Before = compiles();
  O.Symbols = {{"v", &Two}};
  Module B = compile(*S, Text, O);
  EXPECT_EQ(compiles(), Before);
  EXPECT_EQ(A.key(), B.key());
  EXPECT_EQ(A.lookupAs<int (*)()>("f")(), 1);
  EXPECT_EQ(B.lookupAs<int (*)()>("f")(), 2);
}

TEST_F(Sessions, TheKeyKnowsEveryOption) {
  auto S = session();
  SourceText Text{"n", "t"};
  CompileOptions Base;
  std::set<std::string> Keys{S->key(Text, Base), S->key({"m", "t"}, Base),
                             S->key({"n", "u"}, Base)};
  auto Add = [&](auto Change) {
    CompileOptions O;
    Change(O);
    EXPECT_TRUE(Keys.insert(S->key(Text, O)).second);
  };
  Add([](auto &O) { O.Lang = Language::CXX; });
  Add([](auto &O) { O.Level = Tier::Fast; });
  Add([](auto &O) { O.Level = Tier::Max; });
  Add([](auto &O) { O.CPU = "host"; });
  Add([](auto &O) { O.CPU = "x86-64-v3"; });
  Add([](auto &O) { O.Headers = Prefix::Python; });
  Add([](auto &O) { O.IncludeDirs = {"a"}; });
  Add([](auto &O) { O.Defines = {"a"}; });
  Add([](auto &O) { O.Flags = {"a"}; });
  Add([](auto &O) { O.Flags = {"a", "b"}; });
  Add([](auto &O) { O.ForbiddenFlags = {"a"}; });
  Add([](auto &O) { O.Libraries = {"a"}; });
  Add([](auto &O) { O.LibraryDirs = {"a"}; });
  Add([](auto &O) { O.Regions = {{"a"}}; });
  Add([](auto &O) { O.Regions = {{"a", Region::Role::NoFail}}; });
  Add([](auto &O) { O.Regions = {{"a", Region::Role::Code, 7}}; });
  Add([](auto &O) { O.Regions = {{"a", Region::Role::Code, 0, 0, 1}}; });
  Add([](auto &O) { O.Regions = {{"a", Region::Role::Code, 0, 1, 1}}; });
  Add([](auto &O) { O.Regions = {{"a", Region::Role::Code, 0, 0, 0, "r"}}; });
  Add([](auto &O) {
    O.Regions = {{"a", Region::Role::Code, 0, 0, 0, "", {"r"}}};
  });
  Add([](auto &O) { O.FailureVariable = "a"; });
  Add([](auto &O) { O.Debug = true; });
  CompileOptions Same;
  Same.Keep = {Stage::Asm};
  Same.UseDiskCache = false;
  Same.TimeLimitMs = 1;
  Same.MemoryLimit = 1;
  EXPECT_EQ(S->key(Text, Same), S->key(Text, Base));
}

TEST_F(Sessions, AdoptAnObjectInsteadOfCompiling) {
  auto S = session();
  unsigned Before = compiles();
  std::string Object = test::makeObject("int f(void) { return 8; }");
  auto M = S->adopt({"text", "the text of 8"}, {}, Object);
  ASSERT_TRUE(M) << M.error().message();
  EXPECT_EQ(M->lookupAs<int (*)()>("f")(), 8);
  Module Again = compile(*S, "the text of 8");
  EXPECT_EQ(Again.lookup("f"), M->lookup("f"));
  EXPECT_EQ(S->stats().Compiles, 0U);
  EXPECT_EQ(S->stats().MemoryHits, 1U);
  EXPECT_EQ(compiles(), Before);
  auto Bad = S->adopt({"text", "another"}, {}, "garbage");
  ASSERT_FALSE(Bad);
  EXPECT_EQ(Bad.error().message(),
            "The object file cannot be loaded: expected an ELF header of 64 "
            "bytes, found 7.");
}

TEST_F(Sessions, WithoutADiskCacheNothingIsWritten) {
  SessionOptions O;
  O.DiskCache = false;
  auto S = session(O);
  compile(*S, "int f(void) { return 9; }");
  EXPECT_EQ(S->cacheDir(), "");
  EXPECT_EQ(*S->clearDiskCache(), 0U);
  EXPECT_NE(access((Folder / "cache").c_str(), F_OK), 0);
  auto WithDisk = session();
  CompileOptions Not;
  Not.UseDiskCache = false;
  compile(*WithDisk, "int f(void) { return 10; }", Not);
  EXPECT_EQ(*WithDisk->clearDiskCache(), 0U);
  compile(*WithDisk, "int f(void) { return 11; }");
  EXPECT_EQ(WithDisk->cacheDir(), Folder / "cache");
  EXPECT_GT(*WithDisk->clearDiskCache(), 500U);
}

TEST_F(Sessions, AFolderThatCannotBeUsedIsNoError) {
  SessionOptions O;
  O.CacheDir = "/proc/nowhere";
  auto S = session(O);
  EXPECT_EQ(S->cacheDir(), "");
  EXPECT_EQ(
      compile(*S, "int f(void) { return 12; }").lookupAs<int (*)()>("f")(), 12);
}

TEST_F(Sessions, AnObjectThatDoesNotLinkIsReportedEachTime) {
  auto S = session();
  for (int I = 0; I < 2; ++I) {
    auto M = S->compile({"text", "int absent(void); int f(void)"
                                 "{ return absent(); }"},
                        {});
    ASSERT_FALSE(M);
    EXPECT_EQ(M.error().kind(), ErrorKind::Link);
    EXPECT_EQ(M.error().message(),
              "A symbol is missing: expected the host, a named library or the "
              "process to define `absent`.");
    ASSERT_EQ(M.error().diagnostics().size(), 1U);
    const Diagnostic &Use = M.error().diagnostics()[0];
    EXPECT_EQ(Use.Origin, "text");
    EXPECT_EQ(Use.Line, 1U);
    EXPECT_EQ(Use.Column, 39U);
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
  EXPECT_EQ(M->stats().Cache, CacheResult::Miss);
  EXPECT_EQ(M->lookupAs<int (*)()>("f")(), 14);
  *M = Module();
  EXPECT_EQ(session()->compile(Text, {})->stats().Cache, CacheResult::HitDisk);
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
  EXPECT_EQ(Said, "This code asks for itself while it is loaded: expected its "
                  "initialisers to compile other texts.");
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
