// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text that a debugger shows.

#pragma once

#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include <string>

namespace clinch::engine {

/// Returns \p Text with its `#line` directives blanked, so that a debugger's
/// lines are those of the text itself.
std::string withoutLineDirectives(const std::string &Text);

/// Writes \p Text, without `#line` directives, to a file of its name below \p
/// Folder, or below the temporary folder if that is empty. Returns what was
/// written, under that file's name.
Expected<SourceText> writeDebugSource(const SourceText &Text, Language Lang,
                                      std::string Folder);

} // namespace clinch::engine
