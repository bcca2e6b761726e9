// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks and their names.

#include "Blueprint.h"
#include "Builder.h"
#include "lib/Contract/CNames.h"
#include "lib/Support/Lexer.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <cctype>

using namespace clinch;

std::string clinch::failLabel(unsigned Number) {
  return failLabel(std::to_string(Number));
}

std::string clinch::syncFailLabel(unsigned Number) {
  return failLabel(Number) + "_synced";
}

std::string clinch::failTo(unsigned Number, const std::string &Label) {
  return failTo(std::to_string(Number), Label);
}

std::shared_ptr<const std::string> clinch::fileOf(const Piece &P) {
  if (!P.Source || P.Source->File.empty())
    return nullptr;
  return std::make_shared<const std::string>(P.Source->File);
}

std::string Block::origin(const Piece &P) const {
  return pieceOrigin(*Provider, P, Subject);
}

Author Block::author(const Piece &P) const {
  return {Provider, P.Hook, Subject, Number, Apply, fileOf(P)};
}

std::string Block::failing() const {
  const PieceSource *Source = Behaviour.Source.get();
  return Source && Source->MadeOf
             ? hookOrigin(*Provider, Source->MadeOf, Subject)
             : origin(Behaviour);
}

std::string clinch::pieceOrigin(const CodeProvider &C, const Piece &P,
                                const std::string &Subject) {
  std::string Out = hookOrigin(C, P.Hook, Subject);
  if (P.Source && !P.Source->File.empty())
    Out += " in " + P.Source->File;
  return Out;
}

std::string clinch::hookOrigin(const CodeProvider &P, const char *Hook,
                               const std::string &Subject) {
  std::string Out = "`" + P.className() + "." + Hook + "`";
  if (!Subject.empty()) {
    Out += " for ";
    Out += Subject;
  }
  return Out;
}

std::string clinch::displayName(const std::string &Name) {
  constexpr size_t Longest = 60;
  static constexpr char Hex[] = "0123456789abcdef";
  std::string Out;
  for (size_t I = 0; I < Name.size();) {
    if (I >= Longest)
      return Out + "...";
    unsigned char C = Name[I];
    size_t Length = C < 0x20 || C == 0x7f ? 0 : utf8Length(Name, I);
    if (C == '`') {
      Out += '\'';
      ++I;
    } else if (Length) {
      Out.append(Name, I, Length);
      I += Length;
    } else {
      Out += "\\x";
      Out += Hex[C >> 4];
      Out += Hex[C & 15];
      ++I;
    }
  }
  return Out;
}

void AuthorMacros::add(std::string_view Text) {
  if (Text.find("define") == Text.npos)
    return;
  Lexer L(Text);
  for (Token T = L.next(); T.What != Token::End; T = L.next()) {
    if (T.What != Token::Directive)
      continue;
    std::string_view Line = T.Text.substr(T.Text.find_first_of("#:") + 1);
    Lexer Words(Line);
    if (!Words.next().is("define"))
      continue;
    Token Name = Words.next();
    All.insert(Name.Text);
    Paste |= Line.find("##") != Line.npos || Line.find("%:%:") != Line.npos;
    Python |= Line.find("py_") != Line.npos;
    Bracket |= Line.find('[') != Line.npos;
    OpenMP |= mayUseOpenMP(Line) || Line.find("_Pragma") != Line.npos;
    Types |= asksForTypes(Line);
    if (Line.substr(Name.Offset + Name.Text.size(), 1) == "(" &&
        Name.Text != "APPLY_SPECIFIC")
      Functions.insert(Name.Text);
  }
}

bool clinch::mayUseOpenMP(std::string_view Text) {
  return Text.find("omp") != Text.npos;
}

bool clinch::asksForTypes(std::string_view Text) {
  return Text.find("decltype") != Text.npos || Text.find("typeof") != Text.npos;
}

bool clinch::usesAny(std::string_view Text, const NameSet &Any) {
  if (Any.empty())
    return false;
  Lexer L(Text);
  Token Before, Last;
  for (Token T = L.next(); T.What != Token::End;
       Before = Last, Last = T, T = L.next()) {
    bool Member = Last.is('.') || (Last.is('>') && Before.is('-'));
    if (T.What == Token::Identifier && !Member && Any.count(T.Text))
      return true;
  }
  return false;
}

bool clinch::beginsName(std::string_view Text, std::string_view Prefix) {
  for (size_t At = Text.find(Prefix); At != Text.npos;
       At = Text.find(Prefix, At + 1)) {
    char Before = At ? Text[At - 1] : ' ';
    if (!std::isalnum(static_cast<unsigned char>(Before)) && Before != '_')
      return true;
  }
  return false;
}

bool clinch::namesPython(std::string_view Text, std::string_view Prefix,
                         const AuthorMacros &Support) {
  AuthorMacros Own;
  Own.add(Text);
  return beginsName(Text, Prefix) ||
         (Support.Python && usesAny(Text, Support.All)) ||
         (Own.Python && usesAny(Text, Own.All));
}
