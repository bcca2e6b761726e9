// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which hook gave a flag or a library.

#include "FlagOrigins.h"

#include <algorithm>
#include <set>
#include <string_view>

using namespace clinch;

/// Clang names a whole argument, or the part after its `=`.
static bool isAbout(const Error &E, std::string_view Given) {
  std::string_view Value = Given.substr(Given.find('=') + 1);
  return std::any_of(E.arguments().begin(), E.arguments().end(),
                     [&](const std::string &A) {
                       return !A.empty() && (A == Given || A == Value);
                     });
}

static void addGiver(Error &E, const CodeProvider &C, const char *Hook,
                     const CodeProvider::Strings &Given) {
  if (!Given)
    return;
  for (const std::string &Each : *Given) {
    if (!isAbout(E, Each))
      continue;
    Diagnostic D;
    D.Origin = "`" + C.className() + "." + Hook + "`";
    D.Class = C.className();
    D.Hook = Hook;
    D.Message = "`" + Each + "` is given here";
    E.diagnostics().push_back(std::move(D));
  }
}

Error clinch::addFlagOrigins(Error E, const Graph &G) {
  if (E.kind() != Error::Kind::InvalidArgument && E.kind() != Error::Kind::Link)
    return E;
  std::set<const CodeProvider *> Asked;
  auto Ask = [&](const CodeProvider &C) {
    if (!Asked.insert(&C).second)
      return;
    if (E.kind() == Error::Kind::Link)
      addGiver(E, C, "c_libraries", C.c_libraries("c"));
    else
      addGiver(E, C, "c_compile_args", C.c_compile_args("c"));
  };
  for (const Variable &V : G.variables())
    Ask(V.type());
  for (const Apply &A : G.applies())
    Ask(A.op());
  if (E.kind() == Error::Kind::Link || E.diagnostics().empty())
    return E;
  return {Error::Kind::Compile, E.message(), std::move(E.diagnostics())};
}
