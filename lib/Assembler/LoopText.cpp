//===- LoopText.cpp - A text, cut before its first loop ------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopText.h"

#include "SharedNames.h"

#include "clinch/Support/Declarations.h"
#include "clinch/Support/Lexer.h"

#include <algorithm>

using namespace clinch;

namespace {

bool beginsLoop(const Token &T) {
  return T.is("for") || T.is("while") || T.is("do");
}

class Cutter {
public:
  Cutter(std::string_view Text, const std::vector<std::string> &Names)
      : Text(Text), Names(Names) {}
  std::optional<LoopText> run();

private:
  bool readTokens();
  bool onlyFails(size_t Goto) const;
  size_t endOf(size_t I) const;
  size_t endOfGroup(size_t I) const;
  size_t endOfSimple(size_t I) const;
  bool isAssignment(size_t I) const;
  bool isDeclaration(size_t I, size_t End) const;
  bool loops(size_t I, size_t End) const;
  bool takeStatement(size_t I, size_t End);
  void takeFromBlock(size_t &I);
  void addToHead(size_t I, size_t End);
  bool knows(std::string_view Name) const;
  std::string_view between(size_t I, size_t End) const;
  void writeRest(size_t I, bool InBlock);

  std::string_view Text;
  const std::vector<std::string> &Names;
  std::vector<Token> Tokens;
  LoopText Out;
};

} // namespace

/// Nothing may come into the head but from its beginning, and nothing that it
/// defines for the preprocessor may be missed after it.
bool Cutter::readTokens() {
  Lexer In(Text);
  for (Token T = In.next(); T.What != Token::End; T = In.next()) {
    if (T.What == Token::Directive || T.What == Token::Unfinished)
      return false;
    Tokens.push_back(T);
  }
  for (size_t I = 0; I < Tokens.size(); ++I)
    if (Tokens[I].is("goto") && !onlyFails(I))
      return false;
  return true;
}

bool Cutter::onlyFails(size_t Goto) const {
  return Goto + 1 < Tokens.size() && Tokens[Goto + 1].is("label_x");
}

/// Behind the bracket that closes the one at \p I.
size_t Cutter::endOfGroup(size_t I) const {
  int Depth = 0;
  for (; I < Tokens.size(); ++I) {
    const Token &T = Tokens[I];
    if (T.is('(') || T.is('{') || T.is('['))
      ++Depth;
    else if ((T.is(')') || T.is('}') || T.is(']')) && --Depth == 0)
      return I + 1;
  }
  return I;
}

/// Behind the semicolon.
size_t Cutter::endOfSimple(size_t I) const {
  while (I < Tokens.size() && !Tokens[I].is(';'))
    I = Tokens[I].is('(') || Tokens[I].is('{') || Tokens[I].is('[')
            ? endOfGroup(I)
            : I + 1;
  return std::min(I + 1, Tokens.size());
}

/// Behind the statement at \p I.
size_t Cutter::endOf(size_t I) const {
  if (I >= Tokens.size())
    return Tokens.size();
  if (Tokens[I].is('{'))
    return endOfGroup(I);
  if (!Tokens[I].is("if") || I + 1 == Tokens.size() || !Tokens[I + 1].is('('))
    return endOfSimple(I);
  I = endOf(endOfGroup(I + 1));
  return I < Tokens.size() && Tokens[I].is("else") ? endOf(I + 1) : I;
}

bool Cutter::loops(size_t I, size_t End) const {
  return std::any_of(Tokens.begin() + ptrdiff_t(I),
                     Tokens.begin() + ptrdiff_t(End), beginsLoop);
}

bool Cutter::knows(std::string_view Name) const {
  return std::find(Names.begin(), Names.end(), Name) != Names.end() ||
         std::any_of(Out.Locals.begin(), Out.Locals.end(),
                     [&](const LoopText::Local &L) { return L.Name == Name; });
}

bool Cutter::isAssignment(size_t I) const {
  return I + 2 < Tokens.size() && knows(Tokens[I].Text) &&
         Tokens[I + 1].is('=') && !Tokens[I + 2].is('=');
}

/// `npy_intp n;`, `npy_float64 *p;`: one number or pointer, without a value.
bool Cutter::isDeclaration(size_t I, size_t End) const {
  if (End - I < 3 || !Tokens[End - 1].is(';') ||
      Tokens[End - 2].What != Token::Identifier)
    return false;
  for (size_t At = I; At + 1 < End; ++At)
    if (Tokens[At].What != Token::Identifier && !Tokens[At].is('*'))
      return false;
  Declarations D = readDeclarations(between(I, End));
  return D.Plain && !D.Functions && !D.Initialised && D.Names.size() == 1 &&
         D.Names.front() == Tokens[End - 2].Text;
}

std::string_view Cutter::between(size_t I, size_t End) const {
  size_t Begin = Tokens[I].Offset;
  const Token &Last = Tokens[End - 1];
  return Text.substr(Begin, Last.Offset + Last.Text.size() - Begin);
}

void Cutter::addToHead(size_t I, size_t End) {
  Out.Head += between(I, End);
  Out.Head += '\n';
}

/// False at what must stay with the loop.
bool Cutter::takeStatement(size_t I, size_t End) {
  if (loops(I, End))
    return false;
  if (Tokens[I].is(';'))
    return true;
  if (isDeclaration(I, End)) {
    Out.Locals.push_back(
        {std::string(between(I, End)), std::string(Tokens[End - 2].Text)});
    return true;
  }
  if (!Tokens[I].is('{') && !Tokens[I].is("if") && !isAssignment(I))
    return false;
  addToHead(I, End);
  return true;
}

/// Of a block with a loop: the assignments that stand before it.
void Cutter::takeFromBlock(size_t &I) {
  while (I < Tokens.size() && isAssignment(I)) {
    size_t End = endOfSimple(I);
    if (loops(I, End))
      return;
    addToHead(I, End);
    I = End;
  }
}

void Cutter::writeRest(size_t I, bool InBlock) {
  size_t Begin = Tokens[I].Offset;
  Out.Line += unsigned(std::count(Text.begin(), Text.begin() + Begin, '\n'));
  Out.Rest = InBlock ? "{ " : "";
  Out.Rest += Text.substr(Begin);
}

std::optional<LoopText> Cutter::run() {
  if (!readTokens() || !loops(0, Tokens.size()))
    return std::nullopt;
  size_t I = 0;
  for (size_t End = endOf(I); I < Tokens.size() && takeStatement(I, End);
       End = endOf(I))
    I = End;
  if (I >= Tokens.size())
    return std::nullopt;
  bool InBlock = Tokens[I].is('{');
  if (InBlock)
    takeFromBlock(++I);
  if (I >= Tokens.size())
    return std::nullopt;
  writeRest(I, InBlock);
  return std::move(Out);
}

std::optional<LoopText>
clinch::cutBeforeLoop(std::string_view Text,
                      const std::vector<std::string> &Names) {
  return Cutter(Text, Names).run();
}

bool clinch::hasLoop(std::string_view Text) {
  Lexer In(Text);
  for (Token T = In.next(); T.What != Token::End; T = In.next())
    if (beginsLoop(T))
      return true;
  return false;
}
