//===- LinkJob.cpp - The inputs of a link ---------------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkJob.h"
#include "ThreadExit.h"
#include "jit/Libraries/SymbolResolver.h"

#include <algorithm>
#include <unordered_set>

using namespace clinch;

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
    Defined.insert(Summary.Definitions.begin(), Summary.Definitions.end());
    for (Import &Wanted : Summary.Imports) {
      // A weak import adds no object; a strong import of it may follow.
      if (Wanted.IsWeak ? Seen.count(Wanted.Name) != 0
                        : !Seen.insert(Wanted.Name).second)
        continue;
      if (Defined.count(Wanted.Name))
        continue;
      Resolved Found{findThreadExit(Wanted.Name), {}};
      if (!Found)
        Found = findSymbol(Wanted.Name, O.Symbols, Inputs.Libraries);
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
      for (std::string &Name : Summary.SharedThreadLocals)
        if (auto &All = Inputs.Own.SharedThreadLocals;
            std::find(All.begin(), All.end(), Name) == All.end())
          All.push_back(std::move(Name));
  }
  // Definitions in the objects take precedence.
  std::erase_if(Inputs.Imports,
                [&](const Import &I) { return Defined.count(I.Name) != 0; });
  std::sort(Inputs.Imports.begin(), Inputs.Imports.end(),
            [](const Import &A, const Import &B) { return A.Name < B.Name; });
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
                    openLibraries(O.Libraries, O.LibraryDirs));
  CLINCH_TRY(readObjects(O, Inputs));
  return Inputs;
}
