// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function by its name and type.
//
// The host's compiler and the engine's Clang write types as the C++ ABI does.

#include "clinch/Compiler/Session.h"
#include "lib/Support/Text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace clinch;
using llvm::StringRef;

namespace {

std::string declaration(const Module::Function &F) {
  std::vector<std::string> Parameters;
  Parameters.reserve(F.Parameters.size() + 1);
  for (const Module::CType &P : F.Parameters)
    Parameters.push_back(P.Written);
  if (F.IsVariadic)
    Parameters.emplace_back("...");
  return F.Result.Written +
         (StringRef(F.Result.Written).ends_with("*") ? "" : " ") + F.Name +
         "(" + (Parameters.empty() ? "void" : llvm::join(Parameters, ", ")) +
         ")";
}

Error notDefined(std::string_view Name,
                 const std::vector<Module::Function> &Known) {
  std::vector<std::string_view> Names;
  Names.reserve(Known.size());
  for (const Module::Function &F : Known)
    Names.push_back(F.Name);
  const std::string_view Near = closestName(Name, Names);
  return Error(
      Error::Kind::InvalidArgument,
      "The text defines no function `" + std::string(Name) + "`" +
          (Near.empty() ? "." : "; did you mean `" + std::string(Near) + "`?"));
}

} // namespace

Expected<void *> Module::lookupFor(std::string_view Name,
                                   std::string_view Type) const {
  std::string Others;
  for (const Function &F : functions()) {
    if (F.Name != Name && F.Symbol != Name)
      continue;
    // A function that throws nothing can be called as one that may.
    if (F.Type == Type || F.Type == "Do" + std::string(Type))
      return lookup(F.Symbol);
    Others += (Others.empty() ? "`" : ", `") + declaration(F) + "`";
  }
  if (Others.empty())
    return notDefined(Name, functions());
  StringRef Wanted = Type;
  const std::string Readable = llvm::demangle("_ZTS" + std::string(Type));
  if (StringRef Name = Readable; Name.consume_front("typeinfo name for "))
    Wanted = Name;
  return Error(Error::Kind::InvalidArgument,
               "The text defines " + Others + ", and no `" + std::string(Name) +
                   "` of the type `" + Wanted.str() + "`.");
}
