// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sessions on a counting engine.

#pragma once

#include "clinch/Compiler/Session.h"
#include "unittests/Loader/TestObjects.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <memory>

namespace clinch::test {

/// How many texts the counting engine has compiled in this process.
inline unsigned compiles() {
  void *Library = dlopen(CLINCH_TEST_ENGINE, RTLD_NOW);
  auto *Count =
      reinterpret_cast<unsigned (*)()>(dlsym(Library, "clinch_test_compiles"));
  return Count();
}

/// A session on the engine of the build, which keeps nothing on disk.
inline Session &session() {
  static std::shared_ptr<Session> S = [] {
    Session::Options O;
    O.DiskCache = false;
    return Session::create(O);
  }();
  return *S;
}

/// Sessions with a cache folder of their own.
struct Sessions : testing::Test {
  std::shared_ptr<Session> session(Session::Options O = {}) {
    O.EnginePath = CLINCH_TEST_ENGINE;
    if (O.CacheDir.empty())
      O.CacheDir = Folder / "cache";
    return Session::create(O);
  }
  Module compile(Session &S, const std::string &Text,
                 const CompileOptions &O = {}) {
    auto M = S.compile({"text", Text}, O);
    EXPECT_TRUE(M) << M.error().message();
    return M ? *M : Module();
  }
  TemporaryFolder Folder;
};

} // namespace clinch::test
