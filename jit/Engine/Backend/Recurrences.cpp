// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in which an iteration waits for the one before.

#include "Recurrences.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Vectorize/SLPVectorizer.h"

using namespace clinch::engine;
using namespace llvm;

/// Whether \p Phi has to be computed one iteration after the other.
static bool isRecurrence(PHINode &Phi, Loop &L, PredicatedScalarEvolution &PSE,
                         Function &F, FunctionAnalysisManager &FAM) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  InductionDescriptor Induction;
  if (InductionDescriptor::isInductionPHI(&Phi, &L, PSE, Induction,
                                          /*Assume=*/true) ||
      RecurrenceDescriptor::isFixedOrderRecurrence(&Phi, &L, &DT))
    return false;
  RecurrenceDescriptor Reduction;
  return !RecurrenceDescriptor::isReductionPHI(
             &Phi, &L, Reduction, &FAM.getResult<DemandedBitsAnalysis>(F),
             &FAM.getResult<AssumptionAnalysis>(F), &DT, PSE.getSE()) ||
         Reduction.hasUsesOutsideReductionChain();
}

bool clinch::engine::hasRecurrence(Loop &L, Function &F,
                                   FunctionAnalysisManager &FAM) {
  simplifyLoop(&L, &FAM.getResult<DominatorTreeAnalysis>(F),
               &FAM.getResult<LoopAnalysis>(F),
               &FAM.getResult<ScalarEvolutionAnalysis>(F),
               &FAM.getResult<AssumptionAnalysis>(F), /*MSSAU=*/nullptr,
               /*PreserveLCSSA=*/false);
  if (!L.isLoopSimplifyForm())
    return false;
  PredicatedScalarEvolution PSE(FAM.getResult<ScalarEvolutionAnalysis>(F), L);
  for (PHINode &Phi : L.getHeader()->phis())
    if (isRecurrence(Phi, L, PSE, F, FAM))
      return true;
  constexpr uint64_t LeastVector = 256;
  const MemoryDepChecker &Memory =
      FAM.getResult<LoopAccessAnalysis>(F).getInfo(L).getDepChecker();
  return (!Memory.isSafeForVectorization() &&
          !Memory.shouldRetryWithRuntimeChecks()) ||
         Memory.getMaxSafeVectorWidthInBits() < LeastVector;
}

namespace {

/// Before LLVM makes vectors of iterations: their remainders have recurrences.
class RecurrenceMarks : public PassInfoMixin<RecurrenceMarks> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      if (L->isInnermost() && hasRecurrence(*L, F, FAM))
        F.addFnAttr(Mark);
    return PreservedAnalyses::none();
  }

  static constexpr StringLiteral Mark = "clinch-recurrence";
};

} // namespace

void clinch::engine::skipSLPWithRecurrences(
    PassBuilder &Builder, PassInstrumentationCallbacks &Callbacks) {
  Builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel Level) {
        if (Level == OptimizationLevel::O3)
          FPM.addPass(RecurrenceMarks());
      });
  Callbacks.registerShouldRunOptionalPassCallback([](StringRef Pass, Any IR) {
    return Pass != SLPVectorizerPass::name() ||
           !any_cast<const Function *>(IR)->hasFnAttribute(
               RecurrenceMarks::Mark);
  });
}
