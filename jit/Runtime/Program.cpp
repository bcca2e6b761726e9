// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph compiled to machine code.

#include "jit/Runtime/Program.h"

#include "Border.h"
#include "CriticalSection.h"
#include "InitCode.h"
#include "Raise.h"
#include "Thunk.h"
#include "Upgrade.h"
#include "lib/Assembler/Globals.h"
#include "lib/Support/Forks.h"

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
  CLINCH_TRY_ASSIGN(ThunkSource Source, assemble(*G, O.Assemble));
  double Time = millisecondsSince(Start);
  auto Made = load(std::move(G), std::move(Source), S, O);
  if (Made)
    const_cast<Program &>(**Made).AssembleTime = Time;
  return Made;
}

/// Keeps \p Code until the process ends, once per key. Needs the GIL.
static void keepForever(const Module &Code) {
  CriticalSection Turn(processObject());
  static constinit ForProcess<std::map<std::string, Module>> Kept;
  Kept.get([] { return new std::map<std::string, Module>; })
      .emplace(Code.key(), Code);
}

/// Sets all that does not depend on the code.
Status Program::describe(std::shared_ptr<const Graph> Of, ThunkSource &Source,
                         const ProgramOptions &O) {
  Shape = Source.Shape;
  Level = O.Level;
  SourceKey = std::move(Source.Key);
  DescribeType = O.DescribeType;
  Cells = std::move(Source.Cells);
  Tasks = std::move(Source.Tasks);
  if (Of) {
    CLINCH_TRY_ASSIGN(auto Applies, Of->order());
    for (const Apply *A : Applies)
      Order.emplace(A, Order.size() + 1);
  }
  G = std::move(Of);
  return Status::success();
}

static CompileOptions compileOptions(const ThunkSource &Source,
                                     const ProgramOptions &O) {
  CompileOptions Options = Source.Options;
  Options.Level = O.Level;
  Options.Debug = O.Debug;
  Options.UseDiskCache &= O.UseDiskCache;
  Options.Keep = O.Keep;
  Options.TimeLimitMs = O.TimeLimitMs;
  Options.MemoryLimit = O.MemoryLimit;
  Options.Flags.insert(Options.Flags.begin(), O.Flags.begin(), O.Flags.end());
  addThrown(Options);
  addWrongOutput(Options);
  addLaunched(Options, O);
  return Options;
}

/// Whether the code has variables that cannot be handed over to other code.
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

/// Returns \p O at the tier \p First, for the processor and with the errno of
/// the requested tier, unless flags say which.
static CompileOptions atTier(Tier First, CompileOptions O) {
  if (O.Level == Tier::Max)
    O.Flags.insert(O.Flags.begin(), "-fno-math-errno");
  if (O.Level != Tier::Fast && O.CPU.empty())
    O.Flags.insert(O.Flags.begin(), "-march=native");
  O.Level = First;
  return O;
}

/// Returns the requested code if a cache has it or it cannot be replaced later;
/// else code of the tier \p First, and sets \p IsFirst.
static Expected<Module> compileFirst(Session &S, const SourceText &Text,
                                     const CompileOptions &O, Tier First,
                                     bool &IsFirst) {
  Expected<Module> Known = findWithoutGil(S, Text, O);
  if (!Known || *Known)
    return Known;
  Expected<Module> M = compileWithoutGil(S, Text, atTier(First, O));
  if (M && keepsVariables(*M))
    return compileWithoutGil(S, Text, O);
  IsFirst = bool(M);
  return M;
}

static Expected<Module> makeCode(Session &S, const ThunkSource &Source,
                                 const CompileOptions &Options,
                                 const ProgramOptions &O, std::string Object,
                                 bool &IsFirst) {
  const SourceText &Text = Source.Source;
  if (!Object.empty()) {
    GilReleased Gil;
    return S.adopt(Text, Options, std::move(Object));
  }
  // Kept stages and debuggers show one version of the code.
  bool Looks = O.Debug || !O.Keep.empty();
  bool Once = Source.KeepCode || Source.Init == ModuleInit::OwnCode;
  bool Sooner = O.First && *O.First < Options.Level;
  if (Sooner && !Looks && Source.Shape == Form::Struct && !Once)
    return compileFirst(S, Text, Options, *O.First, IsFirst);
  return compileWithoutGil(S, Text, Options);
}

/// Names the hooks that gave what \p E is about; ignores what they raise.
static Error nameFailingHooks(Error E, const Graph *G) {
  if (!G || E.kind() == Error::Kind::Host)
    return E;
  E = addFlagOrigins(std::move(E), *G);
  PyErr_Clear();
  return E;
}

Expected<std::shared_ptr<const Program>>
Program::load(std::shared_ptr<const Graph> G, ThunkSource Source, Session &S,
              const ProgramOptions &O, std::string Object) {
  CompileOptions Options = compileOptions(Source, O);
  bool IsFirst = false;
  Expected<Module> Made =
      makeCode(S, Source, Options, O, std::move(Object), IsFirst);
  if (!Made) {
    if (O.FailedText)
      *O.FailedText = std::move(Source.Source.Text);
    Error E = nameFailingHooks(Made.takeError(), G.get());
    nameAuthors(E.diagnostics(), Source);
    return E;
  }
  std::shared_ptr<Program> P(new Program);
  P->Code = std::move(*Made);
  P->Warnings = P->Code.warnings();
  if (!P->Warnings.empty())
    nameAuthors(P->Warnings, Source);
  if (Source.KeepCode)
    keepForever(P->Code);
  CLINCH_TRY(P->describe(std::move(G), Source, O));
  CLINCH_TRY_ASSIGN(P->Entry, Entries::find(P->Code, P->Shape, Source.Init));
  if (IsFirst)
    P->TierUp = std::make_shared<Upgrade>(
        Upgrade::Request{S, std::move(Source.Source), std::move(Options)},
        *O.First, Source.Init, P->Entry.StateSize);
  return std::shared_ptr<const Program>(std::move(P));
}

Expected<Program::Entries> Program::Entries::find(const Module &Code,
                                                  Form Shape, ModuleInit Init) {
  Entries E;
  if (Shape == Form::Function) {
    E.Call = Code.lookupAs<CallFn>("clinch_call");
  } else {
    E.Run = Code.lookupAs<RunFn>("clinch_run");
    E.Init = Code.lookupAs<InitFn>("clinch_init");
    E.Cleanup = Code.lookupAs<CleanupFn>("clinch_cleanup");
    if (const auto *Size = Code.lookupAs<const size_t *>("clinch_state_size"))
      E.StateSize = *Size;
  }
  if (!E.Call && !(E.Init && E.Run && E.Cleanup))
    return Error(Error::Kind::Link,
                 "The compiled text lacks its entry points; somebody's code "
                 "has removed or hidden `clinch_run` and its kin.");
  if (Init != ModuleInit::None)
    CLINCH_TRY(initializeModule(Code));
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
