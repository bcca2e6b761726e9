//===- Text.h - Bytes that are text, and text as C says it -----*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_SUPPORT_TEXT_H
#define CLINCH_LIB_SUPPORT_TEXT_H

#include <cstddef>
#include <string>
#include <string_view>

namespace clinch {

/// How many bytes the character at \p At has; 0 when it is none in UTF-8.
size_t utf8Length(std::string_view Text, size_t At);

/// The offset of the first byte that is NUL or not UTF-8, or npos.
size_t findNoText(std::string_view Text);

/// As it stands between the quotes of a string of C, and of `#line`; what is no
/// text is shown as `\x1b`.
std::string escaped(std::string_view Text);

} // namespace clinch

#endif // CLINCH_LIB_SUPPORT_TEXT_H
