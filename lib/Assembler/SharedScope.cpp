// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which cleanups see what code declares.

#include "SharedScope.h"

#include "lib/Support/Lexer.h"

#include <algorithm>

using namespace clinch;

namespace {

/// Reads what a text of C++ declares outside of its inner braces.
class DeclaredNames {
public:
  DeclaredNames(std::string_view Text, NameSet &Out) : L(Text), Out(Out) {}
  void read();

private:
  void finish();
  bool isEnum() const;
  bool isDeclaration() const;
  bool followsType(size_t I) const;
  bool isInGroup(size_t I) const;
  const Token &at(size_t I) const { return I < Of.size() ? Of[I] : None; }

  Lexer L;
  NameSet &Out;
  std::vector<Token> Of; ///< The statement, without what its braces hold.
  Token None;
};

} // namespace

static bool isOneOf(const Token &T, std::initializer_list<const char *> List) {
  return std::any_of(List.begin(), List.end(),
                     [&](const char *Word) { return T.is(Word); });
}

bool DeclaredNames::isEnum() const {
  return std::any_of(Of.begin(), Of.end(),
                     [](const Token &T) { return T.is("enum"); });
}

bool DeclaredNames::isDeclaration() const {
  return !isOneOf(at(0), {"if", "else", "for", "while", "do", "switch", "case",
                          "default", "return", "goto", "throw", "delete", "try",
                          "catch"});
}

/// Whether the name at \p I comes after a type, as in `A<B> *name`.
bool DeclaredNames::followsType(size_t I) const {
  const Token &T = at(I - 1);
  return T.What == Token::Identifier || T.is('*') || T.is('&') || T.is('}') ||
         (T.is('>') && !at(I - 2).is('-'));
}

/// Whether the name at \p I is in `(*name)(...)`, `(*name[2])[2]` or `auto
/// [name]`.
bool DeclaredNames::isInGroup(size_t I) const {
  if (at(I - 1).is('*') && at(I - 2).is('(')) {
    size_t End = I + 1;
    for (unsigned Level = 1; End < Of.size() && Level; ++End)
      Level += Of[End].is('(') - Of[End].is(')');
    return at(End).is('(') || at(End).is('[');
  }
  return isOneOf(at(0), {"auto", "const"}) &&
         std::any_of(Of.begin(), Of.begin() + long(I),
                     [](const Token &T) { return T.is('['); });
}

void DeclaredNames::finish() {
  unsigned Level = 0;
  bool Value = false, Declares = false;
  for (size_t I = 0; isDeclaration() && I < Of.size(); ++I) {
    const Token &T = Of[I], &Next = at(I + 1);
    if (T.is('(') || T.is('['))
      ++Level;
    else if ((T.is(')') || T.is(']')) && Level)
      --Level;
    else if (T.is(',') && !Level)
      Value = false;
    else if (T.is('='))
      Value = true;
    if (T.What != Token::Identifier || Value || !I)
      continue;
    bool Ends = isOneOf(Next, {"=", ";", ",", "[", "(", "{", ":"});
    bool Beside = at(I - 1).is(',') && Declares;
    if (Level ? isInGroup(I) : Ends && (followsType(I) || Beside)) {
      Out.insert(T.Text);
      Declares = true;
    }
  }
  Of.clear();
}

/// A statement ends at its `;`, or at a `}` that no declarator may follow.
void DeclaredNames::read() {
  unsigned Depth = 0, Parentheses = 0;
  for (Token T = L.next(); T.What != Token::End; T = L.next()) {
    if (T.What == Token::Directive)
      continue;
    if (T.is('}') && Depth)
      --Depth;
    if (!Depth)
      Of.push_back(T);
    else if (T.What == Token::Identifier && isEnum())
      Out.insert(T.Text);
    Depth += T.is('{');
    Parentheses += T.is('(');
    Parentheses -= T.is(')');
    bool Block = T.is('}') && (Of.front().is('{') || !isDeclaration());
    if (!Depth && !Parentheses && (T.is(';') || Block))
      finish();
  }
}

/// Whether \p Text ends where a statement may end. If not, the brace that
/// would follow otherwise shows whose fault that is.
static bool endsStatement(std::string_view Text) {
  Lexer L(Text);
  Token Last;
  for (Token T = L.next(); T.What != Token::End; T = L.next())
    if (T.What != Token::Directive)
      Last = T;
  return Last.is(';') || Last.is('}');
}

static bool needsScope(const Block &B, AuthorMacros Macros) {
  Macros.add(B.Behaviour.Text);
  Macros.add(B.Cleanup.Text);
  if (usesAny(B.Cleanup.Text, Macros.All) ||
      usesAny(B.Behaviour.Text, Macros.All))
    return true;
  NameSet Declared;
  DeclaredNames(B.Behaviour.Text, Declared).read();
  return usesAny(B.Cleanup.Text, Declared) && endsStatement(B.Behaviour.Text);
}

std::vector<bool> clinch::findSharedScopes(const Blueprint &P) {
  std::vector<bool> Result(P.Blocks.size());
  for (const Block &B : P.Blocks) {
    bool MayShare = B.Kind == BlockKind::Validate || B.Kind == BlockKind::Code;
    if (!MayShare || B.Behaviour.empty() || B.Cleanup.empty())
      continue;
    bool Always = P.Options.Lang != Language::CXX;
    Result[B.Number - 1] = Always || needsScope(B, P.Macros);
  }
  return Result;
}
