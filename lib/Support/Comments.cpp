// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts that differ in comments alone.

#include "Comments.h"

#include <algorithm>
#include <span>

using namespace clinch;

namespace {

bool isWord(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
         (C >= '0' && C <= '9') || C == '_';
}

class Blanker {
public:
  explicit Blanker(std::string_view Text) : Text(Text), Out(Text) {}

  /// False where a compiler might see comments elsewhere.
  bool run() {
    while (At < Text.size())
      if (!step())
        return false;
    return true;
  }
  std::string take() { return std::move(Out); }

private:
  char peek(size_t Ahead = 0) const {
    return At + Ahead < Text.size() ? Text[At + Ahead] : '\0';
  }
  size_t lineEnd() const { return std::min(Text.find('\n', At), Text.size()); }
  std::string_view restOfLine() const {
    return Text.substr(At, lineEnd() - At);
  }

  bool step() {
    const char C = peek();
    if (C == '\n')
      return endLine();
    if (C == '"')
      return (At == 0 || Text[At - 1] != 'R') && skipQuoted('"');
    if (C == '\'' && !isSeparator())
      return skipQuoted('\'');
    if (C == '/' && peek(1) == '/')
      return blank(lineEnd());
    if (C == '/' && peek(1) == '*')
      return blankBlock();
    if (C == '#' && AtLineStart)
      return startDirective();
    if ((C == '%' && peek(1) == ':') || (C == '?' && peek(1) == '?'))
      return false; // Other spellings of `#` and of the end of a line.
    if (C == '<' && InDirective && mayBeginHeader())
      return false;
    AtLineStart = AtLineStart && (C == ' ' || C == '\t');
    ++At;
    return true;
  }

  /// Two lines may be one; no token may go on in the second.
  bool endLine() {
    const size_t Last = Text.substr(0, At).find_last_not_of(" \t\r");
    const bool GoesOn = Last != Text.npos && Text[Last] == '\\';
    if (GoesOn && (Last + 1 != At || !isWhole(Last ? Text[Last - 1] : ' ')))
      return false;
    InDirective = InDirective && GoesOn;
    AtLineStart = true;
    ++At;
    return true;
  }

  /// In `__has_include(<a//b>)` as in `#embed <a//b>`.
  bool mayBeginHeader() const {
    if (!hasComment(restOfLine()) && !restOfLine().ends_with('\\'))
      return false;
    const size_t Last = Text.substr(0, At).find_last_not_of(" \t");
    const char Before = Last == Text.npos ? ' ' : Text[Last];
    return !InCondition || (!isWord(Before) && Before != ')');
  }

  /// Whether what ends with \p C is no beginning of a comment, a header's name
  /// or a literal.
  bool isWhole(char C) const {
    if (C == '/' || C == '<' || C == '#' || C == '%' || C == '\\')
      return false;
    return !isWord(C) || (peek(1) != '"' && peek(1) != '\'');
  }

  static bool hasComment(std::string_view S) {
    return S.find("//") != S.npos || S.find("/*") != S.npos;
  }

  bool startDirective() {
    AtLineStart = false;
    ++At;
    const std::string_view Line = restOfLine();
    const size_t Word = Line.find_first_not_of(" \t");
    const std::string_view Rest =
        Word == Line.npos ? std::string_view() : Line.substr(Word);
    InDirective = !Rest.starts_with("define"); // Whose text is as any other.
    InCondition = Rest.starts_with("if") || Rest.starts_with("elif");
    if (!Rest.starts_with("include"))
      return true;
    const size_t Open = Line.find_first_of("<\"/", Word);
    if (Open == Line.npos || Line[Open] == '/')
      return true;
    const size_t Close = Line.find(Line[Open] == '<' ? '>' : '"', Open + 1);
    At += Close == Line.npos ? Open : Close + 1;
    return true;
  }

  /// `'` in `1'000`.
  bool isSeparator() const {
    size_t Begin = At;
    while (Begin && (isWord(Text[Begin - 1]) || Text[Begin - 1] == '\''))
      --Begin;
    return Begin < At && Text[Begin] >= '0' && Text[Begin] <= '9';
  }

  bool skipQuoted(char Quote) {
    AtLineStart = false;
    for (size_t I = At + 1; I < Text.size() && Text[I] != '\n'; ++I) {
      if (Text[I] == '\\')
        ++I;
      else if (Text[I] == Quote) {
        At = I + 1;
        return true;
      }
    }
    // One that does not end, as in `#error don't`.
    if (Quote == '"' || hasComment(restOfLine()))
      return false;
    At = lineEnd();
    return true;
  }

  bool blankBlock() {
    const size_t Close = Text.find("*/", At + 2);
    return Close != Text.npos && blank(Close);
  }

  /// Blanks what lies between the comment's first two bytes and \p End, if
  /// that is plain text which no warning is about.
  bool blank(size_t End) {
    const size_t Begin = At + 2;
    const std::string_view Said = Text.substr(Begin, End - Begin);
    for (char C : Said)
      if ((C < ' ' && C != '\t' && C != '\n') || C == '\x7f')
        return false;
    const size_t Last = Said.find_last_not_of(" \t");
    if ((Last != Said.npos && Said[Last] == '\\') ||
        Said.find("*\\") != Said.npos || Said.find("?\?/") != Said.npos)
      return false;
    if (Said.find("/*") == Said.npos)
      for (char &C : std::span(Out).subspan(Begin, End - Begin))
        if (C != '\n')
          C = ' ';
    At = Text.substr(End).starts_with("*/") ? End + 2 : End;
    return true;
  }

  std::string_view Text;
  std::string Out;
  size_t At = 0;
  bool AtLineStart = true, InDirective = false, InCondition = false;
};

} // namespace

std::optional<std::string> clinch::withoutComments(std::string_view Text) {
  if (Text.find("//") == Text.npos && Text.find("/*") == Text.npos)
    return std::nullopt;
  Blanker B(Text);
  return B.run() ? std::optional(B.take()) : std::nullopt;
}
