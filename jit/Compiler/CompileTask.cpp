// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One compile, from key to code.

#include "CompileTask.h"
#include "InProgress.h"
#include "Key.h"
#include "jit/Loader/ExitFunctions.h"
#include "jit/Loader/LinkJob.h"

#include "llvm/Demangle/Demangle.h"

#include <algorithm>
#include <atomic>
#include <utility>

using namespace clinch;
using Clock = std::chrono::steady_clock;

CompileTask::CompileTask(const SourceText &Text, const CompileOptions &O,
                         const Session::Options &S, DiskCache *Disk,
                         CompileFn InEngine)
    : Text(Text), O(O), ContentKey(contentKey(Text, O, S)),
      Key(codeKey(ContentKey, O)), Disk(Disk), InEngine(std::move(InEngine)) {}

void CompileTask::addStage(const char *Name, Clock::time_point Begin) {
  std::chrono::duration<double, std::milli> Took = Clock::now() - Begin;
  Stats.Stages.emplace_back(Name, Took.count());
}

static bool isTraced(const CompileOptions &O) {
  return std::count(O.Keep.begin(), O.Keep.end(), Stage::Trace) != 0;
}

static bool isUpToDate(const LoadedCode &Live) {
  return Live.Record->Inputs.isUnchanged() && Live.Linked.isUnchanged();
}

bool CompileTask::isEnough(const LoadedCode &Live) const {
  if (isTraced(O)) // The times are those of a compile.
    return false;
  auto Has = [&](Stage S) { return stageIn(*Live.Record, S) != nullptr; };
  return std::all_of(O.Keep.begin(), O.Keep.end(), Has) && isUpToDate(Live);
}

bool CompileTask::isOffered(const LoadedCode &Live) const {
  return !Disk || Live.OfferedTo == Disk->place();
}

void CompileTask::setOffered(const LoadedCode &Live) const {
  if (Disk)
    Live.OfferedTo = Disk->place();
}

LiveCode CompileTask::findLive(Need N) {
  auto Begin = Clock::now();
  LiveCode Live = CodeRegistry::process().find(Key);
  if (!Live || !isEnough(*Live) || (N == Need::OnDiskToo && !isOffered(*Live)))
    return nullptr;
  Record = Live->Record;
  Stats.Cache = Module::CacheResult::HitMemory;
  addStage("find", Begin);
  return Live;
}

/// Returns whether every compile with the same key gets this error.
static bool isOfTheText(const Error &E) {
  switch (E.kind()) {
  case Error::Kind::Compile:
  case Error::Kind::Rule:
  case Error::Kind::Link:
  case Error::Kind::InvalidArgument:
    return true;
  default:
    return false;
  }
}

Expected<LiveCode> CompileTask::run() {
  for (;;) {
    if (LiveCode Live = findLive(Need::OnDiskToo))
      return linkAnew(std::move(Live));
    auto Other = InProgress::process().waitOrLead(Key, O.Interrupted);
    if (!Other)
      return lead();
    if (Other->LeftWaiting)
      return Error(Error::Kind::Host, "The compile was interrupted.");
    if (Other->NeedsCaller)
      return Error(Error::Kind::Link,
                   "This text compiles itself while it is being loaded, "
                   "directly or through another text: expected its "
                   "initialisers to compile other texts.");
    if (Other->Failure && isOfTheText(*Other->Failure))
      return std::move(*Other->Failure);
    // Otherwise it is in the table now, or this thread tries itself.
  }
}

Expected<LiveCode> CompileTask::find() {
  if (LiveCode Live = findLive(Need::Code))
    return Live;
  return linkFromDisk();
}

bool CompileTask::isSharedBy(const LoadedCode &Live) {
  if (!O.OwnVariables || Live.Variables.empty() ||
      !Live.SharedThreadLocals.empty()) // Which C++ has once for a program.
    return true;
  static std::atomic<size_t> Links;
  Key += '#' + std::to_string(++Links);
  return false;
}

Expected<LiveCode> CompileTask::linkAnew(LiveCode Live, std::string Object) {
  if (isSharedBy(*Live))
    return Live;
  if (Object.empty())
    Object = Live->Object;
  if (Object.empty())
    return make();
  EngineResult R = *Record;
  R.Object = std::move(Object);
  return finish(std::move(R));
}

namespace {
/// Tells the waiting threads the outcome, also if memory runs out.
struct Outcome {
  const std::string &Key;
  std::optional<Error> Failure;
  ~Outcome() { InProgress::process().finish(Key, std::move(Failure)); }
};
} // namespace

Expected<LiveCode> CompileTask::lead() {
  // It may have become live since the table was searched.
  Outcome ForOthers{Key, {}};
  LiveCode Live = findLive(Need::OnDiskToo);
  Expected<LiveCode> Made = Live ? linkAnew(std::move(Live)) : make();
  if (!Made)
    ForOthers.Failure = Made.error();
  return Made;
}

Expected<LiveCode> CompileTask::make() {
  if (LiveCode Kept = linkFromDisk())
    return Kept;
  CLINCH_TRY_ASSIGN(auto Result, compile());
  return finish(std::move(Result));
}

/// An entry that does not link counts as a miss, as it may be damaged.
LiveCode CompileTask::linkFromDisk() {
  std::optional<EngineResult> Entry = readDisk();
  if (!Entry)
    return nullptr;
  if (auto Linked = finish(std::move(*Entry)))
    return *Linked;
  Stats = {};
  return nullptr;
}

std::optional<EngineResult> CompileTask::readDisk() {
  if (isTraced(O))
    return std::nullopt;
  auto Begin = Clock::now();
  std::vector<Stage> Wanted = O.Keep;
  if (!O.Device.empty() && !O.Launches) // They name the kernels.
    Wanted.push_back(Stage::Declarations);
  auto Entry = Disk ? Disk->find(ContentKey, Wanted) : std::nullopt;
  if (Entry) {
    Stats.Cache = Module::CacheResult::HitDisk;
    addStage("read", Begin);
  }
  return Entry;
}

void CompileTask::store(const EngineResult &R) {
  auto Begin = Clock::now();
  if (Disk && Disk->store(ContentKey, R))
    addStage("store", Begin);
}

Expected<EngineResult> CompileTask::compile() {
  CLINCH_TRY_ASSIGN(auto Result, InEngine());
  Stats.Cache = Module::CacheResult::Miss;
  Stats.Stages.insert(Stats.Stages.end(), Result.Times.begin(),
                      Result.Times.end());
  if (!isTraced(O))
    store(Result);
  return Result;
}

Expected<LiveCode> CompileTask::finish(EngineResult R) {
  const std::string Object = std::exchange(R.Object, {});
  const std::vector<Diagnostic> Uses = std::exchange(R.Uses, {});
  R.Times = {}; // Of no interest to who finds the code later.
  bool KeepsObject =
      std::find(O.Keep.begin(), O.Keep.end(), Stage::Obj) != O.Keep.end();
  if (KeepsObject && !stageIn(R, Stage::Obj))
    R.Kept.emplace_back(Stage::Obj, Object);
  Record = std::make_shared<const EngineResult>(std::move(R));
  // Live code that lacked only a stage is not loaded twice.
  LiveCode Live = CodeRegistry::process().find(Key);
  if (Live && isUpToDate(*Live) && isSharedBy(*Live)) {
    setOffered(*Live);
    return Live;
  }
  return load(Object, Uses);
}

/// Gives each missing symbol in \p E a diagnostic at its use. One that the text
/// does not use (a header does) is only in the message.
static void placeMissingSymbols(Error &E, const std::vector<Diagnostic> &Uses) {
  std::vector<Diagnostic> Placed;
  for (const Diagnostic &Missing : E.diagnostics())
    for (const Diagnostic &Use : Uses)
      if (llvm::demangle(Use.Message) == Missing.Message) {
        Placed.push_back(Use);
        Placed.back().Message =
            "`" + Missing.Message + "` is used, and nothing defines it.";
      }
  E.diagnostics() = std::move(Placed);
}

Expected<LiveCode> CompileTask::load(std::string_view Object,
                                     const std::vector<Diagnostic> &Uses) {
  auto Begin = Clock::now();
  auto Loaded = linkObject(Object, O);
  if (!Loaded) {
    Error E = Loaded.takeError();
    placeMissingSymbols(E, Uses);
    return E;
  }
  addStage("load", Begin);

  (*Loaded)->Key = Key;
  (*Loaded)->Text = Text.Name;
  (*Loaded)->Record = Record;
  if (O.OwnVariables && !Disk && !(*Loaded)->Variables.empty())
    (*Loaded)->Object = Object;
  setOffered(**Loaded);
  return CodeRegistry::process().publish(std::move(*Loaded));
}

Expected<LiveCode> CompileTask::runWith(std::string Object) {
  if (LiveCode Live = findLive(Need::Code))
    return linkAnew(std::move(Live), std::move(Object));
  EngineResult R;
  R.Object = std::move(Object);
  return finish(std::move(R));
}

Module CompileTask::moduleOf(LiveCode Live) {
  Module M;
  M.Key = std::move(ContentKey);
  M.About = std::move(Stats);
  M.About.SourceBytes = Text.Text.size();
  M.About.ObjectBytes = Live->ObjectBytes;
  M.About.CodeBytes = Live->Bytes;
  M.Code = std::move(Live);
  M.Record = std::move(Record);
  return M;
}

Expected<Linkable> CompileTask::linkable() {
  std::optional<EngineResult> Entry = readDisk();
  CLINCH_TRY_ASSIGN(auto Made, Entry ? Expected<EngineResult>(std::move(*Entry))
                                     : compile());
  Linkable L;
  L.Kept = std::move(Made.Kept);
  L.Warnings = std::move(Made.Warnings);
  L.Uses = std::move(Made.Uses);
  L.FromDisk = Stats.Cache == Module::CacheResult::HitDisk;
  if (O.Saved || (!O.Device.empty() && !O.Simulate && !O.Launches)) {
    L.Objects = {std::move(Made.Object)};
    return L;
  }
  CLINCH_TRY_ASSIGN(auto Inputs, gatherInputs(Made.Object, O));
  for (const LinkObject &Each : Inputs.Objects)
    L.Objects.emplace_back(Each.Bytes);
  for (const Import &I : Inputs.Imports) // The host's session links.
    if ((I.Address && I.Address != findExitFunction(I.Name)) || I.IsWeak)
      L.Symbols.try_emplace(std::string(I.Name), I.Address);
    else
      L.Undefined.emplace_back(I.Name);
  L.HasInitializers = Inputs.HasInitializers;
  for (const Library &Open : Inputs.Libraries)
    if (Open.Handle)
      L.Libraries.push_back(Open.Handle);
  return L;
}
