// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's compiler: one pass over a text, or two.

#include "Worker.h"
#include "../CrashRecovery/CrashGuard.h"
#include "../Options/Invocations.h"
#include "../Options/Processor.h"
#include "Job.h"
#include "lib/Support/Faults.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/TimeProfiler.h"

#include <malloc.h>

using namespace clinch;
using namespace clinch::engine;

namespace {
constexpr size_t MostBackends = 8, MostTargets = 8;
constexpr unsigned MostContextUses = 64;
} // namespace

void Worker::renewContext() {
  if (Context && ++ContextUses < MostContextUses &&
      Backends.size() + DeviceBackends.size() <= MostBackends)
    return;
  const bool WasUsed = bool(Context);
  Backends.clear(); // They refer to the context.
  DeviceBackends.clear();
  Targets.clear();
  Context.reset();
  // malloc keeps what compiles on many threads freed unless it is trimmed
  // (CrashRecovery.WhatCompilesFreedGoesBackToTheSystem).
  if (WasUsed)
    malloc_trim(0);
  Context = std::make_unique<llvm::LLVMContext>();
  ContextUses = 0;
}

Backend *Worker::backend(const Plan &P, const llvm::Triple &Triple,
                         const std::string &CPU, const std::string &Features) {
  std::string Key =
      CPU + "|" + Features + "|" + std::to_string(int(P.CodeGen)) +
      std::to_string(int(P.Optimise)) + std::to_string(int(P.MathErrno)) +
      std::to_string(P.InlineLimit.value_or(-1)) + "|" +
      std::to_string(int(P.VectorisesLoops)) +
      std::to_string(int(P.DefinesMath)) +
      std::to_string(int(P.EmulatesThreadLocals)) +
      std::to_string(int(llvm::timeTraceProfilerEnabled()));
  std::unique_ptr<Backend> &Slot = Backends[Key];
  if (!Slot)
    Slot = Backend::create(Triple, CPU, Features, P);
  return Slot.get();
}

Backend *Worker::hostBackend(const Plan &P) {
  const Processor Here = Processor::host();
  return backend(P, llvm::Triple(P.Invocation.getFrontendOpts().AuxTriple),
                 Here.Name, llvm::join(Here.Features, ","));
}

DeviceBackend *Worker::deviceBackend(const Plan &P, const std::string &Device) {
  std::unique_ptr<DeviceBackend> &Slot =
      DeviceBackends[Device + std::to_string(int(P.CodeGen)) +
                     std::to_string(int(P.Optimise))];
  if (!Slot)
    Slot = DeviceBackend::create(Device, P);
  return Slot.get();
}

static Error noBackend(const std::string &Of) {
  return Error(Error::Kind::Compile, "There is no back end for `" + Of + "`.");
}

KnownTarget &Worker::target(const std::shared_ptr<const Plan> &P) {
  if (Targets.size() >= MostTargets && !Targets.count(P))
    Targets.clear();
  return Targets[P];
}

/// Names the tier and processor: others may not crash.
static std::string where(const CompileOptions &O, const Plan &P) {
  constexpr const char *Tiers[] = {"fast", "default", "max"};
  return std::string(", in the tier `") + Tiers[int(O.Level)] +
         "` for the processor `" + P.Invocation.getTargetOpts().CPU + "`";
}

struct Worker::FirstPass {
  EngineResult Result;
  std::unique_ptr<llvm::Module> Simulated; ///< Else the result has the image.
};

Expected<Worker::FirstPass>
Worker::firstPass(const SourceText &Text, const CompileOptions &Given,
                  const std::shared_ptr<const Plan> &P, llvm::LLVMContext &C) {
  CompileOptions O = Given;
  O.Keep = {};
  Job J(P->Files, C, target(P));
  CLINCH_TRY(J.parse(Text, O, *P));
  CLINCH_TRY(generate(J, O, *P, /*Again=*/false));
  FirstPass Made;
  if (O.Simulate)
    Made.Simulated = J.takeModule();
  Made.Result = J.finish(*P);
  return Made;
}

/// Host code that launches kernels: the text is compiled for the device, then
/// for the host.
Expected<EngineResult>
Worker::compileLaunching(const SourceText &Text, const CompileOptions &O,
                         const std::shared_ptr<const Plan> &P,
                         llvm::LLVMContext &C, bool Again) {
  Expected<FirstPass> First = firstPass(Text, O, P->FirstPass, C);
  // The driver reads PTX up to a NUL.
  const std::string Image = First ? First->Result.Object + '\0' : "";
  std::string Bytes;
  Job J(withImage(P->Files, Image, Bytes), C, target(P));
  Status Parsed = J.parse(Text, O, *P);
  if (!First)
    return Parsed ? First.takeError()
                  : bothErrors(First.takeError(), Parsed.takeError());
  CLINCH_TRY(std::move(Parsed));
  if (O.Debug)
    CLINCH_TRY(J.parseForDebugger(Text, O, *P, DebugFolder));
  J.setKernels(std::move(First->Simulated));
  CompileOptions OfHost = O;
  OfHost.Device.clear();
  CLINCH_TRY(generate(J, OfHost, *P, Again));
  EngineResult Result = J.finish(*P);
  addFirst(Result, std::move(First->Result));
  return Result;
}

Status Worker::generate(Job &J, const CompileOptions &O, const Plan &P,
                        bool Again) {
  const llvm::Triple &Triple = J.parsed().IR->getTargetTriple();
  const CrashSubject Subject("this text", where(O, P));
  if (!O.Device.empty()) {
    DeviceBackend *B = deviceBackend(P, O.Device);
    Backend *Host = O.Simulate ? hostBackend(P) : nullptr;
    if (!B || (O.Simulate && !Host))
      return noBackend(Triple.str());
    return J.generateForDevice(*B, Host, O);
  }
  Backend *B = backend(P, Triple, J.parsed().CPU, J.parsed().Features);
  return B ? J.generate(*B, O, Again) : noBackend(Triple.str());
}

Expected<EngineResult>
Worker::compile(const SourceText &Text, const CompileOptions &O,
                const std::shared_ptr<const Plan> &ThePlan, bool OnlyIfSilent) {
  const Plan &P = *ThePlan;
  // Kept stages show the names of a fresh context. Compiles that are debugged
  // need not be fast.
  bool Again = O.Keep.empty() && !O.Debug;
  llvm::LLVMContext Fresh;
  if (Again)
    renewContext();
  llvm::LLVMContext &C = Again ? *Context : Fresh;
  if (O.Launches)
    return compileLaunching(Text, O, ThePlan, C, Again);
  Job J(P.Files, C, target(ThePlan));
  CLINCH_TRY(J.parse(Text, O, P));
  if (OnlyIfSilent && J.hasWarnings())
    return J.finish(P);
  if (O.Debug)
    CLINCH_TRY(J.parseForDebugger(Text, O, P, DebugFolder));
  CLINCH_TRY(generate(J, O, P, Again));
  return J.finish(P);
}

FileSources clinch::engine::withImage(FileSources Files,
                                      const std::string &Image,
                                      std::string &Bytes) {
  ArchiveBuilder Archive;
  Archive.add(ImagePath, Image);
  Bytes = Archive.finish();
  Files.Archives.insert(Files.Archives.begin(), HeaderArchive(Bytes));
  return Files;
}

static bool isAtSamePlace(const Diagnostic &A, const Diagnostic &B) {
  return A.Origin == B.Origin && A.Line == B.Line && A.Column == B.Column &&
         (A.Line || A.Message == B.Message);
}

/// Adds those that stand where none does.
static void addOthers(std::vector<Diagnostic> &To,
                      std::vector<Diagnostic> From) {
  for (Diagnostic &D : From)
    if (llvm::none_of(To, [&](const Diagnostic &Known) {
          return isAtSamePlace(Known, D);
        }))
      To.push_back(std::move(D));
}

Error clinch::engine::bothErrors(Error First, Error Second) {
  auto IsOfText = [](const Error &E) {
    return E.kind() == Error::Kind::Compile || E.kind() == Error::Kind::Rule;
  };
  if (!IsOfText(First) || !IsOfText(Second))
    return First;
  const Error::Kind Kind =
      First.kind() == Second.kind() ? First.kind() : Error::Kind::Rule;
  std::vector<Diagnostic> All = std::move(First.diagnostics());
  addOthers(All, std::move(Second.diagnostics()));
  std::string Message = faultCount(Kind, All.size());
  return Error(Kind, std::move(Message), std::move(All));
}

void clinch::engine::addFirst(EngineResult &Second, EngineResult First) {
  std::vector<Diagnostic> Warnings = std::move(First.Warnings);
  addOthers(Warnings, std::move(Second.Warnings));
  Second.Warnings = std::move(Warnings);
  Second.Inputs.add(First.Inputs);
  for (auto &[Name, Milliseconds] : Second.Times)
    for (const auto &[Other, Before] : First.Times)
      if (Name == Other)
        Milliseconds += Before;
}
