//===- Orc.h - Clinch's code in a session of the host's ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a host that has LLVM, and an ExecutionSession or LLJIT of its own. It
// links its own LLVM 22, shared or static; Clinch's stands apart from it.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_ORC_ORC_H
#define CLINCH_ORC_ORC_H

#include "clinch/Compiler/Session.h"

#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Layer.h"
#include "llvm/Support/Error.h"

namespace clinch {

/// Clinch's error as one of LLVM's.
class OrcError : public llvm::ErrorInfo<OrcError> {
public:
  static char ID;
  explicit OrcError(Error Cause) : Cause(std::move(Cause)) {}
  void log(llvm::raw_ostream &OS) const override; ///< The message alone.
  std::error_code convertToErrorCode() const override;

  const Error Cause; ///< With its diagnostics.
};

/// Compiles \p Text with \p S, or takes it from its cache, and gives it to
/// \p Layer (an ObjectLinkingLayer, or LLJIT::getObjLinkingLayer()) in a new
/// JITDylib of its session that is called \p Name.
///
/// What the text uses is found as in Session::compile(). What is not is left to
/// the link order of the JITDylib, which is the host's to set. Libraries stay
/// open for as long as the JITDylib is there; the code goes with
/// ExecutionSession::removeJITDylib().
///
/// Errors: one of Session::compile(), a \p Name that is taken, a session for
/// another machine, a text with initialisers, which no layer runs.
llvm::Expected<llvm::orc::JITDylib &>
addToSession(llvm::orc::ObjectLayer &Layer, const std::string &Name, Session &S,
             const SourceText &Text, const CompileOptions &O = {});

} // namespace clinch

#endif // CLINCH_ORC_ORC_H
