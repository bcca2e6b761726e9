//===- Lexer.cpp - Just enough of C to read a hook's text ----------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clinch/Support/Lexer.h"

#include <array>

using namespace clinch;

/// What a byte may be a part of, looked up: each one of each text is asked.
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

/// Returns false, and what is wrong, at a comment that does not end.
bool Lexer::skipSpace(Token &Problem) {
  while (At < Text.size()) {
    char C = Text[At];
    if (isA(Space, C)) {
      ++At;
    } else if (C == '\n') {
      LineStart = true;
      ++At;
    } else if (C == '\\' && (peek(1) == '\n' || peek(1) == '\r')) {
      At += 2;
    } else if (C == '/' && peek(1) == '/') {
      // A backslash at the end of the line continues the comment.
      while (At < Text.size() && (Text[At] != '\n' || Text[At - 1] == '\\'))
        ++At;
    } else if (C == '/' && peek(1) == '*') {
      size_t Begin = At, End = Text.find("*/", At + 2);
      if (End == std::string_view::npos) {
        At = Text.size();
        Problem = token(Token::Unfinished, Begin);
        return false;
      }
      At = End + 2;
    } else {
      break;
    }
  }
  return true;
}

/// The rest of a logical line; a comment in it that spans lines belongs to it.
Token Lexer::directive() {
  size_t Begin = At;
  while (At < Text.size() && Text[At] != '\n') {
    if (Text[At] == '\\' && peek(1) == '\n') {
      At += 2;
    } else if (Text[At] == '\\' && peek(1) == '\r' && peek(2) == '\n') {
      At += 3;
    } else if (Text[At] == '/' && peek(1) == '*') {
      size_t Close = Text.find("*/", At + 2);
      if (Close == std::string_view::npos) {
        size_t Open = At;
        At = Text.size();
        return token(Token::Unfinished, Open);
      }
      At = Close + 2;
    } else if (Text[At] == '/' && peek(1) == '/') {
      while (At < Text.size() && Text[At] != '\n')
        ++At;
    } else {
      ++At;
    }
  }
  return token(Token::Directive, Begin);
}

/// A string or a character; it may not hold a newline.
Token Lexer::quoted(size_t Begin) {
  char Quote = Text[At++];
  while (At < Text.size() && Text[At] != Quote && Text[At] != '\n')
    At += Text[At] == '\\' && At + 1 < Text.size() ? 2 : 1;
  if (At >= Text.size() || Text[At] != Quote)
    return token(Token::Unfinished, Begin);
  ++At;
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
  return token(Token::Unfinished, Begin);
}

Token Lexer::next() {
  Token Problem;
  if (!skipSpace(Problem))
    return Problem;
  size_t Begin = At;
  if (At >= Text.size())
    return token(Token::End, Begin);
  bool First = LineStart;
  LineStart = false;
  char C = Text[At];
  if (C == '#' && First)
    return directive();
  if (C == '"' || C == '\'')
    return quoted(Begin);
  if (isDigit(C) || (C == '.' && isDigit(peek(1)))) {
    // A number of the preprocessor: 1'000, 0x1p-3, 1e+5 are one token.
    for (++At; At < Text.size(); ++At) {
      char Last = Text[At - 1], Now = Text[At];
      bool Sign = (Now == '+' || Now == '-') &&
                  (Last == 'e' || Last == 'E' || Last == 'p' || Last == 'P');
      bool Apart = Now == '\'' && isWord(peek(1));
      if (!isWord(Now) && Now != '.' && !Sign && !Apart)
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
  At += C == ':' && peek(1) == ':' ? 2 : 1;
  return token(Token::Punct, Begin);
}
