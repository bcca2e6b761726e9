// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All names of Clang's options.

#pragma once

#include "clang/Options/Options.h"
#include "llvm/Option/ArgList.h"

#include <set>
#include <string>
#include <vector>

namespace clinch::testing {

struct OptionName {
  std::string Name;
  std::string Means; ///< The option's own name; the same for no alias.
  const char *Value; ///< `none`, `joined`, `next` or `either`.
};

inline const char *placeOfValue(const llvm::opt::Option &O) {
  using llvm::opt::Option;
  switch (O.getKind()) {
  case Option::FlagClass:
    return "none";
  case Option::JoinedClass:
  case Option::CommaJoinedClass:
    return "joined";
  case Option::JoinedOrSeparateClass:
    return "either";
  default:
    return "next";
  }
}

/// Returns the names that Clang's driver takes, aliases and both dashes
/// included.
inline std::vector<OptionName> optionNames() {
  namespace opt = llvm::opt;
  const opt::OptTable &Table = clang::getDriverOptTable();
  std::vector<OptionName> Names;
  std::set<std::string> Seen;
  for (unsigned Id = 1; Id <= Table.getNumOptions(); ++Id) {
    const opt::Option O = Table.getOption(Id);
    if (!O.isValid() || O.getKind() == opt::Option::GroupClass ||
        O.getKind() == opt::Option::InputClass ||
        O.getKind() == opt::Option::UnknownClass ||
        !O.hasVisibilityFlag(clang::options::ClangOption))
      continue;
    for (const char *Dash : {"-", "--"}) {
      const std::string Name = Dash + O.getName().str();
      const char *Words[] = {Name.c_str(), "value", "value"};
      unsigned MissingAt = 0, Missing = 0;
      const opt::InputArgList Args =
          Table.ParseArgs(Words, MissingAt, Missing,
                          opt::Visibility(clang::options::ClangOption));
      const opt::Option Alias = O.getAlias();
      const opt::Option &Own = Alias.isValid() ? Alias : O;
      if (Args.size() == 0 ||
          (*Args.begin())->getOption().getID() != Own.getID() ||
          !Seen.insert(Name).second)
        continue;
      Names.push_back({Name, Own.getPrefixedName().str(), placeOfValue(O)});
    }
  }
  return Names;
}

} // namespace clinch::testing
