//===- Diagnostic.h - What went wrong, as data ------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A message about somebody's text: where it stands, what is wrong, the line
// itself. Nothing here prints; renderDiagnostic() makes text of it on request.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_SUPPORT_DIAGNOSTIC_H
#define CLINCH_SUPPORT_DIAGNOSTIC_H

#include <string>
#include <vector>

namespace clinch {

enum class Severity { Note, Warning, Error };

/// Text to put in place of the columns [Begin, End) of a diagnostic's line.
struct FixIt {
  unsigned BeginColumn = 0;
  unsigned EndColumn = 0;
  std::string Replacement;
};

struct Diagnostic {
  Severity Level = Severity::Error;
  /// A file, the name a text was given, or a hook of a Type or an Op, such as
  /// "`Double.c_extract` for `x`". Empty when the message is about no text.
  std::string Origin;
  unsigned Line = 0;   ///< From 1; 0 when there is no line.
  unsigned Column = 0; ///< From 1, in bytes; 0 when there is no column.
  std::string Message;
  std::string SourceLine; ///< The line itself, without its newline.
  std::vector<FixIt> FixIts;
  std::vector<Diagnostic> Notes;
};

/// "origin:line:col: error: message", the line, a caret, then fix-its and
/// notes; with ANSI colours when \p Colour. Ends in a newline.
std::string renderDiagnostic(const Diagnostic &D, bool Colour = false);

} // namespace clinch

#endif // CLINCH_SUPPORT_DIAGNOSTIC_H
