// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text in, code out.

#include "SessionTesting.h"
#include "lib/Contract/PythonPrefix.h"

#include <cstdio>
#include <fstream>
#include <set>
#include <thread>
#include <vector>

using namespace clinch;
using namespace clinch::test;

namespace {

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
  EXPECT_EQ(Live->stats().Cache, Module::CacheResult::HitMemory);
  EXPECT_EQ(Live->lookup("found"), Made.lookup("found"));
  Made = Module();
  *Live = Module();
  auto Kept = session()->find(Text, {});
  ASSERT_TRUE(Kept && *Kept);
  EXPECT_EQ(Kept->stats().Cache, Module::CacheResult::HitDisk);
  EXPECT_EQ(Kept->lookupAs<int (*)()>("found")(), 5);
}

TEST_F(Sessions, CompilesOnceForOneKey) {
  auto S = session();
  unsigned Before = compiles();
  Module A = compile(*S, "int f(void) { return 1; }");
  Module B = compile(*S, "int f(void) { return 1; }");
  EXPECT_EQ(compiles(), Before + 1);
  EXPECT_EQ(A.lookup("f"), B.lookup("f"));
  EXPECT_EQ(A.lookupAs<int (*)()>("f")(), 1);
  EXPECT_EQ(A.stats().Cache, Module::CacheResult::Miss);
  EXPECT_EQ(B.stats().Cache, Module::CacheResult::HitMemory);
  EXPECT_EQ(S->stats().LiveModules, 1U);
  EXPECT_EQ(S->stats().LiveBytes, A.stats().CodeBytes);
  A = B = Module();
  EXPECT_EQ(S->stats().LiveModules, 0U);
  EXPECT_EQ(S->stats().LiveBytes, 0U);
}

/// Else its locks stayed locked, and others would wait for its compile for
/// ever.
TEST_F(Sessions, AThreadThatIsCancelledEndsItsCompileFirst) {
  auto S = session();
  auto CompileCancelled = [](void *Given) -> void * {
    pthread_cancel(pthread_self()); // At the next place where that may be.
    (void)static_cast<Session *>(Given)->compile(
        {"text", "int f(void) { return 6; }"}, {});
    pthread_testcancel();
    return nullptr;
  };
  pthread_t Thread;
  ASSERT_EQ(pthread_create(&Thread, nullptr, CompileCancelled, S.get()), 0);
  void *Result = nullptr;
  ASSERT_EQ(pthread_join(Thread, &Result), 0);
  EXPECT_EQ(Result, PTHREAD_CANCELED);
  CompileOptions O;
  O.Interrupted = [] { return true; }; // Waits for nobody.
  Module M = compile(*S, "int f(void) { return 6; }", O);
  ASSERT_TRUE(bool(M));
  EXPECT_EQ(M.stats().Cache, Module::CacheResult::HitDisk);
  EXPECT_EQ(M.lookupAs<int (*)()>("f")(), 6);
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
  EXPECT_EQ(M.stats().Cache, Module::CacheResult::HitDisk);
  EXPECT_EQ(M.lookupAs<int (*)()>("f")(), 2);
  ASSERT_EQ(M.warnings().size(), 1U);
  EXPECT_EQ(M.warnings()[0].Message, "it was compiled");
}

/// Code of a session that stored it nowhere, or elsewhere.
TEST_F(Sessions, CodeThatLivesIsStoredWhereThisSessionsDiskLacksIt) {
  const std::string Text = "int f(void) { return 13; }";
  Session::Options O;
  O.DiskCache = false;
  auto WithoutDisk = session(O), Here = session();
  O = {};
  O.CacheDir = Folder / "elsewhere";
  auto Elsewhere = session(O);
  Module A = compile(*WithoutDisk, Text);
  unsigned Before = compiles();
  for (Session *S : {Here.get(), Elsewhere.get()}) {
    Module B = compile(*S, Text);
    EXPECT_EQ(compiles(), ++Before);
    EXPECT_EQ(B.lookup("f"), A.lookup("f"));
    EXPECT_EQ(compile(*S, Text).stats().Cache, Module::CacheResult::HitMemory);
    EXPECT_TRUE(*S->find({"text", Text}, {}));
  }
  compile(*Here, Text); // Its disk has it.
  EXPECT_EQ(compiles(), Before);
  A = Module();
  EXPECT_EQ(Here->stats().LiveModules, 0U);
  for (Session *S : {Here.get(), Elsewhere.get()})
    EXPECT_EQ(compile(*S, Text).stats().Cache, Module::CacheResult::HitDisk);
  EXPECT_EQ(compiles(), Before);
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
  Session::Options O;
  O.DiskCache = false;
  O.EnginePath = "/nowhere/libclinch-engine.so";
  auto S = Session::create(O);
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
  Session::Options O;
  O.DiskCache = false;
  O.EnginePath = Half;
  auto S = Session::create(O);
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
  EXPECT_EQ(A.stage(Stage::Obj), nullptr);
  unsigned Before = compiles();
  CompileOptions O;
  O.Keep = {Stage::Obj};
  Module B = compile(*S, Text, O);
  EXPECT_EQ(compiles(), Before); // The disk has it.
  ASSERT_TRUE(B.stage(Stage::Obj));
  EXPECT_EQ(B.stage(Stage::Obj)->substr(1, 3), "ELF");
  EXPECT_EQ(B.stats().ObjectBytes, B.stage(Stage::Obj)->size());
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
  Add([](auto &O) { O.Prefix = PythonPrefix; });
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
  Add([](auto &O) { O.Regions = {{"a", Region::Role::Code, 7, "l"}}; });
  Add([](auto &O) { O.Regions = {{"a", Region::Role::Code, 0, "", 0, 1}}; });
  Add([](auto &O) { O.Regions = {{"a", Region::Role::Code, 0, "", 1, 1}}; });
  Add([](auto &O) {
    O.Regions = {{"a", Region::Role::Code, 0, "", 0, 0, "r"}};
  });
  Add([](auto &O) {
    O.Regions = {{"a", Region::Role::Code, 0, "", 0, 0, "", {"r"}}};
  });
  Add([](auto &O) {
    O.Regions = {{"a", Region::Role::Code, 0, "", 0, 0, "", {}, {"r"}}};
  });
  Add([](auto &O) { O.Variables = {"a"}; });
  Add([](auto &O) { O.FailureVariable = "a"; });
  Add([](auto &O) { O.Key = "a"; });
  Add([](auto &O) { O.Saved = true; });
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
            "The object file cannot be loaded: expected a relocatable ELF "
            "file for x86-64.");
}

TEST_F(Sessions, WithoutADiskCacheNothingIsWritten) {
  Session::Options O;
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
  Session::Options O;
  O.CacheDir = "/proc/nowhere";
  auto S = session(O);
  EXPECT_EQ(S->cacheDir(), "");
  EXPECT_EQ(
      compile(*S, "int f(void) { return 12; }").lookupAs<int (*)()>("f")(), 12);
}

} // namespace
