// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handles of the C interface.

#pragma once

#include "clinch-c/clinch.h"
#include "clinch/Compiler/Session.h"
#include "lib/Support/OutOfMemory.h"

#include <atomic>
#include <optional>

/// Creates the real session at the first use, when it is configured.
struct SessionState {
  std::shared_ptr<clinch::Session> begin();

  clinch::Session::Options Options;
  std::shared_ptr<clinch::Session> Begun;
};

struct clinch_session {
  std::shared_ptr<SessionState> State = std::make_shared<SessionState>();
};

/// A C diagnostic is the C++ object under an opaque name.
inline const clinch_diagnostic *toC(const clinch::Diagnostic *D) {
  return reinterpret_cast<const clinch_diagnostic *>(D);
}
inline const clinch::Diagnostic *fromC(const clinch_diagnostic *D) {
  return reinterpret_cast<const clinch::Diagnostic *>(D);
}
/// Returns null if \p Index is out of range.
inline const clinch_diagnostic *
diagnosticAt(const std::vector<clinch::Diagnostic> &Diags, size_t Index) {
  return Index < Diags.size() ? toC(&Diags[Index]) : nullptr;
}

struct clinch_unit {
  bool HasText = false;
  std::shared_ptr<SessionState> Session;
  clinch::SourceText Text;
  clinch::CompileOptions Options;
  std::optional<clinch::Error> Failure;
  std::string Rendered;
};

/// Returns what \p Work does, or \p None if memory runs out.
template <typename T, typename WorkT> T orElse(T None, WorkT Work) noexcept {
  try {
    return Work();
  } catch (const std::bad_alloc &) {
    return None;
  }
}

/// The same, and stores the error in the unit.
template <typename T, typename WorkT>
T orFail(clinch_unit *U, T None, WorkT Work) noexcept {
  try {
    return Work();
  } catch (const std::bad_alloc &) {
    U->Failure = clinch::outOfMemory();
    return None;
  }
}

struct clinch_module {
  std::atomic<unsigned> Users{1};
  clinch::Module Module;
};
