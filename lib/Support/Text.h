// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UTF-8, escapes, counts, names as their authors know them.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace clinch {

/// Returns the bytes of the character at \p At, or 0 if it is not UTF-8.
size_t utf8Length(std::string_view Text, size_t At);

/// Returns the offset of the first byte that is NUL or not UTF-8, or npos.
size_t findNoText(std::string_view Text);

/// Escapes \p Text for the quotes of a C string or of `#line`; bytes that are
/// not text are shown as `\x1b`.
std::string escaped(std::string_view Text);

/// Returns "1 output" or "2 outputs".
std::string counted(size_t Count, std::string_view What);

/// Returns the one of \p Names that \p Name is most likely meant to be, or "".
std::string_view closestName(std::string_view Name,
                             const std::vector<std::string_view> &Names);

/// Returns a symbol of C++ as its author wrote it, without parameters; of a
/// variable in a function the last part.
std::string symbolName(const std::string &Symbol);

} // namespace clinch
