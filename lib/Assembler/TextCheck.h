//===- TextCheck.h - Is a hook's text complete? ----------------*- C++ -*-===//
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
  size_t Unfilled = 0; ///< The length of an unfilled key, `%(fail)s`.
};

/// What may clash with the texts of others.
struct TextFacts {
  std::vector<std::pair<std::string, size_t>> Labels; ///< And their offsets.
  std::optional<std::pair<std::string, size_t>> OpenMacro;
};

/// Returns the first unclosed, unfilled or non-UTF-8 part of \p Text, if any.
std::optional<TextProblem> checkText(std::string_view Text, TextFacts &Facts);

/// Returns whether the last token is `;`, so that the text after this one
/// cannot continue its last statement. Directives do not count as tokens.
bool endsInSemicolon(std::string_view Text);

/// An error that points into the author's text.
Error textError(const Piece &Text, const std::string &Origin, size_t Offset,
                const std::string &Message);

} // namespace clinch

#endif // CLINCH_LIB_ASSEMBLER_TEXTCHECK_H
