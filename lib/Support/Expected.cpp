// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors and diagnostics as text.

#include "clinch/Support/Expected.h"

#include <algorithm>

using namespace clinch;

namespace {

struct Palette {
  const char *Bold, *Error, *Warning, *Note, *Mark, *Off;
};
constexpr Palette Plain = {"", "", "", "", "", ""};
constexpr Palette Ansi = {"\033[1m",    "\033[1;31m", "\033[1;35m",
                          "\033[1;36m", "\033[1;32m", "\033[0m"};

const char *levelName(Diagnostic::Severity S) {
  switch (S) {
  case Diagnostic::Severity::Note:
    return "note: ";
  case Diagnostic::Severity::Warning:
    return "warning: ";
  case Diagnostic::Severity::Error:
    break;
  }
  return "error: ";
}

const char *levelColour(Diagnostic::Severity S, const Palette &P) {
  switch (S) {
  case Diagnostic::Severity::Note:
    return P.Note;
  case Diagnostic::Severity::Warning:
    return P.Warning;
  case Diagnostic::Severity::Error:
    break;
  }
  return P.Error;
}

/// Returns white space as wide as the UTF-8 \p Line before \p Column; tabs stay
/// tabs.
std::string indentTo(const std::string &Line, unsigned Column) {
  std::string Pad;
  for (size_t I = 0; I + 1 < Column && I < Line.size(); ++I)
    if ((Line[I] & 0xC0) != 0x80)
      Pad += Line[I] == '\t' ? '\t' : ' ';
  return Pad;
}

void appendSource(std::string &Out, const Diagnostic &D, const Palette &P) {
  if (D.SourceLine.empty())
    return;
  Out += "  " + D.SourceLine + "\n";
  if (D.Column)
    Out +=
        "  " + indentTo(D.SourceLine, D.Column) + P.Mark + "^" + P.Off + "\n";
}

} // namespace

std::string clinch::renderDiagnostic(const Diagnostic &D, bool Colour) {
  const Palette &P = Colour ? Ansi : Plain;
  std::string Out = P.Bold;
  if (!D.Origin.empty()) {
    Out += D.Origin;
    if (D.Line)
      Out += ":" + std::to_string(D.Line);
    if (D.Line && D.Column)
      Out += ":" + std::to_string(D.Column);
    Out += ": ";
  }
  Out += P.Off;
  Out += levelColour(D.Level, P);
  Out += levelName(D.Level);
  Out += P.Off;
  Out += D.Message + "\n";
  appendSource(Out, D, P);
  for (const Diagnostic::FixIt &F : D.FixIts)
    if (!F.Replacement.empty())
      Out += std::string("  write instead: ") + P.Mark + F.Replacement + P.Off +
             "\n";
  for (const Diagnostic &N : D.Notes)
    Out += renderDiagnostic(N, Colour);
  return Out;
}

std::string Error::render(bool Colour) const {
  std::string Out;
  if (Diags.size() != 1 || !Message.ends_with(Diags.front().Message))
    Out = Message;
  if (!Out.empty() && Out.back() != '\n')
    Out += '\n';
  for (const Diagnostic &D : Diags)
    Out += renderDiagnostic(D, Colour);
  return Out;
}
