// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages that count diagnostics, and name the text.

#pragma once

#include "clinch/Support/Expected.h"
#include "lib/Support/Text.h"

#include <algorithm>

namespace clinch {

/// Returns the message of an error of \p Kind with \p Count diagnostics; empty
/// for kinds whose message is not a count.
inline std::string faultCount(Error::Kind Kind, size_t Count) {
  if (Kind == Error::Kind::Compile)
    return "The text does not compile: " + counted(Count, "error") + ".";
  if (Kind == Error::Kind::Rule)
    return "The text breaks a rule in " + counted(Count, "place") + ".";
  return {};
}

/// Adds a note to \p D that it is about the text \p Name, unless \p Place,
/// where it points, is that name or one of the text's \p Parts.
inline void nameText(Diagnostic &D, const std::string &Place,
                     const std::string &Name,
                     const std::vector<std::string> &Parts) {
  if (Place == Name ||
      std::find(Parts.begin(), Parts.end(), Place) != Parts.end())
    return;
  Diagnostic Note;
  Note.Level = Diagnostic::Severity::Note;
  Note.Origin = Name;
  Note.Message = "a `#line` of this text gives its lines another name";
  D.Notes.push_back(std::move(Note));
}

} // namespace clinch
