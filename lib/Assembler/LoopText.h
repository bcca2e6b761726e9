//===- LoopText.h - A text, cut before its first loop ----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Array Ops look at shapes and get storage before they compute anything, and
// say so in the same words whatever they compute. That part can be a function
// of its own where it can be told by its shape what it declares: numbers and
// pointers, nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_ASSEMBLER_LOOPTEXT_H
#define CLINCH_LIB_ASSEMBLER_LOOPTEXT_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clinch {

struct LoopText {
  struct Local {
    std::string Declaration, Name;
  };
  std::vector<Local> Locals; ///< Declared at the top of the text.
  std::string Head;          ///< Statements; they declare nothing.
  std::string Rest;          ///< From the first loop on.
  unsigned Line = 1;         ///< Of the text, where the rest begins.
};

/// Nothing where there is no loop, or where what stands before it may declare
/// more, or be jumped to. \p Names: of the variables that it may assign to.
std::optional<LoopText> cutBeforeLoop(std::string_view Text,
                                      const std::vector<std::string> &Names);

/// Whether a word of \p Text begins a loop.
bool hasLoop(std::string_view Text);

} // namespace clinch

#endif // CLINCH_LIB_ASSEMBLER_LOOPTEXT_H
