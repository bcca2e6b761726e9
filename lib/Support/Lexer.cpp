// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Just enough of C to read a hook's text.

#include "lib/Support/Lexer.h"

#include <algorithm>
#include <array>
#include <utility>

using namespace clinch;

/// Character classes in a table, as every byte of every text is classified.
enum : unsigned char { Digit = 1, Word = 2, Space = 4 };

static constexpr auto Kinds = [] {
  std::array<unsigned char, 256> Table{};
  for (unsigned C = 0; C < 256; ++C) {
    bool Number = C >= '0' && C <= '9';
    if (Number)
      Table[C] |= Digit;
    if (Number || (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
        C == '_' || C == '$' || C >= 0x80)
      Table[C] |= Word;
    if (C == ' ' || C == '\t' || C == '\r' || C == '\f' || C == '\v')
      Table[C] |= Space;
  }
  return Table;
}();

static bool isA(unsigned char Kind, char C) {
  return Kinds[static_cast<unsigned char>(C)] & Kind;
}

static bool isDigit(char C) { return isA(Digit, C); }

static bool isWord(char C) { return isA(Word, C); }

char Token::punct() const {
  constexpr std::pair<std::string_view, char> Digraphs[] = {
      {"<%", '{'}, {"%>", '}'}, {"<:", '['}, {":>", ']'}};
  for (auto [Digraph, Meaning] : Digraphs)
    if (Text == Digraph)
      return Meaning;
  return Text.front();
}

/// Returns the length of the newline at \p Ahead, or 0.
size_t Lexer::newline(size_t Ahead) const {
  if (peek(Ahead) == '\n')
    return 1;
  return peek(Ahead) == '\r' && peek(Ahead + 1) == '\n' ? 2 : 0;
}

/// Skips to the newline; a newline after a backslash does not end the comment.
void Lexer::skipLineComment() {
  while (At < Text.size() && Text[At] != '\n') {
    size_t Spliced = Text[At] == '\\' ? newline(1) : 0;
    At += 1 + Spliced;
  }
}

void Lexer::skipBlockComment() {
  size_t End = Text.find("*/", At + 2);
  At = End == Text.npos ? Text.size() : End + 2;
}

void Lexer::skipSpace() {
  while (At < Text.size()) {
    char C = Text[At];
    if (isA(Space, C)) {
      ++At;
    } else if (C == '\n') {
      LineStart = true;
      ++At;
    } else if (C == '\\' && newline(1)) {
      At += 1 + newline(1);
    } else if (C == '/' && peek(1) == '/') {
      skipLineComment();
    } else if (C == '/' && peek(1) == '*') {
      skipBlockComment();
    } else {
      break;
    }
  }
}

bool Lexer::isDirective() const {
  return LineStart && (peek() == '#' || (peek() == '%' && peek(1) == ':'));
}

/// Reads the rest of a logical line, with a comment that spans lines.
Token Lexer::directive() {
  size_t Begin = At;
  while (At < Text.size() && Text[At] != '\n') {
    size_t Open = At;
    if (Text[At] == '\\' && newline(1)) {
      At += 1 + newline(1);
    } else if (Text[At] == '/' && peek(1) == '*') {
      skipBlockComment();
    } else if (Text[At] == '/' && peek(1) == '/') {
      skipLineComment();
    } else if (Text[At] == '"' || Text[At] == '\'') {
      // A lone apostrophe, as in `#error don't`, opens no literal.
      skipQuoted();
      if (At == Text.size() || Text[At] != Text[Open])
        At = Open;
      ++At;
    } else {
      ++At;
    }
  }
  return token(Token::Directive, Begin);
}

/// Skips from the opening quote to where the closing one should be.
void Lexer::skipQuoted() {
  char Quote = Text[At++];
  while (At < Text.size() && Text[At] != Quote && Text[At] != '\n')
    At += Text[At] == '\\' && At + 1 < Text.size()
              ? 1 + std::max<size_t>(newline(1), 1)
              : 1;
}

/// Reads a string or character literal, which ends with its line at the latest.
Token Lexer::quoted(size_t Begin) {
  char Quote = Text[At];
  skipQuoted();
  At += At < Text.size() && Text[At] == Quote;
  return token(Token::Literal, Begin);
}

Token Lexer::rawString(size_t Begin) {
  size_t Open = Text.find('(', At);
  if (Open == std::string_view::npos || Open - At > 17)
    return quoted(Begin);
  std::string_view Mark = Text.substr(At + 1, Open - At - 1);
  for (size_t Close = Text.find(')', Open); Close != std::string_view::npos;
       Close = Text.find(')', Close + 1))
    if (Text.substr(Close + 1, Mark.size()) == Mark &&
        Close + 1 + Mark.size() < Text.size() &&
        Text[Close + 1 + Mark.size()] == '"') {
      At = Close + Mark.size() + 2;
      return token(Token::Literal, Begin);
    }
  At = Text.size();
  return token(Token::Literal, Begin);
}

/// `::` or a digraph. `<::` is `<` and `::` unless `:` or `>` follows.
bool Lexer::isTwo() const {
  std::string_view Two = Text.substr(At, 2);
  if (Two == "<:" && peek(2) == ':' && peek(3) != ':' && peek(3) != '>')
    return false;
  return Two == "::" || Two == "<%" || Two == "%>" || Two == "<:" ||
         Two == ":>";
}

Token Lexer::next() {
  skipSpace();
  size_t Begin = At;
  if (At >= Text.size())
    return token(Token::End, Begin);
  bool First = isDirective();
  LineStart = false;
  if (First)
    return directive();
  char C = Text[At];
  if (C == '"' || C == '\'')
    return quoted(Begin);
  if (isDigit(C) || (C == '.' && isDigit(peek(1)))) {
    // A preprocessing number: 1'000, 0x1p-3, 1e+5 are one token each.
    for (++At; At < Text.size(); ++At) {
      char Last = Text[At - 1], Now = Text[At];
      bool Sign = (Now == '+' || Now == '-') &&
                  (Last == 'e' || Last == 'E' || Last == 'p' || Last == 'P');
      bool Separator = Now == '\'' && isWord(peek(1));
      if (!isWord(Now) && Now != '.' && !Sign && !Separator)
        break;
    }
    return token(Token::Number, Begin);
  }
  if (isWord(C)) {
    while (At < Text.size() && isWord(Text[At]))
      ++At;
    std::string_view Name = Text.substr(Begin, At - Begin);
    if (peek() != '"' && peek() != '\'')
      return token(Token::Identifier, Begin);
    if (peek() == '"' && Name.back() == 'R' && Name.size() <= 3)
      return rawString(Begin);
    if (Name == "L" || Name == "u" || Name == "U" || Name == "u8")
      return quoted(Begin);
    return token(Token::Identifier, Begin);
  }
  At += isTwo() ? 2 : 1;
  return token(Token::Punct, Begin);
}
