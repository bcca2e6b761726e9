// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that the texts of a graph define.

#include "AuthorMacros.h"

#include "lib/Support/Lexer.h"

#include <cctype>

using namespace clinch;

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
