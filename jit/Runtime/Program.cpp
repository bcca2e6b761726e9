//===- Program.cpp - A graph that has become machine code -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clinch/Runtime/Program.h"

#include "GilReleased.h"
#include "QuickEntry.h"
#include "Raise.h"
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
  Expected<ThunkSource> Source = assemble(*G, O.Assemble);
  if (!Source)
    return Source.takeError();
  addQuickEntry(*G, *Source);
  double Time = millisecondsSince(Start);
  auto Made = load(std::move(G), std::move(*Source), S, O);
  if (Made)
    const_cast<Program &>(**Made).AssembleTime = Time;
  return Made;
}

static CompileOptions compileOptions(const ThunkSource &Source,
                                     const ProgramOptions &O) {
  CompileOptions Options = Source.Options;
  Options.Level = O.Level;
  Options.Debug = O.Debug;
  Options.UseDiskCache &= O.UseDiskCache;
  Options.Keep = O.Keep;
  Options.Flags.insert(Options.Flags.begin(), O.Flags.begin(), O.Flags.end());
  return Options;
}

/// NumPy's own are the same in every module.
static bool keepsVariables(const Module &Code) {
  for (const std::string &Name : Code.variables())
    if (Name.find("PyArray_API") == Name.npos &&
        Name.find("PyArray_RUNTIME_VERSION") == Name.npos)
      return true;
  return false;
}

static Expected<Module> findWithoutGil(Session &S, const SourceText &Text,
                                       const CompileOptions &O) {
  GilReleased Gil;
  return S.find(Text, O);
}

/// Code of the tier \p First where that of the tier wanted is in no cache; then
/// \p IsFirst is set. Variables cannot be handed over from code to code.
static Expected<Module> compileFirst(Session &S, const SourceText &Text,
                                     const CompileOptions &O, Tier First,
                                     bool &IsFirst) {
  Expected<Module> Known = findWithoutGil(S, Text, O);
  if (!Known || *Known)
    return Known;
  CompileOptions Quick = O;
  Quick.Level = First;
  Expected<Module> M = compileWithoutGil(S, Text, std::move(Quick));
  if (!M)
    return M;
  // A function's results are to be the same whichever code computes them.
  if (keepsVariables(*M) || M->lookup("clinch_other_bits"))
    return compileWithoutGil(S, Text, O);
  IsFirst = true;
  return M;
}

static Expected<Module> compileOrAdopt(Session &S, const SourceText &Text,
                                       const CompileOptions &Options,
                                       std::optional<Tier> First,
                                       std::string Object, bool &IsFirst) {
  if (Object.empty())
    return First ? compileFirst(S, Text, Options, *First, IsFirst)
                 : compileWithoutGil(S, Text, Options);
  GilReleased Gil;
  return S.adopt(Text, Options, std::move(Object));
}

/// Holds \p Code to the end of the process, once for each key. The GIL is held.
static void keepForever(const Module &Code) {
  static auto *Kept = new std::map<std::string, Module>;
  Kept->emplace(Code.key(), Code);
}

Expected<std::shared_ptr<const Program>>
Program::load(std::shared_ptr<const Graph> G, ThunkSource Source, Session &S,
              const ProgramOptions &O, std::string Object) {
  CompileOptions Options = compileOptions(Source, O);
  bool IsFirst = false;
  bool MayChange = Source.Shape == Form::Struct && !Source.KeepCode;
  Expected<Module> Code = compileOrAdopt(S, Source.Source, Options,
                                         MayChange ? O.First : std::nullopt,
                                         std::move(Object), IsFirst);
  if (!Code) {
    if (O.FailedText)
      *O.FailedText = std::move(Source.Source.Text);
    return Code.takeError();
  }
  if (Source.KeepCode)
    keepForever(*Code);
  std::shared_ptr<Program> P(new Program);
  P->Shape = Source.Shape;
  P->Code = std::move(*Code);
  P->Key = std::move(Source.Key);
  P->DescribeType = O.DescribeType;
  P->Cells = std::move(Source.Cells);
  P->Tasks = std::move(Source.Tasks);
  if (G) {
    Expected<std::vector<const Apply *>> Order = G->order();
    if (!Order)
      return Order.takeError();
    for (const Apply *A : *Order)
      P->Order.emplace(A, P->Order.size() + 1);
  }
  P->G = std::move(G);
  Expected<Entries> Found =
      Entries::find(P->Code, P->Shape, Source.HasModuleInit);
  if (!Found)
    return Found.takeError();
  P->Entry = *Found;
  if (IsFirst)
    P->Later = std::make_shared<Upgrade>(
        S, std::move(Source.Source), std::move(Options), Source.HasModuleInit,
        P->Entry.StateSize);
  return std::shared_ptr<const Program>(std::move(P));
}

static Status initializeModule(const Module &Code) {
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

Expected<Program::Entries>
Program::Entries::find(const Module &Code, Form Shape, bool HasModuleInit) {
  Entries E;
  E.Quick = Code.lookupAs<QuickFn>("clinch_quick");
  if (Shape == Form::Function) {
    E.Call = Code.lookupAs<CallFn>("clinch_call");
  } else {
    E.Init = Code.lookupAs<InitFn>("clinch_init");
    E.Run = Code.lookupAs<RunFn>("clinch_run");
    E.Cleanup = Code.lookupAs<CleanupFn>("clinch_cleanup");
    if (const auto *Size = Code.lookupAs<const size_t *>("clinch_state_size"))
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
  for (const Task &T : Tasks)
    if (T.Number == Number && T.InInit == InInit)
      return &T;
  return nullptr;
}

size_t Program::position(const Apply &A) const {
  auto It = Order.find(&A);
  return It == Order.end() ? 0 : It->second;
}

std::string Program::describeType(const Type &T) const {
  return DescribeType ? DescribeType(T) : T.className();
}
