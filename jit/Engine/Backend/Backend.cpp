// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// IR to object code.

#include "Backend.h"

#include "../Options/Predefined.h"
#include "AroundLoops.h"
#include "Contraction.h"
#include "DetachedInstructions.h"
#include "Inlining.h"
#include "LongBlocks.h"
#include "MathConstants.h"
#include "MathInlining.h"
#include "OwnMath.h"
#include "RareLanes.h"
#include "Recurrences.h"
#include "Strides.h"
#include "VectorWidth.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetOptions.h"

using namespace clinch;
using namespace clinch::engine;

namespace {

// SROA comes first because little inline functions of headers are copied dozens
// of times: each copy of a local variable would have to be found and removed.
constexpr const char *QuickPasses =
    "function(sroa),always-inline,function(sroa,early-cse,simplifycfg)";
// The default pipelines have these.
constexpr const char *EarlyPasses =
    "function(ee-instrument),"
    "coro-cond(coro-early,cgscc(coro-split),coro-cleanup,globaldce)";
constexpr const char *BeforeInliningPasses = "function(sroa),always-inline";
constexpr const char *InlinePasses = "cgscc(inline)";
constexpr const char *LooplessPasses =
    "function(sroa,early-cse<memssa>,simplifycfg,"
    "instcombine<no-verify-fixpoint>,simplifycfg,tailcallelim)";

llvm::TargetOptions targetOptions(const Plan &P) {
  llvm::TargetOptions T;
  // Code that is unloaded again cannot use the thread-local storage that a
  // process reserves when it starts.
  T.EmulatedTLS = P.EmulatesThreadLocals;
  T.UseInitArray = true;
  T.MCOptions.AsmVerbose = true;
  // Clang marks what may be contracted; contract() decides the rest.
  T.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return T;
}

/// Marks long functions of mostly branches and calls `optnone` in a very large
/// module, such as the cleanups of thousands of objects. This halves the time
/// of code generation, and such code runs as fast.
void markOptNone(llvm::Module &M) {
  constexpr size_t VeryLarge = 10000, Long = 50, FewInstructions = 20;
  size_t Blocks = 0;
  for (const llvm::Function &F : M)
    Blocks += F.size();
  if (Blocks < VeryLarge)
    return;
  for (llvm::Function &F : M) {
    if (F.size() < Long || hasLoop(F) ||
        F.getInstructionCount() > FewInstructions * F.size())
      continue;
    leaveAsItIs(F);
  }
}

llvm::OptimizationLevel levelOf(Passes P) {
  using Level = llvm::OptimizationLevel;
  return P == Passes::O1   ? Level::O1
         : P == Passes::O2 ? Level::O2
         : P == Passes::O3 ? Level::O3
         : P == Passes::Os ? Level::Os
                           : Level::Oz;
}

/// Vectorises straight-line code only at the level that may take long.
llvm::PipelineTuningOptions tuning(const Plan &P) {
  llvm::PipelineTuningOptions T;
  T.SLPVectorization = P.Optimise == Passes::O3;
  T.LoopVectorization = P.VectorisesLoops;
  T.InlinerThreshold = P.InlineLimit.value_or(T.InlinerThreshold);
  return T;
}

} // namespace

std::unique_ptr<Backend> Backend::create(const llvm::Triple &Triple,
                                         const std::string &CPU,
                                         const std::string &Features,
                                         const Plan &P) {
  std::string Problem;
  const llvm::Target *T = llvm::TargetRegistry::lookupTarget(Triple, Problem);
  if (!T)
    return nullptr;
  std::unique_ptr<llvm::TargetMachine> TM(T->createTargetMachine(
      Triple, CPU, Features, targetOptions(P), llvm::Reloc::PIC_,
      llvm::CodeModel::Small, P.CodeGen));
  if (!TM)
    return nullptr;
  return std::unique_ptr<Backend>(new Backend(std::move(TM), P));
}

Backend::Backend(std::unique_ptr<llvm::TargetMachine> Machine, const Plan &P)
    : TM(std::move(Machine)), Optimise(P.Optimise),
      InlinesAsTold(P.InlineLimit), MathErrno(P.MathErrno),
      DefinesMath(P.DefinesMath), Library(TM->getTargetTriple()),
      Builder(TM.get(), tuning(P), std::nullopt, &Callbacks) {
  OptNone.registerCallbacks(Callbacks);
  Profiled.registerCallbacks(Callbacks);
  skipSLPWithRecurrences(Builder, Callbacks);
  addStrideFreezing(Builder);
  addMathInlining(Builder, *TM);
  addRareLanes(Builder);
  addMathConstants(Builder);
  registerAnalyses();
}

void Backend::registerAnalyses() {
  FAM.registerPass([this] { return llvm::TargetLibraryAnalysis(Library); });
  Builder.registerModuleAnalyses(MAM);
  Builder.registerCGSCCAnalyses(CGAM);
  Builder.registerFunctionAnalyses(FAM);
  Builder.registerLoopAnalyses(LAM);
  Builder.crossRegisterProxies(LAM, FAM, CGAM, MAM);
}

void Backend::runPasses(llvm::Module &M, llvm::ModulePassManager &Pipeline,
                        const char *Text) {
  if (Pipeline.isEmpty())
    llvm::cantFail(Builder.parsePassPipeline(Pipeline, Text));
  Pipeline.run(M, MAM);
}

void Backend::prepare(llvm::Module &M) {
  M.setDataLayout(TM->createDataLayout());
}

/// Rebuilds the pipeline each time, since a run consumes its parts.
void Backend::runDefault(llvm::Module &M, llvm::OptimizationLevel Level) {
  preferWidthOfMemory(M);
  llvm::ModulePassManager MPM = Builder.buildPerModuleDefaultPipeline(Level);
  MPM.run(M, MAM);
}

void Backend::runLoopless(llvm::Module &M) {
  runPasses(M, Early, EarlyPasses);
  markSmallFunctions(M, FAM);
  markSingleCallers(M, FAM);
  runPasses(M, BeforeInlining, BeforeInliningPasses);
  if (callsItsOwn(M))
    runPasses(M, Inline, InlinePasses);
  runPasses(M, Loopless, LooplessPasses);
}

void Backend::runQuick(llvm::Module &M) {
  runPasses(M, Early, EarlyPasses);
  markSmallFunctions(M, FAM);
  runPasses(M, Quick, QuickPasses);
}

/// Clang assumes that the tables of CPU features are near, but they are in a
/// library that can be far from our code.
static void reachFeatures(llvm::Module &M) {
  for (const char *Name : {"__cpu_model", "__cpu_features2"})
    if (llvm::GlobalValue *Table = M.getNamedValue(Name))
      if (Table->isDeclaration()) {
        Table->setVisibility(llvm::GlobalValue::DefaultVisibility);
        Table->setDSOLocal(false);
      }
}

/// What is around a loop gets passes that pay at once, the loop gets all.
void Backend::runLoops(llvm::Module &M, bool Assembled) {
  if (Assembled) {
    runQuick(M);
    leaveAroundLoops(M);
  }
  runDefault(M, llvm::OptimizationLevel::O2);
}

void Backend::optimise(llvm::Module &M, bool Assembled) {
  deleteDetachedInstructions(M);
  reachFeatures(M);
  keepCalls(M);
  callOwnFunctions(M, MathErrno);
  // Contraction must not depend on the level of optimisation.
  const bool Contracts = mayContract(M);
  if (Contracts) {
    if (Optimise != Passes::None)
      runQuick(M);
    contract(M, *TM);
  }
  switch (Optimise) {
  case Passes::None:
    runPasses(M, Early, EarlyPasses);
    break;
  case Passes::Auto:
    if (InlinesAsTold || llvm::any_of(M, hasLoop))
      runLoops(M, Assembled);
    else
      runLoopless(M);
    break;
  case Passes::Quick:
    if (!Contracts)
      runQuick(M);
    break;
  case Passes::Loopless:
    runLoopless(M);
    break;
  default:
    runDefault(M, levelOf(Optimise));
  }
  computeMathConstants(M);
  if (DefinesMath)
    defineMathematics(M);
  addAddressChecks(M, MAM);
  markOptNone(M);
  if (TM->getOptLevel() != llvm::CodeGenOptLevel::None)
    splitLongBlocks(M);
  MAM.clear();
  CGAM.clear();
  FAM.clear();
  LAM.clear();
}

/// The passes that emit one kind of output, and their buffer.
struct Backend::Emitter {
  llvm::SmallString<0> Out;
  llvm::raw_svector_ostream OS{Out};
  llvm::legacy::PassManager Passes;
};

Backend::~Backend() = default;

void Backend::addPasses(Emitter &E, llvm::CodeGenFileType Kind) {
  E.Passes.add(new llvm::TargetLibraryInfoWrapperPass(Library));
  E.Passes.add(
      llvm::createTargetTransformInfoWrapperPass(TM->getTargetIRAnalysis()));
  TM->addPassesToEmitFile(E.Passes, E.OS, nullptr, Kind,
                          /*DisableVerify=*/true);
}

std::string Backend::emit(llvm::Module &M, llvm::CodeGenFileType Kind) {
  Emitter E;
  addPasses(E, Kind);
  E.Passes.run(M);
  return E.Out.str().str();
}

/// Returns true if assembly may define labels such as `1:`, which the passes of
/// LLVM 22 remember from one module to the next.
static bool mayHaveLocalLabels(const llvm::Module &M) {
  if (!M.getModuleInlineAsm().empty())
    return true;
  for (const llvm::Function &F : M)
    for (const llvm::Instruction &I : llvm::instructions(F))
      if (const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
        if (Call->isInlineAsm())
          return true;
  return false;
}

std::string Backend::emitAgain(llvm::Module &M) {
  if (mayHaveLocalLabels(M))
    return emit(M, llvm::CodeGenFileType::ObjectFile);
  if (!Objects) {
    Objects = std::make_unique<Emitter>();
    addPasses(*Objects, llvm::CodeGenFileType::ObjectFile);
  }
  Objects->Out.clear();
  Objects->Passes.run(M);
  return Objects->Out.str().str();
}
