// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs of a link.

#include "LinkJob.h"
#include "EmulatedThreadLocals.h"
#include "ExitFunctions.h"
#include "OrcSession.h"
#include "jit/Libraries/SymbolResolver.h"
#include "lib/Support/FunctionsSection.h"

#include "llvm/Demangle/Demangle.h"

#include <algorithm>
#include <unordered_set>

using namespace clinch;
namespace jitlink = llvm::jitlink;
using llvm::StringRef;
using llvm::BitmaskEnumDetail::operator&; // NOLINT(misc-unused-using-decls)

static std::string_view viewOf(StringRef S) { return {S.data(), S.size()}; }

/// Reads what jit/Engine/Frontend/TypeWriter.cpp wrote.
static void readFunctions(StringRef All, ObjectSummary &Out) {
  // The functions' lines may be none.
  size_t End = All.starts_with("\n") ? 0 : All.find("\n\n");
  Out.Types = All.substr(End).ltrim('\n').str();
  llvm::SmallVector<StringRef, 8> Lines, Fields;
  All.substr(0, End).split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    Fields.clear();
    Line.split(Fields, '\t');
    if (Fields.size() < 6 || Fields.size() % 2)
      continue;
    auto TypeAt = [&](size_t I) {
      return clinch::Module::CType{Fields[I].str(), Fields[I + 1].str()};
    };
    clinch::Module::Function F;
    F.Symbol = Fields[0].str();
    F.Name = Fields[1].str();
    F.Type = Fields[2].str();
    F.IsVariadic = !Fields[3].empty();
    F.Result = TypeAt(4);
    for (size_t I = 6; I < Fields.size(); I += 2)
      F.Parameters.push_back(TypeAt(I));
    Out.Functions.push_back(std::move(F));
  }
}

static Status readSection(const jitlink::Section &S, ObjectSummary &Out) {
  const StringRef Name = S.getName();
  if (Name.starts_with(".ctors") || Name.starts_with(".dtors"))
    return Error(Error::Kind::Link,
                 "Functions of the section `" + Name.str() +
                     "` would not be run: expected them in `.init_array` and "
                     "`.fini_array` (-fuse-init-array).");
  Out.HasInitializers |= Name.starts_with(".init_array");
  for (const jitlink::Block *B : S.blocks())
    if (Name == StringRef(FunctionsSection) && !B->isZeroFill())
      readFunctions({B->getContent().data(), B->getContent().size()}, Out);
  return {};
}

/// Only the linker writes to data that is just relocated.
static bool isVariable(const jitlink::Symbol &S) {
  const jitlink::Section &Home = S.getSection();
  return !S.isCallable() && S.getSize() &&
         (Home.getMemProt() & llvm::orc::MemProt::Write) !=
             llvm::orc::MemProt::None &&
         !Home.getName().starts_with(".data.rel.ro") &&
         !Home.getName().starts_with(".data.DW.ref.");
}

static void readDefinition(const jitlink::Symbol &S, ObjectSummary &Out) {
  StringRef Name = *S.getName();
  if (S.isDefined() && isVariable(S))
    Out.Variables.push_back(Name.str());
  if (S.getScope() == jitlink::Scope::Local)
    return;
  Out.Definitions.push_back(viewOf(Name));
  // A hidden one is once in what is linked, as in a shared library.
  if (S.getLinkage() == jitlink::Linkage::Weak &&
      S.getScope() == jitlink::Scope::Default &&
      Name.consume_front(EmulatedPrefix) && !Name.starts_with("_ZGV"))
    Out.SharedThreadLocals.push_back(llvm::demangle(Name));
}

/// Returns whether the link itself defines \p Name: the object's
/// `__dso_handle`, its GOT, or the bounds of one of its sections.
static bool isOwn(StringRef Name, jitlink::LinkGraph &G) {
  if (Name == "__dso_handle" || Name == "_GLOBAL_OFFSET_TABLE_")
    return true;
  return (Name.consume_front("__start_") || Name.consume_front("__stop_")) &&
         G.findSectionByName(Name);
}

static Expected<ObjectSummary> summaryOf(jitlink::LinkGraph &G) {
  ObjectSummary Out;
  for (const jitlink::Section &S : G.sections())
    CLINCH_TRY(readSection(S, Out));
  for (const jitlink::Symbol *S : G.defined_symbols())
    if (S->hasName())
      readDefinition(*S, Out);
  for (const jitlink::Symbol *S : G.absolute_symbols())
    if (S->hasName())
      readDefinition(*S, Out);
  for (const jitlink::Symbol *S : G.external_symbols())
    if (!isOwn(*S->getName(), G))
      Out.Imports.push_back(
          {viewOf(*S->getName()), S->isWeaklyReferenced(), nullptr});
  llvm::sort(Out.Variables);
  return Out;
}

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

/// Finds a symbol, first among the functions that need to know who calls them.
static Resolved find(const Import &Wanted, const CompileOptions &O,
                     const std::vector<Library> &Libraries) {
  std::string_view Name = Wanted.Name;
  for (auto *Find : {findRegistration, findEmulatedAccess})
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
  else if (!Found)
    Found.Address = findExitFunction(Name);
  return Found;
}

/// Adds an object of an archive, unless the link has it.
static void addObject(std::string_view Bytes, std::vector<LinkObject> &All) {
  if (llvm::none_of(All, [&](const LinkObject &O) {
        return O.Bytes.data() == Bytes.data();
      }))
    All.push_back({Bytes, nullptr, {}});
}

/// Finds the imports of the objects, which may add further objects of archives.
static Status readObjects(const CompileOptions &O, LinkJob &Inputs) {
  std::unordered_set<std::string_view> Defined, Seen;
  auto Read = [&](LinkObject &Object) -> Status {
    CLINCH_TRY_ASSIGN(Object.Graph, OrcSession::read(Object.Bytes));
    CLINCH_TRY_ASSIGN(Object.Summary, summaryOf(*Object.Graph));
    const auto &Names = Object.Summary.Definitions;
    Defined.insert(Names.begin(), Names.end());
    return {};
  };
  for (LinkObject &Object : Inputs.Objects) // They come before any archive.
    CLINCH_TRY(Read(Object));
  for (size_t I = 0; I < Inputs.Objects.size(); ++I) {
    if (!Inputs.Objects[I].Graph)
      CLINCH_TRY(Read(Inputs.Objects[I]));
    ObjectSummary Summary = std::move(Inputs.Objects[I].Summary);
    Inputs.HasInitializers |= Summary.HasInitializers;
    for (Import &Wanted : Summary.Imports) {
      // A weak import adds no object; a strong import of it may follow.
      if (Wanted.IsWeak ? Seen.count(Wanted.Name) != 0
                        : !Seen.insert(Wanted.Name).second)
        continue;
      if (Defined.count(Wanted.Name))
        continue;
      const Resolved Match = find(Wanted, O, Inputs.Libraries);
      Wanted.Address = Match.Address;
      if (!Match.Object.empty() && !Wanted.IsWeak)
        addObject(Match.Object, Inputs.Objects);
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
  return {};
}

Expected<LinkJob> clinch::gatherInputs(std::string_view Object,
                                       const CompileOptions &O) {
  LinkJob Inputs;
  addObject(Object, Inputs.Objects);
  for (const std::string &Given : O.Objects)
    Inputs.Objects.push_back({Given, nullptr, {}});
  Inputs.Anchors.resize(Inputs.Objects.size());
  CLINCH_TRY_ASSIGN(Inputs.Libraries,
                    openLibraries(O.Libraries, O.LibraryDirs, Inputs.LookedAt));
  CLINCH_TRY(readObjects(O, Inputs));
  return Inputs;
}
