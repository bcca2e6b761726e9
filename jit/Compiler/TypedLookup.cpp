// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function by its name and type.
//
// The host's compiler has spelled the wanted type, the engine's Clang the types
// of the text. GCC and Clang differ in blanks and in the order of words only.

#include "clinch/Compiler/Session.h"
#include "lib/Support/ClosestName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace clinch;
using llvm::StringRef;

namespace {

/// Returns what stands for `Fn` in the name of `lookup<Fn>`, to the bracket
/// that ends it (Clang) or the semicolon before another name (GCC).
StringRef wantedType(StringRef Caller) {
  StringRef Rest = Caller.split("Fn = ").second;
  return Rest.take_front(Rest.find_first_of(";]")).trim();
}

/// Returns the parts of a list, which may hold others in parentheses.
std::vector<StringRef> splitList(StringRef List) {
  std::vector<StringRef> Items;
  int Depth = 0;
  size_t Begin = 0;
  for (size_t At = 0; At != List.size(); ++At) {
    Depth += StringRef("(<").contains(List[At]);
    Depth -= StringRef(")>").contains(List[At]);
    if (List[At] == ',' && !Depth) {
      Items.push_back(List.slice(Begin, At).trim());
      Begin = At + 1;
    }
  }
  if (StringRef Last = List.drop_front(Begin).trim();
      !Last.empty() && Last != "void")
    Items.push_back(Last);
  return Items;
}

/// Returns words that stand together in one order, `int` where it may be left
/// out.
std::string inOrder(std::vector<StringRef> &Words) {
  const bool IsChar = llvm::is_contained(Words, "char");
  llvm::erase_if(Words, [&](StringRef W) {
    constexpr StringRef Dropped[] = {"struct", "union",      "class",
                                     "enum",   "__restrict", "int"};
    return llvm::is_contained(Dropped, W) || (W == "signed" && !IsChar);
  });
  llvm::replace(Words, StringRef("_Bool"), StringRef("bool"));
  llvm::sort(Words);
  std::string Joined = llvm::join(Words, " ");
  Words.clear();
  return Joined;
}

/// Returns one spelling for all of a type, without blanks but between words.
std::string normal(StringRef Type) {
  auto IsOfWord = [](char C) {
    return llvm::isAlnum(C) || C == '_' || C == ':';
  };
  std::vector<StringRef> Words;
  std::string Result;
  while (!Type.empty()) {
    if (const StringRef Word = Type.take_while(IsOfWord); !Word.empty()) {
      Words.push_back(Word);
      Type = Type.drop_front(Word.size());
      continue;
    }
    if (Type.front() != ' ')
      Result += inOrder(Words) + Type.front();
    Type = Type.drop_front();
  }
  return Result + inOrder(Words);
}

bool isOfType(const Module::Function &F, StringRef Type) {
  auto [Result, After] = Type.split('(');
  std::vector<StringRef> Wanted = splitList(After.rsplit(')').first);
  const bool IsVariadic = !Wanted.empty() && Wanted.back() == "...";
  if (IsVariadic)
    Wanted.pop_back();
  auto IsSame = [](const Module::CType &Own, StringRef Given) {
    return normal(Own.Canonical) == normal(Given);
  };
  return IsVariadic == F.IsVariadic && IsSame(F.Result, Result) &&
         Wanted.size() == F.Parameters.size() &&
         llvm::equal(F.Parameters, Wanted, IsSame);
}

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
                                   std::string_view Caller) const {
  const StringRef Type = wantedType(Caller);
  std::string Others;
  for (const Function &F : functions()) {
    if (F.Name != Name && F.Symbol != Name)
      continue;
    if (isOfType(F, Type))
      return lookup(F.Symbol);
    Others += (Others.empty() ? "`" : ", `") + declaration(F) + "`";
  }
  if (Others.empty())
    return notDefined(Name, functions());
  return Error(Error::Kind::InvalidArgument,
               "The text defines " + Others + ", and no `" + std::string(Name) +
                   "` of the type `" + Type.str() + "`.");
}
