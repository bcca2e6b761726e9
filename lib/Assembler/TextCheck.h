//===- TextCheck.h - Is a hook's text whole? -------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_ASSEMBLER_TEXTCHECK_H
#define CLINCH_LIB_ASSEMBLER_TEXTCHECK_H

#include "Blueprint.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clinch {

struct TextProblem {
  size_t Offset = 0;
  std::string Message;
  size_t Unfilled = 0; ///< The bytes of a key that is still there, `%(fail)s`.
};

/// What a text has that may meet what others have.
struct TextFacts {
  std::vector<std::pair<std::string, size_t>> Labels; ///< And where.
  std::optional<std::pair<std::string, size_t>> OpenMacro;
};

/// Brackets, comments, literals and conditions that are not closed.
std::optional<TextProblem> checkText(std::string_view Text, TextFacts &Facts);

/// Whether the last token is one: then nothing is left to be finished by what
/// comes after the text. Directives are no tokens here.
bool endsInSemicolon(std::string_view Text);

/// An error that points into the author's text.
Error textError(const Piece &Text, const std::string &Origin, size_t Offset,
                const std::string &Message);

} // namespace clinch

#endif // CLINCH_LIB_ASSEMBLER_TEXTCHECK_H
