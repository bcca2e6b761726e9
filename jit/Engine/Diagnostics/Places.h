//===- Places.h - Where a message points -----------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_DIAGNOSTICS_PLACES_H
#define CLINCH_JIT_ENGINE_DIAGNOSTICS_PLACES_H

#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"

#include <string>

namespace clang {
class LangOptions;
class SourceManager;
} // namespace clang

namespace clinch::engine {

/// How many macros inside one another are told of.
constexpr size_t MostMacroNotes = 6;

/// Whether a place is in what stands before the text, or in a system's header.
bool isInHeader(const clang::SourceManager &SM, clang::SourceLocation Loc);

/// Where a message points: the name and line that `#line` gives, the line's own
/// text. A place in a macro is where the macro is used.
clinch::Diagnostic diagnosticAt(const clang::SourceManager &SM,
                                clang::SourceLocation Loc,
                                Diagnostic::Severity Level,
                                std::string Message);

/// The same, with a note for each macro of the text that \p Loc is in, and for
/// the one of a header that the text names.
clinch::Diagnostic diagnosticInMacros(const clang::SourceManager &SM,
                                      const clang::LangOptions &LO,
                                      clang::SourceLocation Loc,
                                      Diagnostic::Severity Level,
                                      std::string Message);

/// Adds to \p D, about \p Loc, whose text it is, where that is not the name
/// that it shows.
void nameRegion(const clang::SourceManager &SM, clang::SourceLocation Loc,
                const Region &R, clinch::Diagnostic &D);

/// The fix-its of a message that stand on the line that \p D quotes.
void addFixIts(const clang::SourceManager &SM, const clang::LangOptions &LO,
               const clang::Diagnostic &Info, clinch::Diagnostic &D);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_DIAGNOSTICS_PLACES_H
