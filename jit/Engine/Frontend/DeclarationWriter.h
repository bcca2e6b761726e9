// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations and constants of a text, for the prompt.
//
// Writes Stage::Declarations, from which a later text can be told what an
// earlier one has declared. One line for each, of fields between tabs:
//
//     KIND  BEGIN  END  NAMES  SYMBOL  TEXT
//
// BEGIN and END are bytes of the text. KIND is
//
//     f  a function's definition; TEXT declares it without its body
//     v  a variable's definition; TEXT declares it without its initialiser,
//        or is empty if its type has no name
//     c  the same again, if its value is known to the compiler: TEXT defines a
//        variable of that value
//     d  any other declaration, which can be repeated as it stands
//     l  a variable of a function's outermost block; SYMBOL is that function,
//     and
//        BEGIN and END those of the statement that declares it
//     k  a struct, union or enum that is defined there
//
// NAMES are between commas; that of a C struct, union or enum begins with
// `struct `. SYMBOL is empty if only the text itself can name it.

#pragma once

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Decl.h"

#include <memory>
#include <string>

namespace clinch::engine {

/// Returns a consumer that writes \p Lines.
std::unique_ptr<clang::ASTConsumer> createDeclarationWriter(std::string &Lines);

/// Returns an initialiser that gives \p V the value that it has in constant
/// expressions, whatever the names in its own mean by then. Empty if it has
/// none there, or one that is no number and not made of numbers.
std::string constantInitializer(const clang::VarDecl &V);

} // namespace clinch::engine
