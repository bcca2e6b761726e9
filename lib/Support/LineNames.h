// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts whose lines `#line` renames.

#pragma once

#include "clinch/Support/Expected.h"

#include <algorithm>

namespace clinch {

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
