// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that the texts of a graph define.
//
// What a macro hides is known only to the preprocessor, long after the text was
// laid out. So where a layout depends on what a text names, a text that uses a
// macro of an author's gets the layout that is right in any case.

#pragma once

#include <string_view>
#include <unordered_set>

namespace clinch {

/// Names in texts that outlive it.
using NameSet = std::unordered_set<std::string_view>;

struct AuthorMacros {
  NameSet All;
  /// Those with parameters, but for APPLY_SPECIFIC of C files, which is ours.
  NameSet Functions;
  bool Paste = false;   ///< Some macro has a `##`.
  bool Python = false;  ///< Some macro has a `py_`.
  bool Bracket = false; ///< Some macro has a `[`, which may begin a lambda.
  bool OpenMP = false;  ///< Some macro may have a pragma of OpenMP.
  bool Types = false;   ///< Some macro may ask for the type of a name.

  /// Adds the macros that \p Text defines.
  void add(std::string_view Text);
};

/// Whether \p Text may have a pragma of OpenMP.
bool mayUseOpenMP(std::string_view Text);

/// Whether \p Text may ask for the type of a name.
bool asksForTypes(std::string_view Text);

/// Whether \p Text uses one of \p Any, and not as the name of a member.
bool usesAny(std::string_view Text, const NameSet &Any);

/// Whether some word in \p Text begins with \p Prefix, if only in a comment:
/// `npy_float64` does not begin with `py_`.
bool beginsName(std::string_view Text, std::string_view Prefix);

/// Whether some name in \p Text begins with \p Prefix, which begins with
/// `py_`, or may do so behind a macro of \p Support or of its own.
bool namesPython(std::string_view Text, std::string_view Prefix,
                 const AuthorMacros &Support);

} // namespace clinch
