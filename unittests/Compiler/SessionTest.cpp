//===- SessionTest.cpp - Text in, code out -------------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clinch/Compiler/Session.h"
#include "unittests/Loader/TestObjects.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <thread>

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
