// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How texts are compiled.

#include "Preparer.h"

#include "../CrashRecovery/CrashGuard.h"
#include "../Options/Flags.h"
#include "lib/Support/Hash.h"

#include "llvm/Support/TargetSelect.h"

using namespace clinch;
using namespace clinch::engine;

extern "C" const char ClinchPrefixBegin[], ClinchPrefixEnd[],
    ClinchDevicePreludeBegin[], ClinchDevicePreludeEnd[];

static constexpr size_t MostPlansKept = 128;
static constexpr size_t MostPrefixBytes = size_t(128) << 20;

Preparer::Preparer(const EngineConfig &Config)
    : Baked(std::string_view(ClinchPrefixBegin,
                             ClinchPrefixEnd - ClinchPrefixBegin)),
      Planning(Baked, Config.PrefixDirs), Prefixes(Baked, Planning, Config) {
  llvm::InitializeNativeTarget();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
}

static std::string planKey(const CompileOptions &O) {
  const std::vector<std::string> Flags = effectiveFlags(O);
  KeyBuilder K;
  K.add(uint64_t(O.Lang)).add(uint64_t(O.Level)).add(O.CPU).add(O.Device);
  K.add(O.Prefix).add(uint64_t(O.Debug)).add(uint64_t(O.Simulate));
  K.add(uint64_t(O.Launches)).add(uint64_t(O.Saved));
  for (Stage S : O.Keep)
    K.add(uint64_t(S));
  for (const auto *List : {&Flags, &O.IncludeDirs, &O.Defines}) {
    K.add(uint64_t(List->size()));
    for (const std::string &S : *List)
      K.add(S);
  }
  return K.finish();
}

/// What stands before all texts in CUDA stands before the author's prefix.
static CompileOptions withPrelude(CompileOptions O) {
  O.Prefix.insert(0, ClinchDevicePreludeBegin,
                  ClinchDevicePreludeEnd - ClinchDevicePreludeBegin);
  return O;
}

/// Returns the plan of that key, if its prefix is not of other headers by now.
std::shared_ptr<const Plan> Preparer::find(const std::string &Key) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto At = Plans.find(Key);
  if (At == Plans.end())
    return nullptr;
  if (!At->second->Own || At->second->Own->Inputs.isUnchanged())
    return At->second;
  Plans.erase(At);
  return nullptr;
}

std::shared_ptr<const Plan> Preparer::add(std::string Key,
                                          std::shared_ptr<Plan> P) {
  std::lock_guard<std::mutex> Guard(Lock);
  size_t Bytes = 0; // Some may share one.
  for (const auto &[Other, Known] : Plans)
    Bytes += Known->Own ? Known->Own->Archive.size() : 0;
  if (Plans.size() >= MostPlansKept || Bytes > MostPrefixBytes)
    Plans.clear();
  Plans.emplace(std::move(Key), P);
  return P;
}

Expected<std::shared_ptr<const Plan>>
Preparer::prepare(const CompileOptions &O) {
  std::string Key = planKey(O);
  if (std::shared_ptr<const Plan> Known = find(Key))
    return Known;
  // Clang crashes on some values of flags.
  const CrashSubject Subject("the flags " + quoted(O.Flags));
  CLINCH_TRY_ASSIGN(const std::shared_ptr<Plan> P, Planning.plan(O));
  if (O.Launches) {
    CompileOptions First = O;
    First.Launches = false;
    First.Keep = {};
    CLINCH_TRY_ASSIGN(P->FirstPass, prepare(First));
  }
  CLINCH_TRY(O.Device.empty() ? Prefixes.give(O, *P)
                              : Prefixes.give(withPrelude(O), *P));
  return add(std::move(Key), P);
}

std::optional<Preparer::Opened> Preparer::open(const SourceText &Text,
                                               const CompileOptions &O) {
  std::optional<OpenedText> Found = Begun.find(Text, O, planKey(O));
  if (!Found)
    return std::nullopt;
  if (std::shared_ptr<const Plan> Known = find(Found->Key))
    return Opened{std::move(*Found), std::move(Known)};
  Expected<std::shared_ptr<Plan>> P = Planning.planOpened(Found->Options);
  Status Given = P ? Prefixes.give(Found->Options, **P) : P.takeError();
  if (!Given || (*P)->PrefixIsTold) {
    Begun.refuse(Found->Key); // The text itself says what is wrong.
    return std::nullopt;
  }
  std::shared_ptr<const Plan> Made = add(Found->Key, std::move(*P));
  return Opened{std::move(*Found), std::move(Made)};
}
