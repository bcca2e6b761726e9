// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one ExecutionSession of the process.

#include "OrcSession.h"
#include "DebugRegistration.h"
#include "LinkPlugin.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/ExecutionEngine/JITLink/ELF_x86_64.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/ExecutionEngine/Orc/TaskDispatch.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <malloc.h>
#include <new>
#include <unistd.h>

using namespace clinch;
namespace orc = llvm::orc;
using llvm::object::ELF64LE;
using llvm::object::ELFObjectFile;

static constexpr unsigned PlacesOfShard = 1024, ShardsOfLayer = 16;

/// A JITDylib, the layer that links into it, and its free places.
struct OrcSession::Shard {
  Shard(orc::JITDylib &Dylib, unsigned Places)
      : Dylib(Dylib), Places(Places), Free(Places) {
    for (unsigned I = 0; I < Places; ++I)
      Free[I] = uint16_t(Places - 1 - I);
  }

  orc::JITDylib &Dylib;
  std::shared_ptr<orc::ObjectLinkingLayer> Layer;
  const unsigned Places;
  std::vector<uint16_t> Free;
};

OrcSession *OrcSession::Now = nullptr;

/// LLVM would end the process.
static void onBadAlloc(void *, const char *, bool) { throw std::bad_alloc(); }

OrcSession &OrcSession::process() {
  if (!Now) {
    llvm::remove_bad_alloc_error_handler();
    llvm::install_bad_alloc_error_handler(onBadAlloc);
    Now = new OrcSession;
  }
  return *Now;
}

/// All linking runs on the calling thread.
OrcSession::OrcSession()
    : Session(std::make_unique<orc::SelfExecutorProcessControl>(
          std::make_shared<orc::SymbolStringPool>(),
          std::make_unique<orc::InPlaceTaskDispatcher>(),
          llvm::Triple("x86_64-unknown-linux-gnu"),
          unsigned(sysconf(_SC_PAGESIZE)), /*MemMgr=*/nullptr)) {
  Session.setErrorReporter([this](llvm::Error E) { note(std::move(E)); });
}

/// An author can fix "... relocation target 0x7f00 (name) is out of range of
/// ...". Other messages concern whoever produced the object.
static std::string explain(const std::string &Text) {
  constexpr std::string_view Twice = "duplicate definition of symbol '";
  if (size_t At = Text.find(Twice); At != std::string::npos) {
    At += Twice.size();
    const std::string Name = Text.substr(At, Text.find('\'', At) - At);
    return "The texts that are linked both define `" + llvm::demangle(Name) +
           "`: expected one definition, or `static` or `inline` ones.";
  }
  size_t End = Text.find(") is out of range of ");
  if (End == std::string::npos)
    return "The object file cannot be linked: LLVM says `" + Text + "`.";
  size_t Begin = Text.rfind('(', End) + 1;
  return "The address of `" + Text.substr(Begin, End - Begin) +
         "` is out of reach: expected code that can stand at any address "
         "(-fPIC, -mcmodel=small).";
}

static Error explained(llvm::Error E) {
  return Error(Error::Kind::Link, explain(llvm::toString(std::move(E))));
}

/// Keeps the first error of a link, the cause of the others.
void OrcSession::note(llvm::Error E) {
  Error Ours = explained(std::move(E));
  if (Current && !Current->Failure)
    Current->Failure = std::move(Ours);
}

/// Debuggers cannot set breakpoints in pages that are mapped twice, and some
/// systems refuse such pages. Then LLVM's own memory manager is used.
std::shared_ptr<orc::ObjectLinkingLayer>
OrcSession::makeLayer(const LinkJob &Job) {
  const bool IsStock = Job.Debug || !CodeMemory::process().isAllowed(Job.Near);
  auto Layer = IsStock
                   ? std::make_shared<orc::ObjectLinkingLayer>(Session)
                   : std::make_shared<orc::ObjectLinkingLayer>(
                         Session, std::make_unique<CodeMemoryManager>(Current));
  if (Job.Debug)
    if (llvm::Error E = addDebugger(Session, *Layer))
      note(std::move(E));
  Layer->addPlugin(std::make_shared<LinkPlugin>(Current));
  return Layer;
}

orc::ObjectLinkingLayer &OrcSession::layerFor(Shard &Home, const LinkJob &Job) {
  auto &Newest = Job.Debug ? Debugged : Plain;
  if (!Newest)
    Newest = makeLayer(Job);
  if (Job.Debug)
    return *Debugged;
  if (!Home.Layer)
    Home.Layer = Plain;
  return *Home.Layer;
}

OrcSession::Shard &OrcSession::newShard(unsigned Places) {
  if (Places > 1 && ++ShardsOfPlain > ShardsOfLayer) {
    Plain.reset();
    ShardsOfPlain = 1;
  }
  auto &Dylib =
      Session.createBareJITDylib("clinch." + std::to_string(++ShardsMade));
  Shards.push_back(std::make_unique<Shard>(Dylib, Places));
  return *Shards.back();
}

OrcSession::Shard &OrcSession::shardFor(const LinkJob &Job) {
  // Names of archives' objects may clash with those of others.
  if (Job.Objects.size() > 1)
    return newShard(1);
  auto HasRoom = [](const auto &S) { return !S->Free.empty(); };
  auto Found = std::find_if(Shards.rbegin(), Shards.rend(), HasRoom);
  return Found != Shards.rend() ? **Found : newShard(PlacesOfShard);
}

OrcSession::Shard &OrcSession::place(LinkJob &Job) {
  Shard &Home = shardFor(Job);
  Job.Code->Tracker = Home.Dylib.createResourceTracker();
  Job.Code->Place = Home.Free.back();
  Home.Free.pop_back();
  return Home;
}

/// Refuses what JITLink does not load, in words that help the author.
static Status check(std::string_view Object) {
  auto Read = ELFObjectFile<ELF64LE>::create(
      {{Object.data(), Object.size()}, "object"});
  if (!Read || Read->getArch() != llvm::Triple::x86_64 ||
      !Read->isRelocatableObject()) {
    llvm::consumeError(Read.takeError());
    return Error(Error::Kind::Link, "The object file cannot be loaded: "
                                    "expected a relocatable ELF file for "
                                    "x86-64.");
  }
  for (const llvm::object::ELFSymbolRef S : Read->symbols()) {
    auto Name = S.getName();
    if (!Name)
      return explained(Name.takeError());
    if (S.getELFType() == llvm::ELF::STT_GNU_IFUNC)
      return Error(Error::Kind::Link,
                   "An ifunc, which chooses its address when it is loaded, "
                   "cannot be linked: `" +
                       Name->str() +
                       "` is one (target_clones makes them); expected a plain "
                       "function.");
    if (S.getELFType() == llvm::ELF::STT_TLS)
      return Error(Error::Kind::Link,
                   "The thread-local variable `" + llvm::demangle(*Name) +
                       "` cannot be loaded, as it is a native one: expected "
                       "code that is compiled with -femulated-tls, or a shared "
                       "library.");
  }
  return {};
}

Expected<std::unique_ptr<llvm::jitlink::LinkGraph>>
OrcSession::read(std::string_view Object) {
  CLINCH_TRY(check(Object));
  LockGuard Guard(lock());
  try {
    auto Graph = llvm::jitlink::createLinkGraphFromELFObject_x86_64(
        {{Object.data(), Object.size()}, "object"},
        process().Session.getSymbolStringPool());
    if (!Graph)
      return explained(Graph.takeError());
    return std::move(*Graph);
  } catch (const std::bad_alloc &) {
    Now = nullptr; // Abandoned.
    throw;
  }
}

Status OrcSession::link(LinkJob &Job) {
  LockGuard Guard(lock());
  OrcSession &S = process();
  // Memory ran out since the graphs were made.
  if (Job.Objects.front().Graph->getSymbolStringPool() !=
      S.Session.getSymbolStringPool())
    throw std::bad_alloc();
  try {
    S.Current = &Job;
    if (llvm::Error E = S.linkInto(S.place(Job), Job))
      S.note(std::move(E));
    S.Current = nullptr;
  } catch (const std::bad_alloc &) {
    S.Current = nullptr;
    Now = nullptr; // Abandoned.
    throw;
  }
  return Job.Failure ? Status(*Job.Failure) : Status();
}

namespace {
using Interface = orc::MaterializationUnit::Interface;
} // namespace

/// Leaves each name to the definition that counts: the strong one, else the
/// first. ORC of LLVM 22 keeps a weak symbol that a strong one replaces among
/// those of the tracker twice, and crashes when it removes the second.
static void keepOneOfEach(std::vector<Interface> &All) {
  llvm::DenseMap<orc::SymbolStringPtr, Interface *> Owners;
  for (Interface &I : All)
    for (const auto &[Name, Flags] : orc::SymbolFlagsMap(I.SymbolFlags)) {
      auto [Owner, IsNew] = Owners.try_emplace(Name, &I);
      if (IsNew)
        continue;
      if (!Flags.isStrong()) {
        I.SymbolFlags.erase(Name);
      } else if (!Owner->second->SymbolFlags.lookup(Name).isStrong()) {
        Owner->second->SymbolFlags.erase(Name);
        Owner->second = &I;
      }
    }
}

/// Returns the interfaces of several objects, none for a single one, whose
/// names are all local.
static std::vector<Interface> interfacesOf(const LinkJob &Job,
                                           orc::ObjectLinkingLayer &Layer) {
  std::vector<Interface> All(Job.Objects.size());
  if (All.size() == 1)
    return All;
  for (size_t I = 0; I < All.size(); ++I) {
    All[I] = Layer.getInterface(*Job.Objects[I].Graph);
    // Two objects would have the same. The anchors are what is looked up.
    All[I].SymbolFlags.erase(All[I].InitSymbol);
    All[I].InitSymbol = nullptr;
  }
  keepOneOfEach(All);
  return All;
}

/// A debugger reads the object itself: LLVM reads that again.
static llvm::Error add(orc::ObjectLinkingLayer &Layer, LinkJob &Job, size_t I,
                       Interface Interface) {
  LinkObject &Object = Job.Objects[I];
  if (!Job.Debug)
    return Layer.add(Job.Code->Tracker, std::move(Object.Graph),
                     std::move(Interface));
  auto Bytes = llvm::MemoryBuffer::getMemBuffer(
      {Object.Bytes.data(), Object.Bytes.size()}, "object",
      /*RequiresNullTerminator=*/false);
  return Layer.add(Job.Code->Tracker, std::move(Bytes), std::move(Interface));
}

llvm::Error OrcSession::linkInto(Shard &Home, LinkJob &Job) {
  // Names of removed objects stay in the pool until it is cleared.
  if (++Links % PlacesOfShard == 0)
    Session.getSymbolStringPool()->clearDeadEntries();
  orc::SymbolLookupSet Wanted;
  for (size_t I = 0; I < Job.Anchors.size(); ++I) {
    const std::string Name = "module." + std::to_string(Job.Code->Place);
    Job.Anchors[I] = Session.intern(I ? Name + "." + std::to_string(I) : Name);
    Wanted.add(Job.Anchors[I]);
  }
  orc::ObjectLinkingLayer &Layer = layerFor(Home, Job);
  std::vector<Interface> Interfaces = interfacesOf(Job, Layer);
  for (size_t I = 0; I < Job.Objects.size(); ++I) {
    if (I < Job.Anchors.size())
      Interfaces[I].SymbolFlags[Job.Anchors[I]] =
          llvm::JITSymbolFlags::Exported;
    if (llvm::Error E = add(Layer, Job, I, std::move(Interfaces[I])))
      return E;
  }
  llvm::Error Failed = llvm::Error::success();
  Session.lookup(
      orc::LookupKind::Static,
      {{&Home.Dylib, orc::JITDylibLookupFlags::MatchAllSymbols}},
      std::move(Wanted), orc::SymbolState::Ready,
      [&](llvm::Expected<orc::SymbolMap> Found) {
        Failed = Found ? llvm::Error::success() : Found.takeError();
      },
      orc::NoDependenciesToRegister);
  return Failed;
}

void OrcSession::remove(LoadedCode &Code) noexcept {
  if (!Code.Tracker)
    return;
  bool IsMuchFree = false;
  {
    LockGuard Guard(lock());
    try {
      IsMuchFree = Now && Now->removeNow(Code);
    } catch (const std::bad_alloc &) {
      Now = nullptr; // Abandoned.
    }
    if (Code.Tracker) // Its destructor may wait for a lock that stays locked.
      Code.Tracker.resetWithoutRelease();
  }
  // malloc keeps the memory of thousands of modules unless it is trimmed
  // (CodeMemory.WhatManyHadGoesBackToTheSystem).
  if (IsMuchFree)
    malloc_trim(0);
}

bool OrcSession::removeNow(LoadedCode &Code) {
  auto Home = std::find_if(Shards.begin(), Shards.end(), [&](const auto &S) {
    return &S->Dylib == &Code.Tracker->getJITDylib();
  });
  if (Home == Shards.end()) // Of a session that was abandoned.
    return false;
  llvm::consumeError(Code.Tracker->remove());
  Code.Tracker = nullptr;
  return leave(**Home, Code.Place);
}

/// Returns whether it is time to return memory to the system: the last of many
/// modules was removed, or very many were.
bool OrcSession::leave(Shard &Home, unsigned Place) {
  Home.Free.push_back(uint16_t(Place));
  if (Home.Free.size() < Home.Places)
    return false;
  // Keep one empty shard for the next load.
  const bool IsLast = Home.Places > 1 && Shards.size() == 1;
  if (!IsLast) {
    ShardsGone += Home.Places > 1;
    llvm::consumeError(Session.removeJITDylib(Home.Dylib));
    std::erase_if(Shards, [&](const auto &S) { return S.get() == &Home; });
    Session.getSymbolStringPool()->clearDeadEntries();
  }
  const bool IsMuch = ShardsGone >= (IsLast ? 1 : ShardsOfLayer);
  if (IsMuch)
    ShardsGone = 0;
  return IsMuch;
}
