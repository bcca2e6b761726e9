// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a c_declare declares.

#include "lib/Support/Declarations.h"

#include "lib/Support/Lexer.h"

#include <algorithm>

using namespace clinch;

namespace {

class Reader {
public:
  explicit Reader(std::string_view Text) : Text(Text) {}
  Declarations run();

private:
  void take(const Token &T);
  void finish(size_t End);
  bool isType() const;
  void readNames();
  bool isPlain(size_t NameAt) const;
  std::string_view nameInGroup(size_t &I) const;
  void blank(std::string &Out, size_t Begin, size_t End) const;

  std::string_view Text;
  Declarations D;
  std::vector<Token> Tokens; ///< Of the declaration being read.
  size_t Begin = 0;
  int Depth = 0;
  bool Body = false; ///< The open brace is a function's.
};

bool oneOf(std::string_view Word, std::initializer_list<const char *> List) {
  return std::find(List.begin(), List.end(), Word) != List.end();
}

bool isNumberWord(std::string_view W) {
  if (W.substr(0, 4) == "npy_" || W.substr(0, 6) == "dtype_")
    return W.find("complex") == std::string_view::npos;
  return oneOf(W,
               {"double",  "float",      "int",      "long",     "short",
                "char",    "signed",     "unsigned", "bool",     "_Bool",
                "size_t",  "Py_ssize_t", "int8_t",   "int16_t",  "int32_t",
                "int64_t", "uint8_t",    "uint16_t", "uint32_t", "uint64_t"});
}

/// Returns whether \p W before a parenthesis is not the declared name.
bool takesArguments(std::string_view W) {
  return oneOf(W, {"__attribute__", "__attribute", "alignas", "_Alignas", "asm",
                   "__asm__", "__asm"});
}

} // namespace

/// Appends a range of the text as blanks; newlines are kept.
void Reader::blank(std::string &Out, size_t From, size_t To) const {
  for (size_t I = From; I < To; ++I)
    Out += Text[I] == '\n' ? '\n' : ' ';
}

/// Whether this is a typedef, a using, or a tag that names no variable.
bool Reader::isType() const {
  if (Tokens.empty())
    return true;
  std::string_view First = Tokens.front().Text;
  if (oneOf(First, {"typedef", "using", "static_assert", "_Static_assert"}))
    return true;
  return oneOf(First, {"struct", "union", "enum", "class"}) &&
         (Tokens.back().is('}') || Tokens.size() == 2);
}

/// Returns the name in `(*name)(...)`, `(*name[3])(...)`; \p I is at its `(`.
std::string_view Reader::nameInGroup(size_t &I) const {
  std::string_view Name;
  int Level = 0;
  bool Pointer = false;
  for (; I < Tokens.size(); ++I) {
    if (Tokens[I].is('('))
      ++Level;
    else if (Tokens[I].is(')') && !--Level)
      break;
    else if (Tokens[I].is('*'))
      Pointer = true;
    else if (Tokens[I].What == Token::Identifier && Pointer && Name.empty())
      Name = Tokens[I].Text;
  }
  return Name;
}

/// Returns whether the name is a pointer or has only number words before it.
bool Reader::isPlain(size_t NameAt) const {
  if (NameAt == 0)
    return false;
  if (Tokens[NameAt - 1].is('*'))
    return true;
  for (size_t I = 0; I < NameAt; ++I)
    if (!isNumberWord(Tokens[I].Text))
      return false;
  return true;
}

void Reader::readNames() {
  int Level = 0, Angles = 0;
  size_t Last = Tokens.size();
  bool Value = false;
  auto Add = [&] {
    if (Last == Tokens.size())
      return;
    D.Names.emplace_back(Tokens[Last].Text);
    D.Numbers &= isPlain(Last);
    Last = Tokens.size();
  };
  for (size_t I = 0; I < Tokens.size(); ++I) {
    const Token &T = Tokens[I];
    if (!Level && !Value && T.is('(') && I + 1 < Tokens.size() &&
        Tokens[I + 1].is('*')) {
      if (std::string_view Name = nameInGroup(I); !Name.empty())
        D.Names.emplace_back(Name);
      D.Numbers = false;
      Last = Tokens.size();
      Value = true;
      continue;
    }
    if (T.is('[') || T.is('{') || T.is('('))
      D.Numbers = false;
    if (T.is('{') || T.is('(') || T.is('['))
      ++Level;
    else if (T.is('}') || T.is(')') || T.is(']'))
      --Level;
    else if (T.is('<') && !Level && !Value)
      ++Angles;
    else if (T.is('>') && !Level && !Value)
      --Angles;
    else if (Level || Angles)
      continue;
    else if (T.is('=')) {
      D.Initialised = true;
      D.Numbers = false;
      Value = true;
    } else if (T.is(',')) {
      Add();
      Value = false;
    } else if (T.What == Token::Identifier && !Value && !takesArguments(T.Text))
      Last = I;
  }
  Add();
}

/// Ends the current declaration at \p End.
void Reader::finish(size_t End) {
  bool Type = isType();
  if (!Type && !Body)
    readNames();
  D.Functions |= Body;
  std::string &Mine = Type ? D.Types : D.Members;
  std::string &Other = Type ? D.Members : D.Types;
  Mine.append(Text, Begin, End - Begin);
  blank(Other, Begin, End);
  Begin = End;
  Body = false;
  Tokens.clear();
}

void Reader::take(const Token &T) {
  if (!Depth && T.is('{') && !Tokens.empty() &&
      (Tokens.back().is(')') ||
       oneOf(Tokens.back().Text, {"const", "noexcept", "override"})))
    Body = true;
  if (T.is('(') || T.is('{') || T.is('['))
    ++Depth;
  else if (T.is(')') || T.is('}') || T.is(']'))
    --Depth;
  size_t End = T.Offset + T.Text.size();
  if (!Depth && T.is(';'))
    return finish(End);
  Tokens.push_back(T);
  if (!Depth && Body && T.is('}'))
    finish(End);
}

Declarations Reader::run() {
  Lexer L(Text);
  for (Token T = L.next(); T.What != Token::End; T = L.next()) {
    if (T.What == Token::Directive) {
      // A directive between declarations goes with the types.
      size_t End = T.Offset + T.Text.size();
      if (Tokens.empty())
        finish(End);
      continue;
    }
    take(T);
  }
  if (!Tokens.empty())
    finish(Text.size());
  blank(D.Members, Begin, Text.size());
  D.Types.append(Text, Begin, Text.size() - Begin);
  D.Plain = D.Numbers && D.Names.size() == 1;
  return std::move(D);
}

Declarations clinch::readDeclarations(std::string_view Text) {
  return Reader(Text).run();
}
