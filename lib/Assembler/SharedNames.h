//===- SharedNames.h - A text without the names of its place ---*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_ASSEMBLER_SHAREDNAMES_H
#define CLINCH_LIB_ASSEMBLER_SHAREDNAMES_H

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clinch {

/// How `fail` is written in a shared function.
constexpr const char *SharedFail = "{failure = 1; goto label_x;}";

/// Renames a hook's text so that it is the same for all whose names differ.
class SharedNames {
public:
  /// \p Remembers: what becomes of a hook's text is kept for the next thunk.
  explicit SharedNames(bool Remembers = false) : Remembers(Remembers) {}

  /// \p From becomes \p To, also as a part of a longer name between `_`.
  void add(std::string From, std::string To) {
    Pairs.emplace_back(std::move(From), std::move(To));
  }

  /// Nothing where the text would say something else in a function of its own:
  /// where it names a string after its variable, has a static variable, asks
  /// for its line, or fails in another way than by \p Fail.
  std::optional<std::string> apply(std::string_view Text,
                                   std::string_view Fail) const;
  /// The same for a text of global scope, which has functions of its own.
  std::optional<std::string> applyGlobally(std::string_view Text) const;

private:
  std::optional<std::string> replaceAll(std::string_view Text,
                                        std::string_view Fail) const;
  std::string keyOf(std::string_view Text, std::string_view Fail) const;
  std::optional<std::string> renameAll(std::string_view Text,
                                       bool Anywhere) const;
  bool rename(std::string_view Text, std::string &Out) const;
  std::vector<std::pair<std::string, std::string>> Pairs;
  bool Remembers;
};

} // namespace clinch

#endif // CLINCH_LIB_ASSEMBLER_SHAREDNAMES_H
