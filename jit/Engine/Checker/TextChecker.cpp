// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checker that the compile core loads.

#include "TextChecker.h"

#include "../CrashRecovery/CrashGuard.h"
#include "../Diagnostics/RegionMap.h"
#include "../Prefix/Preparer.h"
#include "Checker.h"
#include "Findings.h"

#include <optional>

using namespace clinch;
using namespace clinch::engine;

namespace {

class TextCheckerImpl : public TextChecker {
public:
  explicit TextCheckerImpl(const EngineConfig &Config) : Texts(Config) {}

  Expected<std::vector<Finding>> check(const SourceText &Text,
                                       const CompileOptions &O,
                                       const CallFacts &Facts) override {
    CLINCH_TRY(RegionMap::check(O.Regions, Text.Text));
    CompileStack Stack;
    std::optional<Expected<std::vector<Finding>>> Found;
    CLINCH_TRY(runGuarded(Stack, [&] { Found.emplace(run(Text, O, Facts)); }));
    return std::move(*Found);
  }

  Expected<std::vector<std::string>>
  completions(const SourceText &Text, const CompileOptions &O) override {
    CompileStack Stack;
    std::optional<Expected<std::vector<std::string>>> Found;
    CLINCH_TRY(runGuarded(Stack, [&] {
      auto P = Texts.prepare(O);
      if (P)
        Found.emplace(engine::completions(Text, **P));
      else
        Found.emplace(P.takeError());
    }));
    return std::move(*Found);
  }

  Expected<std::string> fixed(const SourceText &Text,
                              const std::vector<LineFix> &Fixes) override {
    return applyFixes(Text, Fixes);
  }

private:
  Expected<std::vector<Finding>>
  run(const SourceText &Text, const CompileOptions &O, const CallFacts &Facts) {
    CLINCH_TRY_ASSIGN(auto P, Texts.prepare(O));
    return checkText(Text, O, *P, Facts);
  }

  Preparer Texts;
};

} // namespace

extern "C" __attribute__((visibility("default"))) TextChecker *
clinch_checker_create(const EngineConfig &Config) {
  return new TextCheckerImpl(Config);
}
