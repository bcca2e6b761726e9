//===- Program.cpp - A graph that has become machine code -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clinch/Runtime/Program.h"

#include "Beginning.h"
#include "QuickEntry.h"
#include "Raise.h"
#include "RungLadder.h"
#include "Upgrade.h"

#include <chrono>
#include <map>

using namespace clinch;

using Clock = std::chrono::steady_clock;

static double millisecondsSince(Clock::time_point Start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - Start)
      .count();
}

Expected<std::shared_ptr<const Program>>
Program::build(std::shared_ptr<const Graph> G, Session &S,
               const ProgramOptions &O) {
  Clock::time_point Start = Clock::now();
  AssembleOptions Assemble = O.Assemble;
  Assemble.Short = O.First && !O.Debug && O.Keep.empty();
  Expected<ThunkSource> Source = assemble(*G, Assemble);
  if (!Source)
    return Source.takeError();
  addQuickEntry(*G, *Source);
  double Time = millisecondsSince(Start);
  auto Made = load(std::move(G), std::move(*Source), S, O);
  if (Made)
    const_cast<Program &>(**Made).AssembleTime = Time;
  return Made;
}

/// Holds \p Code to the end of the process, once for each key. The GIL is held.
static void keepForever(const Module &Code) {
  static auto *Kept = new std::map<std::string, Module>;
  Kept->emplace(Code.key(), Code);
}

/// What is there to know whether the code is there or not.
Status Program::describe(std::shared_ptr<const Graph> Of, ThunkSource &Source,
                         const ProgramOptions &O) {
  Shape = Source.Shape;
  Key = std::move(Source.Key);
  DescribeType = O.DescribeType;
  Cells = std::move(Source.Cells);
  Tasks = std::move(Source.Tasks);
  if (Of) {
    Expected<std::vector<const Apply *>> Applies = Of->order();
    if (!Applies)
      return Applies.takeError();
    for (const Apply *A : *Applies)
      Order.emplace(A, Order.size() + 1);
  }
  G = std::move(Of);
  return Status::success();
}

/// What the rest is compiled from. Its text is assembled once more, not kept:
/// most functions never need it.
struct Program::Postponed {
  Session &S;
  ProgramOptions Options;
};

Expected<std::shared_ptr<const Program>>
Program::load(std::shared_ptr<const Graph> G, ThunkSource Source, Session &S,
              const ProgramOptions &O, std::string Object) {
  CompileOptions Options = compileOptions(Source, O);
  Expected<Beginning> Made = begin(S, Source, Options, O, std::move(Object));
  if (!Made) {
    if (O.FailedText)
      *O.FailedText = std::move(Source.Source.Text);
    return Made.takeError();
  }
  std::shared_ptr<Program> P(new Program);
  P->Code = std::move(Made->Code);
  P->Shared = std::move(Made->Shared);
  P->Ladder = std::move(Made->Ladder);
  if (Source.KeepCode)
    keepForever(P->Code);
  if (Status Done = P->describe(std::move(G), Source, O); !Done.ok())
    return Done.takeError();
  if (Made->What == Beginning::Kind::QuickEntry) {
    P->postpone(S, O);
    return std::shared_ptr<const Program>(std::move(P));
  }
  if (Status Found = P->findEntries(Source.HasModuleInit); !Found.ok())
    return Found.takeError();
  if (Made->What == Beginning::Kind::OtherTier)
    P->Later = std::make_shared<Upgrade>(
        S, std::move(Source.Source), std::move(Options), Source.HasModuleInit,
        P->Entry.StateSize);
  return std::shared_ptr<const Program>(std::move(P));
}

Status Program::findEntries(bool HasModuleInit) {
  if (Ladder) {
    Entry = Ladder->entries();
    return Status::success();
  }
  Expected<Entries> Found = Entries::find(
      Code, Shape, HasModuleInit, Shared.empty() ? nullptr : &Shared.front());
  if (!Found)
    return Found.takeError();
  Entry = *Found;
  return Status::success();
}

void Program::postpone(Session &S, const ProgramOptions &O) {
  QuickCode = Code;
  Entry.Quick = Code.lookupAs<QuickFn>("clinch_quick");
  auto Of = std::make_shared<Postponed>(Postponed{S, O});
  // What belongs to the caller of now.
  Of->Options.Assemble.Progress = nullptr;
  Of->Options.FailedText = nullptr;
  Of->Options.QuickFirst = false;
  Rest = std::move(Of);
}

Status Program::complete() const {
  std::shared_ptr<const Postponed> From = Rest;
  if (!From)
    return Status::success();
  auto Whole = build(G, From->S, From->Options);
  if (!Whole)
    return Whole.takeError();
  if (!Rest) // Another thread was faster.
    return Status::success();
  Code = (*Whole)->Code;
  QuickFn Quick = Entry.Quick; // Callers have it, so it stays.
  Entry = (*Whole)->Entry;
  Entry.Quick = Quick;
  Rest.reset();
  return Status::success();
}

Status clinch::initializeModule(const Module &Code) {
  auto *ModuleInit = Code.lookupAs<int (*)()>("clinch_module_init");
  if (ModuleInit && ModuleInit() != 0) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_RuntimeError,
                      "a c_init_code failed without setting an exception");
    addNote("Clinch was running the c_init_code of a module.");
    return hostError();
  }
  return PyErr_Occurred() ? Status(hostError()) : Status::success();
}

Expected<Program::Entries> Program::Entries::find(const Module &Code,
                                                  Form Shape,
                                                  bool HasModuleInit,
                                                  const Module *Helpers) {
  Entries E;
  E.Quick = Code.lookupAs<QuickFn>("clinch_quick");
  if (Shape == Form::Function) {
    E.Call = Code.lookupAs<CallFn>("clinch_call");
  } else {
    E.Run = Code.lookupAs<RunFn>("clinch_run");
    bool Own = !Helpers || Code.lookup("clinch_init");
    const Module &Ends = Own ? Code : *Helpers;
    E.Init = Ends.lookupAs<InitFn>("clinch_init");
    E.Cleanup = Ends.lookupAs<CleanupFn>("clinch_cleanup");
    if (const auto *Size = Ends.lookupAs<const size_t *>("clinch_state_size"))
      E.StateSize = *Size;
  }
  if (!E.Call && !(E.Init && E.Run && E.Cleanup))
    return Error(ErrorKind::Link,
                 "The compiled text lacks its entry points; somebody's code "
                 "has removed or hidden `clinch_run` and its kin.");
  if (HasModuleInit)
    if (Status S = initializeModule(Code); !S.ok())
      return S.takeError();
  return E;
}

const Task *Program::task(unsigned Number, bool InInit) const {
  return findTask(Tasks, Number, InInit);
}

size_t Program::position(const Apply &A) const {
  auto It = Order.find(&A);
  return It == Order.end() ? 0 : It->second;
}

std::string Program::describeType(const Type &T) const {
  return DescribeType ? DescribeType(T) : T.className();
}
