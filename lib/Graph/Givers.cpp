//===- Givers.cpp - Whose hook gave a flag or a library ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Givers.h"

#include <set>

using namespace clinch;

/// Clang quotes a whole argument, or what comes after its `=`.
static bool quotes(const std::string &Message, const std::string &Given) {
  auto Has = [&](const std::string &What) {
    return !What.empty() && (Message.find("'" + What + "'") != What.npos ||
                             Message.find("`" + What + "`") != What.npos);
  };
  size_t Sign = Given.find('=');
  return Has(Given) || (Sign != Given.npos && Has(Given.substr(Sign + 1)));
}

static void addGiver(Error &E, const CodeProvider &C, const char *Hook,
                     const CodeProvider::Strings &Given) {
  if (!Given)
    return;
  for (const std::string &Each : *Given) {
    if (!quotes(E.message(), Each))
      continue;
    Diagnostic D;
    D.Origin = "`" + C.className() + "." + Hook + "`";
    D.Class = C.className();
    D.Hook = Hook;
    D.Message = "`" + Each + "` is given here";
    E.diagnostics().push_back(std::move(D));
  }
}

Error clinch::nameGivers(Error E, const Graph &G) {
  if (E.kind() != ErrorKind::InvalidArgument && E.kind() != ErrorKind::Link)
    return E;
  std::set<const CodeProvider *> Asked;
  auto Ask = [&](const CodeProvider &C) {
    if (!Asked.insert(&C).second)
      return;
    addGiver(E, C, "c_compile_args", C.c_compile_args("c"));
    addGiver(E, C, "c_libraries", C.c_libraries("c"));
  };
  for (const Variable &V : G.variables())
    Ask(V.type());
  for (const Apply &A : G.applies())
    Ask(A.op());
  if (E.kind() == ErrorKind::Link || E.diagnostics().empty())
    return E;
  return {ErrorKind::Compile, E.message(), std::move(E.diagnostics())};
}
