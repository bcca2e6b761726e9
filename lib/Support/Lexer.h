// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Just enough of C to read a hook's text.
//
// Where a text is put depends on what it declares and names. Clang does the
// real parsing, and says what is wrong.

#pragma once

#include <cstddef>
#include <string_view>

namespace clinch {

struct Token {
  enum Kind { End, Identifier, Number, Literal, Punct, Directive };
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
/// except `::` and digraphs. A string that does not end is one with its line,
/// and a comment or raw string with the text.
class Lexer {
public:
  explicit Lexer(std::string_view Text) : Text(Text) {}
  Token next();

private:
  Token token(Token::Kind K, size_t Begin) const {
    return {K, Text.substr(Begin, At - Begin), Begin};
  }
  void skipSpace();
  size_t newline(size_t Ahead) const;
  void skipLineComment();
  void skipBlockComment();
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
