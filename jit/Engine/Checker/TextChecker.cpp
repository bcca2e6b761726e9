//===- TextChecker.cpp - The checker that the compile core loads ----------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextChecker.h"

#include "../Diagnostics/RegionMap.h"
#include "../Prefix/Preparer.h"
#include "../Survival/Allocations.h"
#include "../Survival/CrashGuard.h"
#include "Checker.h"
#include "FixIts.h"

using namespace clinch;
using namespace clinch::engine;

namespace {

class TextCheckerImpl : public TextChecker {
public:
  explicit TextCheckerImpl(const EngineConfig &Config) : Texts(Config) {}

  Expected<std::vector<Finding>> check(const SourceText &Text,
                                       const CompileOptions &O) override {
    CLINCH_TRY(RegionMap::check(O.Regions, Text.Text));
    CLINCH_TRY_ASSIGN(Prepared Ready, Texts.prepare(O));
    CompileStack Stack;
    if (!Stack)
      return Error(Error::Kind::Limit,
                   "Out of memory: there is none for a compile's stack.");
    std::vector<Finding> Found;
    Budget Limits(O);
    std::string Problem = runGuarded(Stack, [&] {
      Found = checkText(Text, O, *Ready.P, *Ready.Use, Limits);
    });
    if (!Problem.empty())
      return errorOf(Problem, "The compiler crashed over this text");
    if (Limits.wasExceeded())
      return Error(Error::Kind::Limit, Limits.message());
    return Found;
  }

  Expected<std::string> fixed(const SourceText &Text,
                              const std::vector<LineFix> &Fixes) override {
    return applyFixes(Text, Fixes);
  }

  bool isUsable() const override { return !isLockedForGood(); }

private:
  Preparer Texts;
};

} // namespace

extern "C" __attribute__((visibility("default"))) TextChecker *
clinch_checker_create(const EngineConfig &Config) {
  AllocationWatch::endLoading();
  TextChecker *Made = nullptr;
  CompileStack Stack;
  if (Stack)
    GuardedRun(Stack, [&] { Made = new TextCheckerImpl(Config); }).join();
  return Made;
}
