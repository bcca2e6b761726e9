//===- Lexer.h - Just enough of C to read a hook's text --------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An unbalanced brace must be found before the texts are joined; otherwise the
// next author would be blamed. Clang does the real parsing.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_SUPPORT_LEXER_H
#define CLINCH_LIB_SUPPORT_LEXER_H

#include <cstddef>
#include <string_view>

namespace clinch {

struct Token {
  enum Kind { End, Identifier, Number, Literal, Punct, Directive, Unfinished };
  Kind What = End;
  std::string_view Text; ///< Of a directive, its whole logical line.
  size_t Offset = 0;

  bool is(std::string_view Spelling) const {
    return (What == Punct || What == Identifier) && Text == Spelling;
  }
  bool is(char C) const { return What == Punct && punct() == C; }
  /// Returns the character of a punctuator or digraph: `<%` is `{`.
  char punct() const;
};

/// Comments are skipped. A string is one token. Punctuators are one character,
/// except `::` and digraphs. An Unfinished token is a comment or literal that
/// does not end; the first characters of its Text tell which.
class Lexer {
public:
  explicit Lexer(std::string_view Text) : Text(Text) {}
  Token next();

private:
  Token token(Token::Kind K, size_t Begin) const {
    return {K, Text.substr(Begin, At - Begin), Begin};
  }
  bool skipSpace(Token &Problem);
  size_t newline(size_t Ahead) const;
  void skipLineComment();
  bool skipBlockComment();
  bool isDirective() const;
  bool isTwo() const;
  Token directive();
  void skipQuoted();
  Token quoted(size_t Begin);
  Token rawString(size_t Begin);
  char peek(size_t Ahead = 0) const {
    return At + Ahead < Text.size() ? Text[At + Ahead] : '\0';
  }

  std::string_view Text;
  size_t At = 0;
  bool LineStart = true;
};

} // namespace clinch

#endif // CLINCH_LIB_SUPPORT_LEXER_H
