//===- Preparer.cpp - The plan and prefix of a text -------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Preparer.h"

#include "llvm/Support/TargetSelect.h"

using namespace clinch;
using namespace clinch::engine;

extern "C" const char ClinchPrefixBegin[], ClinchPrefixEnd[];

Preparer::Preparer(const EngineConfig &Config)
    : Baked(std::string_view(ClinchPrefixBegin,
                             ClinchPrefixEnd - ClinchPrefixBegin)),
      Plans(Baked, Config.PythonIncludeDirs), Prefixes(Baked, Plans, Config) {
  llvm::InitializeNativeTarget();
}

Expected<Prepared> Preparer::prepare(const CompileOptions &O) {
  CLINCH_TRY_ASSIGN(std::shared_ptr<const Plan> P, Plans.plan(O));
  CLINCH_TRY_ASSIGN(std::shared_ptr<const PrefixUse> Use, Prefixes.get(O, *P));
  return Prepared{std::move(P), std::move(Use)};
}
