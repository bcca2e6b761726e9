// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the optimiser says of its work.
//
// Writes Stage::Remarks: what the inliner and the vectorisers say, one line for
// each remark, of fields between tabs:
//
//     KIND  PASS  FUNCTION  ORIGIN  LINE  COLUMN  MESSAGE
//
// KIND is `passed`, `missed` or `analysis`.

#pragma once

#include "llvm/IR/DiagnosticHandler.h"

#include <string>

namespace clinch::engine {

class RemarkHandler : public llvm::DiagnosticHandler {
public:
  using OthersFn = void (*)(const llvm::DiagnosticInfo *, void *);

  /// Gives \p Others what is no remark. No remark is made if \p Lines is null.
  RemarkHandler(OthersFn Others, void *Context, std::string *Lines)
      : Others(Others), Context(Context), Lines(Lines) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &Info) override;
  bool isAnalysisRemarkEnabled(llvm::StringRef Pass) const override;
  bool isMissedOptRemarkEnabled(llvm::StringRef Pass) const override;
  bool isPassedOptRemarkEnabled(llvm::StringRef Pass) const override;
  bool isAnyRemarkEnabled() const override { return Lines != nullptr; }

private:
  OthersFn Others;
  void *Context;
  std::string *Lines;
};

} // namespace clinch::engine
