// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An engine for tests.
//
// Tests of sessions and caches count compiles and say which files they read,
// which takes an engine that does as it is told: clang as a process.

#include "jit/Engine/Engine.h"
#include "lib/Support/Hash.h"
#include "unittests/Loader/TestObjects.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace clinch;

namespace {

std::atomic<unsigned> Compiles{0};

/// `FILE=path` in the defines makes the file a dependency. `USE=name` says that
/// the text uses that symbol in line 3, column 5.
void addFacts(const CompileOptions &O, EngineResult &R) {
  for (const std::string &Define : O.Defines) {
    if (Define.rfind("USE=", 0) == 0) {
      R.Uses.push_back({});
      R.Uses.back().Origin = "text";
      R.Uses.back().Line = 3;
      R.Uses.back().Column = 5;
      R.Uses.back().Message = Define.substr(4);
    }
    if (Define.rfind("FILE=", 0) != 0)
      continue;
    std::string Path = Define.substr(5);
    using Kind = Manifest::Kind;
    if (access(Path.c_str(), F_OK) == 0)
      R.Inputs.Entries.push_back(
          {Kind::File, Path, contentHash(test::readFile(Path)), {}});
    else
      R.Inputs.Entries.push_back({Kind::Missing, Path, "", {}});
  }
}

class CountingEngine : public Engine {
public:
  Expected<EngineResult> compile(const SourceText &Text,
                                 const CompileOptions &O) override {
    ++Compiles;
    if (O.TimeLimitMs || O.MemoryLimit)
      return Error(Error::Kind::Limit,
                   "The limits are " + std::to_string(O.TimeLimitMs) +
                       " ms and " + std::to_string(O.MemoryLimit) + " bytes.");
    bool IsC = O.Lang == Language::C;
    EngineResult R;
    R.Object = test::makeObject(O.Prefix + Text.Text,
                                IsC ? "-xc 2>/dev/null" : "-xc++ 2>/dev/null");
    if (R.Object.empty())
      return Error(Error::Kind::Compile, "The text does not compile.");
    for (Stage S : O.Keep)
      if (S == Stage::Asm)
        R.Kept.emplace_back(S, "assembly of " + Text.Name);
    Diagnostic Warning;
    Warning.Level = Diagnostic::Severity::Warning;
    Warning.Message = "it was compiled";
    Warning.FixIts = {{1, 2, "x"}};
    Warning.Notes = {Diagnostic()};
    R.Warnings = {Warning};
    addFacts(O, R);
    return R;
  }
};

} // namespace

extern "C" Engine *clinch_engine_create(const EngineConfig &) {
  return new CountingEngine;
}

extern "C" unsigned clinch_test_compiles() { return Compiles; }
