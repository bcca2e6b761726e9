// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that can be called.

#include "LoadedCode.h"
#include "EmulatedThreadLocals.h"
#include "OrcSession.h"
#include "lib/Support/Forks.h"

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

// libgcc's __register_frame crashes if it gets no memory for its record. So the
// functions below are used, which take a record.

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" void __register_frame_info(const void *, void *);
extern "C" void *__deregister_frame_info(const void *);
// NOLINTEND(bugprone-reserved-identifier)

FrameRegistration::FrameRegistration(std::string_view Section)
    : Section(Section) {
  LockGuard Guard(lockOf(ProcessLock::Frames));
  __register_frame_info(Section.data(), &Note);
}

FrameRegistration::~FrameRegistration() {
  LockGuard Guard(lockOf(ProcessLock::Frames));
  __deregister_frame_info(Section.data());
}
