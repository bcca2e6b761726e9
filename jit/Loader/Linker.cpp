// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From object to code.
//
// Foreign code runs here: constructors of libraries and of the object, and what
// a symbol lookup calls. None of it runs under a lock of ours.

#include "Linker.h"
#include "Initializers.h"
#include "LoadedCode.h"
#include "OrcSession.h"
#include "jit/Libraries/SymbolResolver.h"

#include <algorithm>
#include <atomic>
#include <exception>

using namespace clinch;

/// Returns the median address of the imports: most others are near it.
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

/// Moves what is known of the objects to the code; every import must be found.
static Status resolve(LinkJob &Job) {
  LoadedCode &Code = *Job.Code;
  Code.Linked = std::move(Job.LookedAt);
  for (const Library &L : Job.Libraries)
    if (L.Handle)
      Code.Libraries.push_back(L.Handle);
  Code.Variables = std::move(Job.Own.Variables);
  Code.SharedThreadLocals = std::move(Job.Own.SharedThreadLocals);
  Code.Functions = std::move(Job.Own.Functions);
  Code.Types = std::move(Job.Own.Types);
  Code.ObjectBytes = Job.Objects.front().Bytes.size();
  std::vector<std::string> Missing;
  for (const Import &I : Job.Imports)
    if (!I.Address && !I.IsWeak)
      Missing.emplace_back(I.Name);
  Job.Near = middleOf(Job.Imports);
  return Missing.empty() ? Status() : missingSymbols(std::move(Missing));
}

static bool canThrow(const CompileOptions &O) {
  return O.Lang == Language::CXX || std::find(O.Flags.begin(), O.Flags.end(),
                                              "-fexceptions") != O.Flags.end();
}

static Status link(LinkJob &Job, const CompileOptions &O) {
  CLINCH_TRY(OrcSession::link(Job));
  LoadedCode &Code = *Job.Code;
  Code.Symbols.shrink_to_fit();
  std::sort(Code.Symbols.begin(), Code.Symbols.end(),
            [](const auto &A, const auto &B) { return A.Name < B.Name; });
  if (canThrow(O) || CrashNotes::enabled() || Job.Objects.size() > 1)
    for (std::string_view Section : Job.Frames)
      Code.Frames.push_back(std::make_unique<FrameRegistration>(Section));
  if (CrashNotes::enabled())
    Code.Notes = std::make_unique<CrashNotes>(
        LineTable(Job.Objects.front().Bytes, std::move(Job.Sections),
                  std::move(Job.NotedFunctions)));
  if (Job.Debug)
    Code.PerfNames = PerfMap::process().add(Job.Functions);
  return {};
}

/// Sorts by priority, then puts objects that others need first.
static void sortArrays(std::vector<FunctionArray> &Arrays) {
  std::stable_sort(Arrays.begin(), Arrays.end(),
                   [](const FunctionArray &A, const FunctionArray &B) {
                     return A.Priority != B.Priority ? A.Priority < B.Priority
                                                     : A.Object > B.Object;
                   });
}

static Error thrown(const std::string &What) {
  return Error(Error::Kind::Host,
               "The initialiser of a global object threw " + What + ".");
}

static std::atomic<DeferInitializerFn> Defer{nullptr};

void clinch::setInitializerDefer(DeferInitializerFn Given) { Defer = Given; }

static Status call(FunctionArray::Function Initializer) {
  const DeferInitializerFn Deferred = Defer;
  if (Deferred && Deferred(Initializer))
    return {};
  try {
    Initializer();
  } catch (const std::exception &E) {
    return thrown(std::string("`") + E.what() + "`");
  } catch (...) {
    return thrown("something that is no std::exception");
  }
  return {};
}

static Status initialize(LinkJob &Job) {
  sortArrays(Job.Constructors);
  sortArrays(Job.Destructors);
  for (const FunctionArray &A : Job.Constructors)
    for (size_t I = 0; I < A.Count; ++I)
      CLINCH_TRY(call(A.Begin[I]));
  for (const FunctionArray &A : Job.Destructors)
    Job.Code->Finalizers.insert(Job.Code->Finalizers.end(), A.Begin,
                                A.Begin + A.Count);
  return {};
}

Expected<std::shared_ptr<LoadedCode>>
clinch::linkObject(std::string_view Object, const CompileOptions &O) {
  CLINCH_TRY_ASSIGN(LinkJob Job, gatherInputs(Object, O));
  auto Loaded = std::make_shared<LoadedCode>();
  Job.Code = Loaded.get();
  if (Job.Failure)
    return *Job.Failure;
  Job.Debug = O.Debug;
  CLINCH_TRY(resolve(Job));
  CLINCH_TRY(link(Job, O));
  CLINCH_TRY(initialize(Job));
  return Loaded;
}
