//===- Consequences.cpp - Errors that follow from others -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Consequences.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace clinch;
using namespace clinch::engine;

/// The name that an error calls unknown, or nothing.
static llvm::StringRef missingName(llvm::StringRef Message) {
  for (llvm::StringRef Said :
       {"use of undeclared identifier '", "unknown type name '",
        "call to undeclared function '"})
    if (Message.consume_front(Said))
      return Message.take_until([](char C) { return C == '\''; });
  return {};
}

static llvm::StringRef takeName(llvm::StringRef &Text) {
  llvm::StringRef Name =
      Text.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
  Text = Text.drop_front(Name.size());
  return Name;
}

/// `type name, *other;`: the names are missing when the type is.
void Consequences::rememberDeclared(const Diagnostic &D,
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

bool Consequences::follows(const Diagnostic &D) {
  if (Guessed.count({D.Origin, D.Line}) ||
      (D.Column && !Places.insert({D.Origin, D.Line, D.Column}).second))
    return true;
  std::string Name = missingName(D.Message).str();
  if (Name.empty())
    return false;
  bool Known = !Missing.insert(Name).second;
  rememberDeclared(D, Name);
  if (Known)
    return true;
  if (D.Message.find("did you mean") != std::string::npos && D.Line)
    Guessed.insert({D.Origin, D.Line});
  return false;
}
