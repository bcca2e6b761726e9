//===- TextCheck.cpp - Is a hook's text complete? -------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one author leaves open would be blamed on the author of the next text.
// So each text must be complete in itself.
//
//===----------------------------------------------------------------------===//

#include "TextCheck.h"

#include "lib/Support/Lexer.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <cstring>
#include <optional>

using namespace clinch;

namespace {

struct Open {
  char Bracket;
  size_t Offset;
  bool Lambda; ///< The braces of a lambda have labels of their own.
};

struct Condition {
  size_t Offset;
  size_t Depth; ///< Brackets open at the `#if`.
  std::vector<Open> Before;
  bool Zero; ///< In the group of an `#if 0`, which Clang skips.
};

class Checker {
public:
  explicit Checker(std::string_view Text) : Text(Text), L(Text) {}
  std::optional<TextProblem> run(TextFacts &Facts);

private:
  void punct(const Token &T);
  void leftover(const Token &T);
  void directive(const Token &T);
  void define(const Token &T, std::string_view Rest);
  void label(const Token &Name, TextFacts &Facts);
  void problem(size_t Offset, std::string Message, size_t Unfilled = 0) {
    if (!Found)
      Found = TextProblem{Offset, std::move(Message), Unfilled};
  }
  bool skipped() const {
    return std::any_of(Conditions.begin(), Conditions.end(),
                       [](const Condition &C) { return C.Zero; });
  }
  bool inLambda() const {
    return std::any_of(Brackets.begin(), Brackets.end(),
                       [](const Open &O) { return O.Lambda; });
  }

  std::string_view Text;
  Lexer L;
  std::vector<Open> Brackets;
  std::vector<Condition> Conditions;
  std::vector<std::pair<std::string_view, size_t>> Macros;
  std::optional<TextProblem> Found;
  Token Last, BeforeLast; ///< The tokens before the current one.
  size_t Choices = 0;     ///< `?`s of this statement still without their `:`.
  size_t Key = 0;         ///< How much of `%(key)s` has been seen.
  Token KeyBegin, KeyName;
  bool LambdaHead = false; ///< A `]` was seen just before this parenthesis.
};

char closing(char C) { return C == '{' ? '}' : C == '(' ? ')' : ']'; }

std::string quoted(char C) { return std::string("`") + C + "`"; }

std::string unfinished(std::string_view Token) {
  if (Token.substr(0, 2) == "/*")
    return "this comment never ends: `*/` is missing";
  if (Token.front() == '\'')
    return "this character never ends: a `'` is missing";
  return "this string never ends: a `\"` is missing";
}

std::string_view word(std::string_view Line, size_t &At) {
  while (At < Line.size() && (Line[At] == ' ' || Line[At] == '\t'))
    ++At;
  size_t Begin = At;
  while (At < Line.size() &&
         (isalnum(static_cast<unsigned char>(Line[At])) || Line[At] == '_'))
    ++At;
  return Line.substr(Begin, At - Begin);
}

/// Returns whether the condition is `0`, perhaps with a comment after it.
bool isZero(std::string_view Condition) {
  size_t At = 0;
  if (word(Condition, At) != "0")
    return false;
  At = Condition.find_first_not_of(" \t\r", At);
  return At == Condition.npos || Condition[At] == '/';
}

} // namespace

void Checker::punct(const Token &T) {
  char C = T.punct();
  if (C == '{' || C == '(' || C == '[') {
    bool Lambda = C == '{' && (LambdaHead || Last.is(']'));
    LambdaHead = C == '(' && Last.is(']');
    Brackets.push_back({C, T.Offset, Lambda});
    return;
  }
  if (C != '}' && C != ')' && C != ']')
    return;
  if (Brackets.empty())
    return problem(T.Offset, quoted(C) + " closes nothing that this text "
                                         "opened");
  char Opened = Brackets.back().Bracket;
  if (closing(Opened) != C)
    return problem(T.Offset, quoted(C) + " cannot close the " + quoted(Opened) +
                                 " that is open here; " +
                                 quoted(closing(Opened)) + " was expected");
  Brackets.pop_back();
}

/// Reports a `%(key)s` that was not filled. In C it could only be `a %(b) s`,
/// which is invalid.
void Checker::leftover(const Token &T) {
  bool Next = Key == 1   ? T.is('(') && T.Offset == KeyBegin.Offset + 1
              : Key == 2 ? T.What == Token::Identifier
              : Key == 3 ? T.is(')')
              : Key == 4 ? T.What == Token::Identifier && T.Text.front() == 's'
                         : false;
  if (Key == 4 && !Next && KeyName.Text == "fail")
    problem(KeyBegin.Offset,
            "`%(fail)` is still there, without its `s`: nothing was put in its "
            "place",
            std::strlen("%(fail)"));
  Key = Next ? Key + 1 : 0;
  if (Key == 3)
    KeyName = T;
  if (Key == 5)
    problem(KeyBegin.Offset,
            "`%(" + std::string(KeyName.Text) +
                ")s` is still there: nothing was put in its place",
            KeyName.Text.size() + std::strlen("%()s"));
  if (T.is('%')) {
    Key = 1;
    KeyBegin = T;
  }
}

void Checker::define(const Token &T, std::string_view Rest) {
  size_t At = 0;
  std::string_view Name = word(Rest, At);
  Macros.emplace_back(Name, T.Offset);
}

/// Each branch of an `#if` begins with the brackets that were open before it;
/// the last branch decides which are open after it.
void Checker::directive(const Token &T) {
  size_t At = T.Text.front() == '%' ? 2 : 1;
  std::string_view Name = word(T.Text, At);
  if (Name == "if" || Name == "ifdef" || Name == "ifndef") {
    Conditions.push_back({T.Offset, Brackets.size(), Brackets,
                          Name == "if" && isZero(T.Text.substr(At))});
  } else if (Name == "else" || Name == "elif" || Name == "elifdef" ||
             Name == "elifndef") {
    if (Conditions.empty())
      return problem(T.Offset, "`#" + std::string(Name) +
                                   "` without an `#if` in this text");
    Brackets = Conditions.back().Before;
    Conditions.back().Zero = false;
  } else if (Name == "endif") {
    if (Conditions.empty())
      return problem(T.Offset, "`#endif` without an `#if` in this text");
    Conditions.pop_back();
  } else if (skipped()) {
    return;
  } else if (Name == "define") {
    define(T, T.Text.substr(At));
  } else if (Name == "undef") {
    std::string_view Macro = word(T.Text, At);
    Macros.erase(std::remove_if(Macros.begin(), Macros.end(),
                                [&](auto &M) { return M.first == Macro; }),
                 Macros.end());
  }
}

/// Notes a `name:` where a statement may begin.
void Checker::label(const Token &Name, TextFacts &Facts) {
  static constexpr std::string_view NotLabels[] = {"default", "case", "public",
                                                   "private", "protected"};
  if (std::find(std::begin(NotLabels), std::end(NotLabels), Name.Text) !=
          std::end(NotLabels) ||
      inLambda())
    return;
  Facts.Labels.push_back({std::string(Name.Text), Name.Offset});
}

/// Whether a statement may come after \p T.
static bool mayBeginStatement(const Token &T) {
  return T.What == Token::End || T.is(';') || T.is('{') || T.is('}') ||
         T.is(')') || T.is("else") || T.is(':');
}

std::optional<TextProblem> Checker::run(TextFacts &Facts) {
  bool LocalLabels = false;
  for (Token T = L.next(); T.What != Token::End && !Found; T = L.next()) {
    // Clang does not check the words of a skipped group, such as "don't".
    bool MayBeSkipped = skipped()
                            ? T.Text.substr(0, 2) != "/*"
                            : !Conditions.empty() && T.Text.substr(0, 1) == "'";
    if (T.What == Token::Unfinished && !MayBeSkipped)
      return TextProblem{T.Offset, unfinished(T.Text)};
    if (T.What == Token::Directive) {
      directive(T);
      continue;
    }
    if (skipped())
      continue;
    if (T.is('?'))
      ++Choices;
    else if (T.is(';') || T.is('{') || T.is('}'))
      Choices = 0;
    else if (T.is(':') && T.Text.size() == 1 && Choices)
      --Choices; // `a ? (double)b : c` has no label `b`.
    else if (T.is(':') && T.Text.size() == 1 &&
             Last.What == Token::Identifier && mayBeginStatement(BeforeLast) &&
             (Brackets.empty() || Brackets.back().Bracket == '{'))
      label(Last, Facts);
    if (T.is("__label__"))
      LocalLabels = true;
    if (Key || T.is('%'))
      leftover(T);
    if (T.What == Token::Punct)
      punct(T);
    BeforeLast = Last;
    Last = T;
  }
  if (LocalLabels)
    Facts.Labels.clear();
  if (!Found && !Conditions.empty())
    problem(Conditions.back().Offset,
            "this `#if` is never closed: `#endif` is missing");
  if (!Found && !Brackets.empty())
    problem(Brackets.back().Offset,
            "this " + quoted(Brackets.back().Bracket) + " is never closed: " +
                quoted(closing(Brackets.back().Bracket)) + " is missing");
  size_t End = Text.find_last_not_of("\r\n");
  if (!Found && End != std::string_view::npos && Text[End] == '\\')
    problem(End, "the text ends in a backslash, which would swallow the line "
                 "after it");
  if (!Found && !Macros.empty())
    Facts.OpenMacro = {std::string(Macros.front().first),
                       Macros.front().second};
  return Found;
}

/// Returns the message for a byte that is not UTF-8 text.
static std::string noText(unsigned char Byte) {
  static constexpr char Hex[] = "0123456789abcdef";
  if (!Byte)
    return "a NUL character stands in this text";
  return std::string("this text is not UTF-8: the byte 0x") + Hex[Byte >> 4] +
         Hex[Byte & 15] + " stands here";
}

std::optional<TextProblem> clinch::checkText(std::string_view Text,
                                             TextFacts &Facts) {
  if (size_t At = findNoText(Text); At != Text.npos)
    return TextProblem{At, noText(static_cast<unsigned char>(Text[At]))};
  return Checker(Text).run(Facts);
}

bool clinch::endsInSemicolon(std::string_view Text) {
  size_t End = Text.find_last_not_of(" \t\r\n\f\v");
  if (End == Text.npos)
    return true;
  // Without comments and directives the last character decides.
  if (Text.find("//") == Text.npos && Text[End] != '/' &&
      Text.find('#') == Text.npos)
    return Text[End] == ';';
  bool Last = true;
  Lexer L(Text);
  for (Token T = L.next(); T.What != Token::End && T.What != Token::Unfinished;
       T = L.next())
    if (T.What != Token::Directive)
      Last = T.is(';');
  return Last;
}
