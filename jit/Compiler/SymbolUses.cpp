//===- SymbolUses.cpp - Where a text uses a symbol ------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SymbolUses.h"
#include "lib/Support/Lexer.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

using namespace clinch;

namespace {

/// Reads a text with its `#line`s and keeps the first use of each wanted
/// identifier; a declaration counts only if there is no other use.
class UseFinder {
public:
  explicit UseFinder(const SourceText &Source)
      : Text(Source.Text), Origin(Source.Name) {}

  void want(std::string_view Name) { Uses.try_emplace(Name); }
  void run();
  /// Returns null if the text does not name it.
  const Diagnostic *use(std::string_view Name) const;

private:
  struct Use {
    Diagnostic Place;
    bool IsKnown = false;
    bool IsDeclaration = false;
  };

  void follow(const Token &Directive);
  void note(Use &U, const Token &At, bool IsDeclaration);
  /// Counts the lines up to \p Offset.
  void advance(size_t Offset);

  std::string_view Text;
  std::string Origin;
  unsigned Line = 1;
  size_t Counted = 0; ///< Newlines before this are in Line.
  std::unordered_map<std::string_view, Use> Uses;
};

void UseFinder::advance(size_t Offset) {
  Line +=
      unsigned(std::count(Text.begin() + Counted, Text.begin() + Offset, '\n'));
  Counted = Offset;
}

/// Follows `#line 7 "name"` or `# 7 "name"`.
void UseFinder::follow(const Token &Directive) {
  Lexer L(Directive.Text.substr(1));
  Token Number = L.next();
  if (Number.is("line"))
    Number = L.next();
  unsigned Next = 0;
  if (Number.What != Token::Number ||
      std::from_chars(Number.Text.begin(), Number.Text.end(), Next).ec !=
          std::errc())
    return;
  advance(Directive.Offset + Directive.Text.size());
  Line = Next - (Counted < Text.size() && Text[Counted] == '\n');
  Token Name = L.next();
  if (Name.What == Token::Literal && Name.Text.size() >= 2)
    Origin = Name.Text.substr(1, Name.Text.size() - 2);
}

/// `int name` and `char *name` look like declarations; `return name` does not.
static bool looksDeclared(const Token &Before) {
  return Before.is('*') || Before.is('&') ||
         (Before.What == Token::Identifier && Before.Text != "return" &&
          Before.Text != "else" && Before.Text != "case");
}

void UseFinder::note(Use &U, const Token &At, bool IsDeclaration) {
  if (U.IsKnown && (!U.IsDeclaration || IsDeclaration))
    return;
  advance(At.Offset);
  size_t Begin = Text.rfind('\n', At.Offset) + 1;
  size_t End = std::min(Text.find('\n', At.Offset), Text.size());
  U.Place.Origin = Origin;
  U.Place.Line = Line;
  U.Place.Column = unsigned(At.Offset - Begin) + 1;
  U.Place.SourceLine = Text.substr(Begin, End - Begin);
  U.IsKnown = true;
  U.IsDeclaration = IsDeclaration;
}

void UseFinder::run() {
  Lexer L(Text);
  Token Before;
  bool InExtern = false; // extern int f(void), g(void);
  for (Token T = L.next(); T.What != Token::End; T = L.next()) {
    if (T.What == Token::Directive)
      follow(T);
    else if (T.is("extern"))
      InExtern = true;
    else if (T.is(';') || T.is('{'))
      InExtern = false;
    else if (T.What == Token::Identifier)
      if (auto Found = Uses.find(T.Text); Found != Uses.end())
        note(Found->second, T, InExtern || looksDeclared(Before));
    Before = T;
  }
}

const Diagnostic *UseFinder::use(std::string_view Name) const {
  auto Found = Uses.find(Name);
  return Found != Uses.end() && Found->second.IsKnown ? &Found->second.Place
                                                      : nullptr;
}

/// Returns the identifier in "name" or "space::name<int>(double)".
std::string_view identifierOf(std::string_view Name) {
  Name = Name.substr(0, Name.find_first_of("<("));
  size_t Qualifier = Name.rfind("::");
  return Qualifier == Name.npos ? Name : Name.substr(Qualifier + 2);
}

} // namespace

void clinch::placeMissingSymbols(Error &E, const SourceText &Text) {
  UseFinder Finder(Text);
  for (const Diagnostic &D : E.diagnostics())
    Finder.want(identifierOf(D.Message));
  Finder.run();
  std::vector<Diagnostic> Placed;
  for (Diagnostic &D : E.diagnostics())
    if (const Diagnostic *Use = Finder.use(identifierOf(D.Message))) {
      Placed.push_back(*Use);
      Placed.back().Message = "`" + D.Message +
                              "` is used, and nothing "
                              "defines it.";
    }
  E.diagnostics() = std::move(Placed);
}
