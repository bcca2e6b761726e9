//===- TextChecker.cpp - The checker that the compile core loads ----------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextChecker.h"

#include "../Diagnostics/RegionMap.h"
#include "../Prefix/Preparer.h"
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
                   "There is no memory for a compile's stack.");
    std::vector<Finding> Found;
    Budget Limits(O);
    std::string Problem = runGuarded(Stack, [&] {
      Found = checkText(Text, O, *Ready.P, *Ready.Use, Limits);
    });
    if (!Problem.empty())
      return Error(Error::Kind::Crash,
                   "The compiler crashed over this text: " + Problem + ".");
    if (Limits.wasExceeded())
      return Error(Error::Kind::Limit, Limits.message());
    return Found;
  }

  Expected<std::string> fixed(const SourceText &Text,
                              const std::vector<LineFix> &Fixes) override {
    return applyFixes(Text, Fixes);
  }

private:
  Preparer Texts;
};

} // namespace

extern "C" __attribute__((visibility("default"))) TextChecker *
clinch_checker_create(const EngineConfig &Config) {
  return new TextCheckerImpl(Config);
}
