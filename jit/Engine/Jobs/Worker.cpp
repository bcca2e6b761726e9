//===- Worker.cpp - One compile at a time -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include "Job.h"

#include <malloc.h>

using namespace clinch;
using namespace clinch::engine;

namespace {
constexpr size_t MostBackends = 8, MostTargets = 8;
constexpr unsigned MostContextUses = 64;
} // namespace

void Worker::renewContext() {
  if (Context && ++ContextUses < MostContextUses &&
      Backends.size() <= MostBackends)
    return;
  const bool WasUsed = bool(Context);
  forget();
  // malloc keeps what compiles on many threads freed unless it is trimmed.
  if (WasUsed)
    malloc_trim(0);
  Context = std::make_unique<llvm::LLVMContext>();
  ContextUses = 0;
}

void Worker::forget() {
  Backends.clear(); // They refer to the context.
  Targets.clear();
  Context.reset();
}

Backend *Worker::backend(const Plan &P, const llvm::Module &M,
                         const std::string &CPU, const std::string &Features) {
  std::string Key =
      CPU + "|" + Features + "|" + std::to_string(int(P.CodeGen)) +
      std::to_string(int(P.Optimise)) + std::to_string(int(P.VectorMath));
  std::unique_ptr<Backend> &Slot = Backends[Key];
  if (!Slot)
    Slot = Backend::create(M.getTargetTriple(), CPU, Features, P);
  return Slot.get();
}

KnownTarget &Worker::target(const std::shared_ptr<const Plan> &P) {
  if (Targets.size() >= MostTargets && !Targets.count(P))
    Targets.clear();
  return Targets[P];
}

Expected<EngineResult>
Worker::compile(const SourceText &Text, const CompileOptions &O,
                const std::shared_ptr<const Plan> &ThePlan,
                const PrefixUse &Prefix, Budget &Limits) {
  const Plan &P = *ThePlan;
  // Kept stages show the names of a fresh context. Compiles that are debugged
  // or limited need not be fast.
  bool Again = O.Keep.empty() && !O.Debug && !Limits.limited();
  llvm::LLVMContext Fresh;
  if (Again)
    renewContext();
  Job J(Prefix.Files, Again ? *Context : Fresh, target(ThePlan));
  CLINCH_TRY(J.parse(Text, O, P, Prefix.Path, Limits));
  if (O.Debug)
    CLINCH_TRY(
        J.parseForDebugger(Text, O, P, Prefix.Path, DebugFolder, Limits));
  Backend *B = backend(P, *J.parsed().IR, J.parsed().CPU, J.parsed().Features);
  if (!B)
    return Error(Error::Kind::Compile,
                 "There is no back end for `" +
                     J.parsed().IR->getTargetTriple().str() + "`.");
  Generating = true;
  Status S = J.generate(*B, O, Limits, Again);
  Generating = false;
  CLINCH_TRY(std::move(S));
  return J.finish(P);
}
