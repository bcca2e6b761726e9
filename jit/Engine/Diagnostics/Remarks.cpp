// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the optimiser says of its work.

#include "Remarks.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"

#include <algorithm>

using namespace clinch::engine;

/// Other passes say what only their authors understand.
static bool isTold(llvm::StringRef Pass) {
  return Pass == "inline" || Pass == "loop-vectorize" ||
         Pass == "slp-vectorizer";
}

bool RemarkHandler::isAnalysisRemarkEnabled(llvm::StringRef Pass) const {
  return Lines && isTold(Pass);
}
bool RemarkHandler::isMissedOptRemarkEnabled(llvm::StringRef Pass) const {
  return Lines && isTold(Pass);
}
bool RemarkHandler::isPassedOptRemarkEnabled(llvm::StringRef Pass) const {
  return Lines && isTold(Pass);
}

static const char *kindOf(const llvm::DiagnosticInfoOptimizationBase &R) {
  return R.isPassed() ? "passed" : R.isMissed() ? "missed" : "analysis";
}

bool RemarkHandler::handleDiagnostics(const llvm::DiagnosticInfo &Info) {
  const auto *R = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&Info);
  if (!R) {
    Others(&Info, Context);
    return true;
  }
  // Some of a pass are made whether they are enabled or not.
  if (!Lines || !isTold(R->getPassName()) || !R->isLocationAvailable())
    return true;
  const llvm::DiagnosticLocation At = R->getLocation();
  std::string Message = R->getMsg();
  std::replace_if(
      Message.begin(), Message.end(),
      [](char A) { return A == '\t' || A == '\n'; }, ' ');
  for (const std::string &Field :
       {std::string(kindOf(*R)), R->getPassName().str(),
        llvm::demangle(R->getFunction().getName().str()),
        At.getRelativePath().str(), std::to_string(At.getLine()),
        std::to_string(At.getColumn())})
    *Lines += Field + '\t';
  *Lines += Message + '\n';
  return true;
}
