// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules and their typed symbols.

#include "CodeRegistry.h"
#include "clinch/Compiler/Session.h"
#include "lib/Support/Forks.h"
#include "lib/Support/Text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace clinch;
using llvm::StringRef;

namespace {
/// What a module without code consists of.
struct Nothing {
  std::vector<std::string> Variables;
  std::vector<Module::Function> Functions;
  std::string Types;
  std::vector<Diagnostic> Warnings;
};

const Nothing &nothing() {
  static constinit ForProcess<Nothing> Only;
  return Only.get([] { return new Nothing; });
}
} // namespace

void *Module::lookup(std::string_view Name) const {
  return Code ? Code->lookup(Name) : nullptr;
}

const std::vector<std::string> &Module::variables() const {
  return Code ? Code->Variables : nothing().Variables;
}

const std::vector<Module::Function> &Module::functions() const {
  return Code ? Code->Functions : nothing().Functions;
}

const std::string &Module::types() const {
  return Code ? Code->Types : nothing().Types;
}

const std::vector<Diagnostic> &Module::warnings() const {
  return Record ? Record->Warnings : nothing().Warnings;
}

const std::string *Module::stage(Stage S) const {
  return Record ? stageIn(*Record, S) : nullptr;
}

// The host's compiler and the engine's Clang write types as the C++ ABI does.

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
