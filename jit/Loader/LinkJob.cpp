// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs of a link.

#include "LinkJob.h"
#include "ExitFunctions.h"
#include "jit/Libraries/SymbolResolver.h"

#include "llvm/Demangle/Demangle.h"

#include <algorithm>
#include <unordered_set>

using namespace clinch;

/// Adds what a further text of the program defines.
static void join(ObjectSummary &First, ObjectSummary Other) {
  std::unordered_set<std::string_view> Known;
  for (const clinch::Module::Function &F : First.Functions)
    Known.insert(F.Symbol);
  std::erase_if(Other.Functions, [&](const clinch::Module::Function &F) {
    return Known.count(F.Symbol) != 0; // An inline one.
  });
  First.Functions.insert(First.Functions.end(), Other.Functions.begin(),
                         Other.Functions.end());
  First.Types += '\n' + Other.Types;
  for (std::string &Name : Other.SharedThreadLocals)
    if (auto &All = First.SharedThreadLocals;
        std::find(All.begin(), All.end(), Name) == All.end())
      All.push_back(std::move(Name));
}

static Error isMissing(const std::string &Name) {
  return Error(Error::Kind::Link, "The thread-local variable `" +
                                      llvm::demangle(Name) +
                                      "` is missing: expected a text or an "
                                      "object that is linked to define it.");
}

static Error isMixed(const std::string &Name) {
  return Error(Error::Kind::Link,
               "The thread-local variable `" + llvm::demangle(Name) +
                   "` is native in one object that is linked and emulated in "
                   "another: each would have its own. Expected texts that are "
                   "compiled with -fno-emulated-tls, or objects with "
                   "-femulated-tls.");
}

/// A variable may not be native for one object and emulated for another. \p
/// Imports are what no object defines.
static Status
checkThreadLocals(const std::vector<Import> &Imports,
                  const std::unordered_set<std::string_view> &Defined) {
  auto IsMixed = [&](std::string_view Name) {
    return Name.starts_with(EmulatedPrefix) &&
           Defined.count(Name.substr(EmulatedPrefix.size()));
  };
  for (std::string_view Name : Defined)
    if (IsMixed(Name))
      return isMixed(std::string(Name.substr(EmulatedPrefix.size())));
  for (const Import &I : Imports) {
    if (IsMixed(I.Name))
      return isMixed(std::string(I.Name.substr(EmulatedPrefix.size())));
    const std::string Name(I.Name);
    if (I.IsThreadLocal && !I.Address)
      return Defined.count(std::string(EmulatedPrefix) + Name)
                 ? isMixed(Name)
                 : isMissing(Name);
  }
  return {};
}

/// Finds a symbol, first among the functions that need to know who calls them.
static Resolved find(const Import &Wanted, const CompileOptions &O,
                     const std::vector<Library> &Libraries) {
  std::string_view Name = Wanted.Name;
  for (auto *Find :
       {findRegistration, findEmulatedAccess, findThreadLocalAccess})
    if (void *Own = Find(Name))
      return {Own, {}};
  const bool IsEmulated = Name.starts_with(EmulatedPrefix);
  Resolved Found = findSymbol(Name, O.Symbols, Libraries);
  if (IsEmulated && Found.Address && !O.Symbols.count(std::string(Name)))
    Found = {}; // It has an index of libgcc's function.
  if (IsEmulated && !Found)
    Found.Address = variableOfLibrary(
        findSymbol(Name.substr(EmulatedPrefix.size()), O.Symbols, Libraries)
            .Address);
  else if (Wanted.IsThreadLocal)
    Found.Address = variableOfLibrary(Found.Address);
  else if (!Found)
    Found.Address = findExitFunction(Name);
  return Found;
}

/// Finds the imports of the objects, which may add further objects of archives.
static Status readObjects(const CompileOptions &O, LinkJob &Inputs) {
  std::unordered_set<std::string_view> Defined, Seen;
  for (const std::string &Given : O.Objects) { // Before any archive.
    CLINCH_TRY_ASSIGN(auto Summary, readObject(Given));
    Defined.insert(Summary.Definitions.begin(), Summary.Definitions.end());
  }
  for (size_t I = 0; I < Inputs.Objects.size(); ++I) {
    CLINCH_TRY_ASSIGN(auto Summary, readObject(Inputs.Objects[I]));
    Inputs.HasInitializers |= Summary.HasInitializers;
    Inputs.HasThreadLocals |= Summary.HasThreadLocals;
    Inputs.PerThread.Capacity += Summary.ThreadLocalBytes;
    Defined.insert(Summary.Definitions.begin(), Summary.Definitions.end());
    for (Import &Wanted : Summary.Imports) {
      // A weak import adds no object; a strong import of it may follow.
      if (Wanted.IsWeak ? Seen.count(Wanted.Name) != 0
                        : !Seen.insert(Wanted.Name).second)
        continue;
      if (Defined.count(Wanted.Name))
        continue;
      const Resolved Found = find(Wanted, O, Inputs.Libraries);
      Wanted.Address = Found.Address;
      if (!Found.Object.empty() && !Wanted.IsWeak &&
          std::none_of(Inputs.Objects.begin(), Inputs.Objects.end(),
                       [&](std::string_view Object) {
                         return Object.data() == Found.Object.data();
                       }))
        Inputs.Objects.push_back(Found.Object);
      Inputs.Imports.push_back(Wanted);
    }
    if (I == 0)
      Inputs.Own = std::move(Summary);
    else if (I <= O.Objects.size())
      join(Inputs.Own, std::move(Summary));
  }
  // Definitions in the objects take precedence.
  std::erase_if(Inputs.Imports,
                [&](const Import &I) { return Defined.count(I.Name) != 0; });
  std::sort(Inputs.Imports.begin(), Inputs.Imports.end(),
            [](const Import &A, const Import &B) { return A.Name < B.Name; });
  if (Inputs.HasThreadLocals)
    if (Status S = checkThreadLocals(Inputs.Imports, Defined); !S)
      Inputs.Failure = S.error();
  return {};
}

Expected<LinkJob> clinch::gatherInputs(std::string_view Object,
                                       const CompileOptions &O) {
  LinkJob Inputs;
  Inputs.Objects = {Object};
  Inputs.Objects.insert(Inputs.Objects.end(), O.Objects.begin(),
                        O.Objects.end());
  Inputs.Anchors.resize(Inputs.Objects.size());
  CLINCH_TRY_ASSIGN(Inputs.Libraries,
                    openLibraries(O.Libraries, O.LibraryDirs, Inputs.LookedAt));
  CLINCH_TRY(readObjects(O, Inputs));
  return Inputs;
}
