// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that can be called.

#include "LoadedCode.h"
#include "EmulatedThreadLocals.h"
#include "FrameRegistration.h"
#include "OrcSession.h"

#include <algorithm>

using namespace clinch;

extern "C" void __cxa_finalize(void *); // NOLINT(bugprone-reserved-identifier)

LoadedCode::LoadedCode() = default;

LoadedCode::~LoadedCode() {
  if (HasExitFunctions)
    __cxa_finalize(this);
  for (auto Run = Finalizers.rbegin(); Run != Finalizers.rend(); ++Run)
    (*Run)();
  freeThreadLocals(ThreadLocals);
  Frames.clear();
  Notes.reset();
  if (PerfNames)
    PerfMap::process().remove(*PerfNames);
  OrcSession::remove(*this);
}

void *LoadedCode::lookup(std::string_view Name) const {
  auto Before = [](const Symbol &S, std::string_view N) { return S.Name < N; };
  auto Found = std::lower_bound(Symbols.begin(), Symbols.end(), Name, Before);
  if (Found == Symbols.end() || Found->Name != Name)
    return nullptr;
  return Found->Address;
}
