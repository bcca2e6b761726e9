// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages of the rules.
//
// Each says what is forbidden, why, and what to write instead.

#pragma once

#include "clang/Basic/TokenKinds.h"

#include <string>

namespace clinch::engine::rules {

inline std::string noReturn(bool MayFail) {
  std::string Message = "`return` may not be used here: it would skip the "
                        "cleanups of this block and of those around it; ";
  return Message + (MayFail ? "write `%(fail)s` to fail, or let the code run "
                              "to its end"
                            : "let the code run to its end");
}

inline std::string noJump(const char *Keyword) {
  return std::string("`") + Keyword +
         "` may not leave this block: it would skip cleanups; use it inside a "
         "loop" +
         (std::string(Keyword) == "break" ? " or switch" : "") +
         " of the same piece of code";
}

inline std::string noGoto(const std::string &Label, bool MayFail) {
  std::string Message = "`goto " + Label +
                        "` may not leave this block: it would skip "
                        "cleanups, or run some twice; jump to a label of the "
                        "same piece of code";
  return Message + (MayFail ? ", or write `%(fail)s` to fail" : "");
}

inline std::string noLongJump() {
  return "`longjmp` may not leave this block: it would skip cleanups, or run "
         "some twice; call the `setjmp` that it returns to in the same piece "
         "of code";
}

inline std::string noFail() {
  return "this code may not fail: it runs while cleanups run, and failing "
         "would run them again; check what can fail in `c_code` or "
         "`c_extract`, or report it and go on";
}

/// In place of Clang's message: its "label" is ours.
inline std::string noJumpPast() {
  return "this failure would jump past a declaration to the cleanup, which "
         "sees "
         "it: put the declaration before it (in C++ that alone or without a "
         "value, as in `double *t;`), and give the value later";
}

/// Appended to Clang's message about an `else`.
inline std::string noSemicolonBeforeElse() {
  return " before `else`; `%(fail)s` is a block: write no `;` after it";
}

/// Appended to Clang's message about a word of C++ in C.
inline std::string needsCxx() {
  return ": it is C++'s, and this text is C; return \"c++\" from c_compiler";
}

/// Of a name of CUDA's runtime or driver.
inline std::string notOfCUDA(const std::string &Name) {
  return "`" + Name +
         "` of CUDA is not here: blocks of a graph launch kernels, on its "
         "arrays; other hosts launch the PTX with the driver's own headers";
}

inline std::string onlyDeclarations() {
  return "only declarations may stand here: this text also declares the "
         "members of a struct, where nothing runs; move the statement to "
         "`c_init` or `c_extract`";
}

inline std::string noInitialiser(const std::string &Name) {
  return "`" + Name +
         "` may not be given a value here: a failure jumps over it, and in a "
         "struct nothing runs; give the value in `c_init` or `c_extract`";
}

inline std::string nameWithout(const std::string &Name,
                               const std::string &Required) {
  return "the name `" + Name + "` must contain `" + Required +
         "`: the variables of a graph share their scopes; write `" + Name +
         "_%(name)s`";
}

inline std::string nameReserved(const std::string &Name) {
  return "the name `" + Name +
         "` is taken: Clinch declares it itself; choose another that contains "
         "`%(name)s`";
}

inline std::string nameTaken(const std::string &Name) {
  return "the name `" + Name +
         "` is that of a variable of the graph, and may not mean anything "
         "else: put something beside it, as in `my_" +
         Name + "`";
}

inline std::string noCapture(const std::string &Name) {
  return "a lambda may not capture `" + Name +
         "`, which is a member of an object here: write `[&]`, or copy it, as "
         "in `[copy = " +
         Name + "]`";
}

/// A warning.
inline std::string copiesNoMember(const std::string &Name) {
  return "`[=]` copies no member, so this lambda uses `" + Name +
         "` itself, with any later value: to copy it write `[copy = " + Name +
         "]`, else `[&]`";
}

inline std::string quoted(clang::tok::TokenKind Bracket) {
  return std::string("`") + clang::tok::getPunctuatorSpelling(Bracket) + "`";
}

/// The bracket that closes \p Opening.
inline std::string closing(clang::tok::TokenKind Opening) {
  return quoted(Opening == clang::tok::l_brace   ? clang::tok::r_brace
                : Opening == clang::tok::l_paren ? clang::tok::r_paren
                                                 : clang::tok::r_square);
}

inline std::string neverClosed(clang::tok::TokenKind Opening) {
  return "this " + quoted(Opening) + " is never closed: " + closing(Opening) +
         " is missing";
}

inline std::string closesNothing(clang::tok::TokenKind Bracket) {
  return quoted(Bracket) + " closes nothing that this text opened";
}

inline std::string cannotClose(clang::tok::TokenKind Bracket,
                               clang::tok::TokenKind Opening) {
  return quoted(Bracket) + " cannot close the " + quoted(Opening) +
         " that is open here; " + closing(Opening) + " was expected";
}

inline std::string commentNeverEnds() {
  return "this comment never ends: `*/` is missing";
}

inline std::string literalNeverEnds(char Quote) {
  return Quote == '"' ? "this string never ends: a `\"` is missing"
                      : "this character never ends: a `'` is missing";
}

inline std::string ifNeverClosed() {
  return "this `#if` is never closed: `#endif` is missing";
}

inline std::string withoutIf(const std::string &Directive) {
  return "`#" + Directive + "` without an `#if` in this text";
}

inline std::string keyLeft(const std::string &Name) {
  return "`%(" + Name + ")s` is still there: nothing was put in its place";
}

inline std::string failLeft() {
  return "`%(fail)` is still there, without its `s`: nothing was put in its "
         "place";
}

inline std::string neverUndefined(const std::string &Macro) {
  return "the macro `" + Macro +
         "` is never undefined: a declaration may define none; end with "
         "`#undef " +
         Macro + "`, or define it in c_support_code";
}

inline std::string labelOfOurs(const std::string &Label) {
  return "the label `" + Label +
         "` is one of Clinch's own; put `%(name)s` in it";
}

inline std::string macroOfOurs(const std::string &Name) {
  return "the macro `" + Name +
         "` would change what Clinch itself writes, where the name has a "
         "meaning already; give the macro another name";
}

inline std::string tooAligned(const std::string &Name, int64_t Wanted,
                              size_t Most) {
  return "`" + Name + "` asks for an alignment of " + std::to_string(Wanted) +
         " bytes; the most here is " + std::to_string(Most);
}

inline std::string pragmaInForce() {
  return "this pragma is still in force at the end of the text, and changes "
         "the texts after it";
}

} // namespace clinch::engine::rules
