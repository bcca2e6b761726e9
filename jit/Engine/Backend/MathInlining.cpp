// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of lib/Math in loops.

#include "MathInlining.h"

#include "Recurrences.h"
#include "lib/Math/SymbolNames.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <set>

using namespace clinch;
using namespace clinch::engine;
using namespace llvm;

extern "C" const char ClinchMathBegin[], ClinchMathEnd[];

namespace {

/// Stands before the name of a function that is to be inlined.
constexpr StringLiteral BodyPrefix = "clinch.body.";

using Calls = SmallVector<CallInst *, 8>;

/// The library as IR, of which only what is asked for is read.
std::unique_ptr<Module> openLibrary(LLVMContext &Context) {
  const StringRef Bytes(ClinchMathBegin, ClinchMathEnd - ClinchMathBegin);
  std::unique_ptr<Module> Library = cantFail(
      getLazyBitcodeModule(MemoryBufferRef(Bytes, "mathematics"), Context,
                           /*ShouldLazyLoadMetadata=*/true));
  // What a text says about itself is not to be compared with this.
  for (NamedMDNode &Node : make_early_inc_range(Library->named_metadata()))
    Node.eraseFromParent();
  return Library;
}

/// Returns the calls of the library in \p L.
Calls callsIn(const Loop &L) {
  Calls Result;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (auto *C = dyn_cast<CallInst>(&I))
        if (const Function *F = C->getCalledFunction();
            F && F->isDeclaration() && F->getName().starts_with(MathPrefix))
          Result.push_back(C);
  return Result;
}

/// Adds the calls in the innermost loops of \p F that may be vectorised.
void findCalls(Function &F, FunctionAnalysisManager &FAM, Calls &Found) {
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (L->isInnermost())
      if (const Calls Inner = callsIn(*L);
          !Inner.empty() && !hasRecurrence(*L, F, FAM))
        Found.append(Inner);
}

/// Makes \p Found call functions that \p M defines, whose names are returned.
std::set<std::string> linkBodies(Module &M, const Calls &Found) {
  std::unique_ptr<Module> Library = openLibrary(M.getContext());
  std::set<std::string> Bodies;
  for (CallInst *C : Found) {
    const StringRef Name =
        C->getCalledFunction()->getName().substr(strlen(MathPrefix));
    const std::string Body = (BodyPrefix + Name).str();
    if (Function *Own = Library->getFunction(("clinch_" + Name).str()))
      Own->setName(Body);
    C->setCalledFunction(M.getOrInsertFunction(Body, C->getFunctionType()));
    Bodies.insert(Body);
  }
  Linker::linkModules(M, std::move(Library), Linker::LinkOnlyNeeded);
  return Bodies;
}

/// Computation pays for vectors of 512 bits, which LLVM avoids on some
/// processors. A flag may have said otherwise.
void preferWide(Function &F, const TargetMachine &TM) {
  constexpr const char *Width = "prefer-vector-width";
  if (!F.hasFnAttribute(Width) &&
      TM.getSubtargetImpl(F)->checkFeatures("+avx512f"))
    F.addFnAttr(Width, "512");
}

/// Tells LLVM that nothing else is in a function's table: where arrays may
/// overlap, a loop would have no vectors.
void separateTables(Function &F) {
  MDBuilder Builder(F.getContext());
  MDNode *Domain = Builder.createAnonymousAliasScopeDomain();
  MDNode *Tables =
      MDNode::get(F.getContext(), Builder.createAnonymousAliasScope(Domain));
  auto Add = [Tables](Instruction &I, unsigned Kind) {
    I.setMetadata(Kind, MDNode::concatenate(I.getMetadata(Kind), Tables));
  };
  for (Instruction &I : instructions(F)) {
    const auto *Load = dyn_cast<LoadInst>(&I);
    const auto *Table = dyn_cast_or_null<GlobalVariable>(
        Load ? getUnderlyingObject(Load->getPointerOperand()) : nullptr);
    if (Table && Table->isConstant())
      Add(I, LLVMContext::MD_alias_scope);
    else if (Load || isa<StoreInst>(I))
      Add(I, LLVMContext::MD_noalias);
  }
}

class MathInlining : public PassInfoMixin<MathInlining> {
public:
  explicit MathInlining(const TargetMachine &TM) : TM(TM) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &AM);

private:
  const TargetMachine &TM;
};

PreservedAnalyses MathInlining::run(Module &M, ModuleAnalysisManager &AM) {
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  Calls Found;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasOptNone() &&
        TM.getSubtargetImpl(F)->checkFeatures("+fma"))
      findCalls(F, FAM, Found);
  if (Found.empty())
    return PreservedAnalyses::none();
  const std::set<std::string> Bodies = linkBodies(M, Found);
  SetVector<Function *> Changed;
  for (CallInst *C : Found) {
    Changed.insert(C->getFunction());
    InlineFunctionInfo Info;
    InlineFunction(*C, Info);
  }
  for (Function *F : Changed) {
    preferWide(*F, TM);
    separateTables(*F);
  }
  for (const std::string &Body : Bodies)
    M.getFunction(Body)->eraseFromParent();
  return PreservedAnalyses::none();
}

} // namespace

void clinch::engine::defineMathematics(Module &M) {
  std::unique_ptr<Module> Library = openLibrary(M.getContext());
  std::vector<std::string> Names;
  for (const Function &F : M) {
    if (!F.isDeclaration() || !F.getName().starts_with(MathPrefix))
      continue;
    const StringRef Name = F.getName().substr(strlen(MathPrefix));
    if (Function *Own = Library->getFunction(("clinch_" + Name).str())) {
      Own->setName(F.getName());
      Names.push_back(F.getName().str());
    }
  }
  if (Names.empty())
    return;
  Linker::linkModules(M, std::move(Library), Linker::LinkOnlyNeeded);
  for (const std::string &Name : Names) {
    Function *F = M.getFunction(Name);
    F->setLinkage(GlobalValue::InternalLinkage);
    for (const char *OfTheLibrary :
         {"target-cpu", "target-features", "tune-cpu"})
      F->removeFnAttr(OfTheLibrary);
  }
}

void clinch::engine::addMathInlining(PassBuilder &Builder,
                                     const TargetMachine &TM) {
  Builder.registerOptimizerEarlyEPCallback([&TM](ModulePassManager &MPM,
                                                 OptimizationLevel Level,
                                                 ThinOrFullLTOPhase) {
    if (Level.getSpeedupLevel() > 1 && Level.getSizeLevel() == 0)
      MPM.addPass(MathInlining(TM));
  });
}
