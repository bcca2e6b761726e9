// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Our passes of a link.

#include "LinkPlugin.h"
#include "DebugRegistration.h"
#include "EmulatedThreadLocals.h"
#include "ExitFunctions.h"

#include "llvm/ExecutionEngine/JITLink/x86_64.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

using namespace clinch;
namespace jitlink = llvm::jitlink;
namespace orc = llvm::orc;
using jitlink::LinkGraph;
using jitlink::Scope;
using jitlink::Symbol;
using llvm::BitmaskEnumDetail::operator&; // NOLINT(misc-unused-using-decls)
using llvm::BitmaskEnumDetail::operator|; // NOLINT(misc-unused-using-decls)

namespace {

constexpr llvm::StringRef FramesSection = ".eh_frame";

/// What one graph of the job exports; passed from the first pass to the second.
struct Exports {
  bool IsModule = false;
  std::vector<Symbol *> Symbols;
};

/// Makes names local, as a thousand modules may define the same one. They stay
/// in the JITDylib only if objects of archives are linked with the module.
void makeNamesLocal(LinkGraph &G, const LinkJob &Job, Exports &E) {
  auto Keep = [&](Symbol *S) {
    S->setLive(true);
    if (S->getScope() == Scope::Local)
      return;
    if (E.IsModule)
      E.Symbols.push_back(S);
    if (Job.Objects.size() > 1)
      return;
    S->setLinkage(jitlink::Linkage::Strong);
    S->setScope(Scope::Local);
  };
  for (Symbol *S : G.defined_symbols())
    Keep(S);
  for (Symbol *S : G.absolute_symbols())
    Keep(S);
}

/// Keeps sections that nothing refers to, such as .eh_frame and those that a
/// program finds by name.
void keepSections(LinkGraph &G) {
  for (jitlink::Section &S : G.sections())
    if (S.getMemLifetime() != orc::MemLifetime::NoAlloc)
      for (jitlink::Block *B : S.blocks())
        G.addAnonymousSymbol(*B, 0, 0, false, true);
}

/// Ends the frames with a zero length, which the unwinder needs.
void endFrames(LinkGraph &G) {
  static const char Zero[4] = {};
  constexpr orc::ExecutorAddr Last(~uint64_t(0) & ~uint64_t(7));
  if (jitlink::Section *Frames = G.findSectionByName(FramesSection))
    G.addAnonymousSymbol(G.createContentBlock(*Frames, Zero, Last, 1, 0), 0, 0,
                         false, true);
}

/// Defines the object's own `__dso_handle`, within reach of its code.
void defineHandle(LinkGraph &G, Symbol &S, LoadedCode &Code) {
  const DSOHandle Handle = makeHandle(Code);
  llvm::ArrayRef<char> Bytes(reinterpret_cast<const char *>(&Handle),
                             sizeof Handle);
  auto &Own = G.createSection("clinch.handle", orc::MemProt::Read);
  auto &Place =
      G.createContentBlock(Own, G.allocateContent(Bytes), orc::ExecutorAddr(),
                           alignof(DSOHandle), 0);
  G.makeDefined(S, Place, 0, 0, jitlink::Linkage::Strong, Scope::Local, true);
  Code.HasExitFunctions = true;
}

const Import *find(const std::vector<Import> &Imports, llvm::StringRef Name) {
  std::string_view Wanted(Name.data(), Name.size());
  auto Found = std::lower_bound(
      Imports.begin(), Imports.end(), Wanted,
      [](const Import &I, std::string_view N) { return I.Name < N; });
  return Found == Imports.end() || Found->Name != Wanted ? nullptr : &*Found;
}

/// Defines a function that calls \p Callee with its own arguments and the code
/// as the fourth.
void definePassing(LinkGraph &G, Symbol &S, void *Callee, LoadedCode &Code) {
  char Text[] = "\x48\xb9........" // movabs $Code, %rcx
                "\x48\xb8........" // movabs $Callee, %rax
                "\xff\xe0";        // jmp *%rax
  const auto Given = reinterpret_cast<uintptr_t>(&Code),
             To = reinterpret_cast<uintptr_t>(Callee);
  std::memcpy(Text + 2, &Given, sizeof Given);
  std::memcpy(Text + 12, &To, sizeof To);
  constexpr llvm::StringRef Name = "clinch.calls";
  jitlink::Section *Own = G.findSectionByName(Name);
  if (!Own)
    Own = &G.createSection(Name, orc::MemProt::Read | orc::MemProt::Exec);
  auto &Place = G.createContentBlock(
      *Own, G.allocateContent(llvm::ArrayRef<char>(Text, sizeof Text - 1)),
      orc::ExecutorAddr(), 16, 0);
  G.makeDefined(S, Place, 0, sizeof Text - 1, jitlink::Linkage::Strong,
                Scope::Local, true);
  Code.HasExitFunctions = true;
}

void resolveImports(LinkGraph &G, const LinkJob &Job) {
  std::vector<Symbol *> Externals(G.external_symbols().begin(),
                                  G.external_symbols().end());
  for (Symbol *S : Externals) {
    const llvm::StringRef Name = *S->getName();
    const Import *I = find(Job.Imports, Name);
    if (I && I->Address && I->Address == findExitFunction(I->Name))
      definePassing(G, *S, I->Address, *Job.Code);
    else if (I)
      G.makeAbsolute(*S, orc::ExecutorAddr::fromPtr(I->Address));
    else if (Name == "__dso_handle")
      defineHandle(G, *S, *Job.Code);
  }
}

/// Keeps calls through the GOT indirect. LLVM 22 relaxes them to relative calls
/// if the target is below 4 GB, as in a non-PIE program, and wrongly writes the
/// target instead of the distance.
void keepIndirectCalls(LinkGraph &G) {
  using namespace jitlink::x86_64;
  for (jitlink::Block *B : G.blocks())
    for (jitlink::Edge &E : B->edges())
      if ((E.getKind() == RequestGOTAndTransformToPCRel32GOTLoadRelaxable ||
           E.getKind() == RequestGOTAndTransformToPCRel32GOTLoadREXRelaxable) &&
          static_cast<uint8_t>(B->getContent()[E.getOffset() - 2]) == 0xff) {
        E.setKind(RequestGOTAndTransformToDelta32);
        E.setAddend(E.getAddend() - 4);
      }
}

/// Returns the number in `.init_array.00101`; without one, the highest.
unsigned long priorityOf(llvm::StringRef Section) {
  unsigned long Number = 0;
  auto [Before, Digits] = Section.rsplit('.');
  return Before.empty() || Digits.getAsInteger(10, Number) ? ~0UL : Number;
}

void addArray(std::vector<FunctionArray> &Arrays, const jitlink::Section &S,
              const LinkJob &Job) {
  jitlink::SectionRange Range(S);
  if (Range.empty())
    return;
  auto *Begin = Range.getStart().toPtr<const FunctionArray::Function *>();
  Arrays.push_back({priorityOf(S.getName()), Job.Linked, Begin,
                    Range.getSize() / sizeof(FunctionArray::Function)});
}

void recordSections(LinkGraph &G, LinkJob &Job) {
  for (const jitlink::Section &S : G.sections()) {
    if (S.getMemLifetime() != orc::MemLifetime::NoAlloc)
      for (const jitlink::Block *B : S.blocks())
        Job.Code->Bytes += B->getSize();
    if (S.getName().starts_with(".init_array"))
      addArray(Job.Constructors, S, Job);
    else if (S.getName().starts_with(".fini_array"))
      addArray(Job.Destructors, S, Job);
    else if (jitlink::SectionRange Range(S); S.getName() == FramesSection)
      Job.Frames.emplace_back(Range.getStart().toPtr<char *>(),
                              Range.getSize());
  }
  ++Job.Linked;
}

/// Records functions, and sections whose names say which they are.
void recordCode(LinkGraph &G, LinkJob &Job) {
  for (const Symbol *S : G.defined_symbols())
    if (S->isCallable() && S->hasName())
      Job.NotedFunctions.push_back({S->getAddress().toPtr<const char *>(),
                                    S->getSize(), (*S->getName()).str()});
  for (const jitlink::Section &S : G.sections()) {
    if ((S.getMemProt() & orc::MemProt::Exec) == orc::MemProt::None ||
        S.blocks_size() != 1)
      continue;
    jitlink::SectionRange Range(S);
    Job.Sections.push_back({S.getName().str(),
                            Range.getStart().toPtr<const char *>(),
                            Range.getEnd().toPtr<const char *>()});
  }
}

void recordSymbols(LinkGraph &G, const Exports &E, LinkJob &Job) {
  for (const Symbol *S : E.Symbols)
    if (!S->isExternal()) // Else another object has the one that counts.
      Job.Code->Symbols.push_back(
          {(*S->getName()).str(), S->getAddress().toPtr<char *>()});
  if (E.IsModule && CrashNotes::enabled())
    recordCode(G, Job);
  if (find(Job.Imports, "__emutls_get_address"))
    for (const Symbol *S : G.defined_symbols())
      if (S->hasName() && (*S->getName()).starts_with(EmulatedPrefix))
        Job.Code->ThreadLocals.push_back(
            S->getAddress().toPtr<EmulatedVariable *>());
  if (!Job.Debug)
    return;
  for (const Symbol *S : G.defined_symbols())
    if (S->isCallable() && S->hasName())
      Job.Functions.push_back({S->getAddress().toPtr<const void *>(),
                               S->getSize(), (*S->getName()).str()});
}

} // namespace

void LinkPlugin::modifyPassConfig(orc::MaterializationResponsibility &R,
                                  LinkGraph &,
                                  jitlink::PassConfiguration &Config) {
  auto Found = std::make_shared<Exports>();
  LinkJob &Job = *Current;
  // Ours is first. Only ORC's last pass, which claims the exported symbols, is
  // kept: the others split .eh_frame for pruning, and nothing is pruned here. A
  // plugin of LLVM 22 cannot decline JITLink's own passes but by their
  // position.
  Config.PrePrunePasses.erase(Config.PrePrunePasses.begin(),
                              Config.PrePrunePasses.end() - 1);
  Config.PrePrunePasses.insert(
      Config.PrePrunePasses.begin(), [&R, &Job, Found](LinkGraph &G) {
        const auto Anchor = llvm::find_if(Job.Anchors, [&](const auto &A) {
          return R.getSymbols().count(A) != 0;
        });
        Found->IsModule = Anchor != Job.Anchors.end();
        makeNamesLocal(G, Job, *Found);
        keepSections(G);
        endFrames(G);
        keepIndirectCalls(G);
        resolveImports(G, Job);
        if (Found->IsModule)
          G.addAbsoluteSymbol(*Anchor, orc::ExecutorAddr(1), 0,
                              jitlink::Linkage::Strong, Scope::Default, true);
        return llvm::Error::success();
      });
  Config.PostAllocationPasses.push_back([&Job, Found](LinkGraph &G) {
    recordSections(G, Job);
    recordSymbols(G, *Found, Job);
    return llvm::Error::success();
  });
  if (Job.Debug)
    Config.PostFixupPasses.push_back([](LinkGraph &G) {
      unregisterWithCode(G.allocActions());
      return llvm::Error::success();
    });
}

llvm::Error LinkPlugin::notifyFailed(orc::MaterializationResponsibility &) {
  return llvm::Error::success();
}

llvm::Error LinkPlugin::notifyRemovingResources(orc::JITDylib &,
                                                orc::ResourceKey) {
  return llvm::Error::success();
}

void LinkPlugin::notifyTransferringResources(orc::JITDylib &, orc::ResourceKey,
                                             orc::ResourceKey) {}
