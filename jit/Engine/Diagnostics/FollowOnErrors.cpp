// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors that follow from others.

#include "FollowOnErrors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace clinch;
using namespace clinch::engine;

static llvm::StringRef takeName(llvm::StringRef &Text) {
  llvm::StringRef Name =
      Text.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
  Text = Text.drop_front(Name.size());
  return Name;
}

/// In `type name, *other;` the names are missing with the type.
void FollowOnErrors::rememberDeclared(const Diagnostic &D,
                                      const std::string &Type) {
  llvm::StringRef Rest = D.SourceLine;
  if (!D.Column || D.Column > Rest.size())
    return;
  Rest = Rest.drop_front(D.Column - 1);
  if (!Rest.consume_front(Type))
    return;
  do {
    Rest = Rest.ltrim("* \t");
    llvm::StringRef Name = takeName(Rest);
    if (Name.empty() || Name[0] < 'A')
      return;
    Missing.insert(Name.str());
    Rest = Rest.ltrim();
  } while (Rest.consume_front(","));
}

bool FollowOnErrors::follows(const Diagnostic &D, const UnknownName &Unknown) {
  if (Guessed.count({D.Origin, D.Line}) ||
      (D.Column && !Places.insert({D.Origin, D.Line, D.Column}).second))
    return true;
  if (Unknown.Name.empty())
    return false;
  bool Known = !Missing.insert(Unknown.Name).second;
  rememberDeclared(D, Unknown.Name);
  if (Known)
    return true;
  if (Unknown.IsGuessed && D.Line)
    Guessed.insert({D.Origin, D.Line});
  return false;
}
