//===- TextChecker.cpp - The checker that the compile core loads ----------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextChecker.h"

#include "../Diagnostics/RegionMap.h"
#include "../Files/HeaderArchive.h"
#include "../Prefix/PrefixStore.h"
#include "../Survival/CrashGuard.h"
#include "Checker.h"
#include "FixIts.h"

#include "llvm/Support/TargetSelect.h"

using namespace clinch;
using namespace clinch::engine;

extern "C" const char ClinchPrefixBegin[], ClinchPrefixEnd[];

namespace {

class TextCheckerImpl : public TextChecker {
public:
  explicit TextCheckerImpl(const EngineConfig &Config)
      : Baked(std::string_view(ClinchPrefixBegin,
                               ClinchPrefixEnd - ClinchPrefixBegin)),
        Plans(Baked, Config.PythonIncludeDirs), Prefixes(Baked, Plans, Config) {
    llvm::InitializeNativeTarget();
  }

  Expected<std::vector<Finding>> check(const SourceText &Text,
                                       const CompileOptions &O) override {
    CLINCH_TRY(RegionMap::check(O.Regions, Text.Text));
    Expected<std::shared_ptr<const Plan>> P = Plans.plan(O);
    if (!P)
      return P.takeError();
    Expected<std::shared_ptr<const PrefixUse>> Use = Prefixes.get(O, **P);
    if (!Use)
      return Use.takeError();
    CompileStack Stack;
    if (!Stack)
      return Error(ErrorKind::Limit,
                   "There is no memory for a compile's stack.");
    std::vector<Finding> Found;
    Budget Limits(O);
    std::string Problem =
        runGuarded(Stack, [&] { Found = findIn(Text, O, **P, **Use, Limits); });
    if (!Problem.empty())
      return Error(ErrorKind::Crash,
                   "The compiler crashed over this text: " + Problem + ".");
    if (Limits.wasExceeded())
      return Error(ErrorKind::Limit, Limits.message());
    return Found;
  }

  Expected<std::string> fixed(const SourceText &Text,
                              const std::vector<LineFix> &Fixes) override {
    return applyFixes(Text, Fixes);
  }

private:
  HeaderArchive Baked;
  Planner Plans;
  PrefixStore Prefixes;
};

} // namespace

extern "C" __attribute__((visibility("default"))) TextChecker *
clinch_checker_create(const EngineConfig &Config) {
  return new TextCheckerImpl(Config);
}
