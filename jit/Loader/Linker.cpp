//===- Linker.cpp - From object to code -----------------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Other people's code runs here: constructors of libraries and of the object,
// and what a symbol's lookup calls. None of it runs inside a lock of ours.
//
//===----------------------------------------------------------------------===//

#include "Linker.h"
#include "FrameRegistration.h"
#include "Initializers.h"
#include "OrcSession.h"
#include "jit/Libraries/SymbolResolver.h"

#include <algorithm>
#include <unordered_set>

using namespace clinch;

namespace clinch {
/// One load: the steps in the order in which run() takes them.
class Linker {
public:
  explicit Linker(const LinkRequest &R)
      : R(R), Loaded(std::make_shared<LoadedCode>()) {
    Job.Objects = {R.Object};
    Job.Debug = R.Debug;
  }

  Expected<std::shared_ptr<LoadedCode>> run();

private:
  Status resolve();
  Status readObjects(const SymbolResolver &Resolver);
  Status link();
  Status initialize();

  const LinkRequest &R;
  std::vector<Library> Libraries;
  LinkJob Job;
  std::shared_ptr<LoadedCode> Loaded;
};
} // namespace clinch

Expected<std::shared_ptr<LoadedCode>> Linker::run() {
  for (auto Step : {&Linker::resolve, &Linker::link, &Linker::initialize})
    if (Status S = (this->*Step)(); !S.ok())
      return S.takeError();
  return Loaded;
}

/// The middle one of what is called: most of the others are near it.
static const void *middleOf(const std::vector<Import> &Imports) {
  std::vector<const void *> Found;
  for (const Import &I : Imports)
    if (I.Address)
      Found.push_back(I.Address);
  if (Found.empty())
    return nullptr;
  auto Middle = Found.begin() + std::ptrdiff_t(Found.size() / 2);
  std::nth_element(Found.begin(), Middle, Found.end());
  return *Middle;
}

Status Linker::resolve() {
  auto Opened = openLibraries(R.Libraries, R.LibraryDirs);
  if (!Opened)
    return Opened.takeError();
  Libraries = std::move(*Opened);
  for (const Library &L : Libraries)
    if (L.Handle)
      Loaded->Libraries.push_back(L.Handle);
  if (Status S = readObjects(SymbolResolver(R.Symbols, Libraries)); !S.ok())
    return S;
  std::vector<std::string> Missing;
  for (const Import &I : Job.Imports)
    if (!I.Address && !I.IsWeak)
      Missing.emplace_back(I.Name);
  Job.Near = middleOf(Job.Imports);
  return Missing.empty() ? Status() : missingSymbols(std::move(Missing));
}

/// Finds what the objects import. That may be in further objects, of archives.
Status Linker::readObjects(const SymbolResolver &Resolver) {
  std::unordered_set<std::string_view> Defined, Seen;
  for (size_t I = 0; I < Job.Objects.size(); ++I) {
    auto Summary = readObject(Job.Objects[I]);
    if (!Summary)
      return Summary.takeError();
    if (I == 0)
      Loaded->Variables = std::move(Summary->Variables);
    Defined.insert(Summary->Definitions.begin(), Summary->Definitions.end());
    for (Import &Wanted : Summary->Imports) {
      // What is only wanted weakly brings no object, and may be wanted again.
      if (Wanted.IsWeak ? Seen.count(Wanted.Name) != 0
                        : !Seen.insert(Wanted.Name).second)
        continue;
      Resolved Found = Resolver.find(Wanted.Name);
      Wanted.Address = Found.Address;
      if (!Found.Object.empty() && !Wanted.IsWeak &&
          llvm::none_of(Job.Objects, [&](std::string_view Object) {
            return Object.data() == Found.Object.data();
          }))
        Job.Objects.push_back(Found.Object);
      Job.Imports.push_back(Wanted);
    }
  }
  // What one object of the job defines is the others' before all else.
  std::erase_if(Job.Imports,
                [&](const Import &I) { return Defined.count(I.Name) != 0; });
  std::sort(Job.Imports.begin(), Job.Imports.end(),
            [](const Import &A, const Import &B) { return A.Name < B.Name; });
  return {};
}

Status Linker::link() {
  auto Module = OrcSession::process().link(Job);
  if (!Module)
    return Module.takeError();
  Loaded->Module = std::move(*Module);
  Loaded->Bytes = Job.Bytes;
  Loaded->Symbols = std::move(Job.Symbols);
  Loaded->Symbols.shrink_to_fit();
  std::sort(Loaded->Symbols.begin(), Loaded->Symbols.end(),
            [](const auto &A, const auto &B) { return A.Name < B.Name; });
  for (char *Frames : Job.Frames)
    if (R.CanThrow || Job.Objects.size() > 1)
      Loaded->Frames.push_back(std::make_unique<FrameRegistration>(Frames));
  if (R.Debug)
    Loaded->PerfNames = PerfMap::process().add(Job.Functions);
  return {};
}

/// By priority, and what others need before them.
static void sortArrays(std::vector<FunctionArray> &Arrays) {
  std::stable_sort(Arrays.begin(), Arrays.end(),
                   [](const FunctionArray &A, const FunctionArray &B) {
                     return A.Priority != B.Priority ? A.Priority < B.Priority
                                                     : A.Object > B.Object;
                   });
}

Status Linker::initialize() {
  Loaded->DSOHandles = std::move(Job.DSOHandles);
  sortArrays(Job.Constructors);
  sortArrays(Job.Destructors);
  for (const FunctionArray &A : Job.Constructors)
    for (size_t I = 0; I < A.Count; ++I)
      if (Status S = runInitializer(A.Begin[I]); !S.ok())
        return S;
  for (const FunctionArray &A : Job.Destructors)
    Loaded->Finalizers.insert(Loaded->Finalizers.end(), A.Begin,
                              A.Begin + A.Count);
  return {};
}

Expected<std::shared_ptr<LoadedCode>> clinch::linkObject(const LinkRequest &R) {
  return Linker(R).run();
}
