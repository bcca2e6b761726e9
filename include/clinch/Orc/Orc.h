// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clinch's code in a session of the host's.
//
// For a host that has LLVM and an ExecutionSession or LLJIT of its own. The
// host links its own LLVM 22, shared or static, separate from Clinch's.

#pragma once

#include "clinch/Compiler/Session.h"

#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Layer.h"
#include "llvm/Support/Error.h"

namespace clinch {

/// Wraps Clinch's error as an llvm::Error.
class OrcError : public llvm::ErrorInfo<OrcError> {
public:
  static char ID;
  explicit OrcError(Error Cause) : Cause(std::move(Cause)) {}
  void log(llvm::raw_ostream &OS) const override; ///< The message alone.
  std::error_code convertToErrorCode() const override;

  const Error Cause; ///< With its diagnostics.
};

/// Compiles \p Text with \p S, or takes it from its cache, and adds it to
/// \p Layer (an ObjectLinkingLayer, or LLJIT::getObjLinkingLayer()) in a new
/// JITDylib called \p Name.
/// Symbols are looked up as in Session::compile(); those not found are left to
/// the link order of the JITDylib, which the host sets. Libraries stay open
/// until ExecutionSession::removeJITDylib(), which frees the code.
///
/// Fails as Session::compile() does, and if \p Name is taken, the session is
/// for another machine, or the text has initialisers or native thread-locals.
llvm::Expected<llvm::orc::JITDylib &>
addToSession(llvm::orc::ObjectLayer &Layer, const std::string &Name, Session &S,
             const SourceText &Text, const CompileOptions &O = {});

} // namespace clinch
