//===- DebugSource.h - Text where a debugger finds it -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_FILES_DEBUGSOURCE_H
#define CLINCH_JIT_ENGINE_FILES_DEBUGSOURCE_H

#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include <string>

namespace clinch::engine {

/// \p Text with its `#line` directives blanked, so that a debugger's lines are
/// those of the text itself.
std::string withoutLineDirectives(const std::string &Text);

/// Writes \p Text to a file below \p Folder that is named after it, and returns
/// it under that file's name. An empty folder means the one for temporary
/// files.
Expected<SourceText> writeDebugSource(const SourceText &Text, Language Lang,
                                      std::string Folder);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_FILES_DEBUGSOURCE_H
