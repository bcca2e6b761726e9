// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where an object names its functions.

#pragma once

namespace clinch {

/// The section of an object that names the functions of its text, so that they
/// come with it from every cache and pickle. It is not loaded. One line for
/// each, of fields that end with a tab, the last with a newline: its symbol,
/// its name, its type as the C++ ABI writes it, `...` if it is variadic, then
/// the result and each parameter, as Clang knows the type and as the author
/// wrote it.
///
/// After an empty line there are lines of what the text itself defines:
///
///     f  symbol, result's type, parameters' types
///     b  symbol of a function that neither loops nor calls others
///     d  symbol of a function, the comment before it with \v for a newline
///     v  symbol, name, `const` or nothing, type
///     s  #number, name, bytes, alignment, then for each field of a struct its
///        name, its place in bits, its width in bits or nothing, its type
///     u  the same for a union
///     c  the same for a class that only C++ can make; its bases have names
///     e  #number, name, integer's type, then names and values of an enum
///
/// Behind another empty line, the same of a text that is linked with it, with
/// numbers of its own.
///
/// A type is one of C's own, `#number`, `[4]TYPE`, `[]TYPE`, `*TYPE`, `*const
/// TYPE`, `*(RESULT;PARAMETER;...)`, `&TYPE` and `&const TYPE` for a reference,
/// `{4}TYPE` for a vector, or `?` for what a host need not understand. A base
/// class is a member without a name. A bit-field without one is a member only
/// where Clang may store it with a neighbour in sixteen bytes.
constexpr const char *FunctionsSection = ".clinch.functions";

} // namespace clinch
