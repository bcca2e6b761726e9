// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of lib/Math in loops.

#include "MathInlining.h"

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

extern "C" const char ClinchMathBegin[], ClinchMathEnd[];

namespace {

/// Stands before the name of a function that is to be inlined.
constexpr llvm::StringLiteral BodyPrefix = "clinch.body.";

using Calls = llvm::SmallVector<llvm::CallInst *, 8>;

/// The library as IR, of which only what is asked for is read.
std::unique_ptr<llvm::Module> openLibrary(llvm::LLVMContext &Context) {
  const llvm::StringRef Bytes(ClinchMathBegin, ClinchMathEnd - ClinchMathBegin);
  std::unique_ptr<llvm::Module> Library =
      llvm::cantFail(llvm::getLazyBitcodeModule(
          llvm::MemoryBufferRef(Bytes, "mathematics"), Context,
          /*ShouldLazyLoadMetadata=*/true));
  // What a text says about itself is not to be compared with this.
  for (llvm::NamedMDNode &Node :
       llvm::make_early_inc_range(Library->named_metadata()))
    Node.eraseFromParent();
  return Library;
}

/// The calls in the innermost loops of \p F, which may be vectorised.
void findCalls(const llvm::LoopInfo &Loops, Calls &Found) {
  for (const llvm::Loop *L : Loops.getLoopsInPreorder())
    if (L->isInnermost())
      for (llvm::BasicBlock *B : L->blocks())
        for (llvm::Instruction &I : *B)
          if (auto *C = llvm::dyn_cast<llvm::CallInst>(&I))
            if (const llvm::Function *F = C->getCalledFunction();
                F && F->isDeclaration() && F->getName().starts_with(MathPrefix))
              Found.push_back(C);
}

/// Makes \p Found call functions that \p M defines, whose names are returned.
std::set<std::string> linkBodies(llvm::Module &M, const Calls &Found) {
  std::unique_ptr<llvm::Module> Library = openLibrary(M.getContext());
  std::set<std::string> Bodies;
  for (llvm::CallInst *C : Found) {
    const llvm::StringRef Name =
        C->getCalledFunction()->getName().substr(strlen(MathPrefix));
    const std::string Body = (BodyPrefix + Name).str();
    if (llvm::Function *Own = Library->getFunction(("clinch_" + Name).str()))
      Own->setName(Body);
    C->setCalledFunction(M.getOrInsertFunction(Body, C->getFunctionType()));
    Bodies.insert(Body);
  }
  llvm::Linker::linkModules(M, std::move(Library),
                            llvm::Linker::LinkOnlyNeeded);
  return Bodies;
}

/// Computation pays for vectors of 512 bits, which LLVM avoids on some
/// processors. A flag may have said otherwise.
void preferWide(llvm::Function &F, const llvm::TargetMachine &TM) {
  constexpr const char *Width = "prefer-vector-width";
  if (!F.hasFnAttribute(Width) &&
      TM.getSubtargetImpl(F)->checkFeatures("+avx512f"))
    F.addFnAttr(Width, "512");
}

/// Tells LLVM that nothing else is in a function's table: where arrays may
/// overlap, a loop would have no vectors.
void separateTables(llvm::Function &F) {
  llvm::MDBuilder Builder(F.getContext());
  llvm::MDNode *Domain = Builder.createAnonymousAliasScopeDomain();
  llvm::MDNode *Tables = llvm::MDNode::get(
      F.getContext(), Builder.createAnonymousAliasScope(Domain));
  auto Add = [Tables](llvm::Instruction &I, unsigned Kind) {
    I.setMetadata(Kind, llvm::MDNode::concatenate(I.getMetadata(Kind), Tables));
  };
  for (llvm::Instruction &I : llvm::instructions(F)) {
    const auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I);
    const auto *Table = llvm::dyn_cast_or_null<llvm::GlobalVariable>(
        Load ? llvm::getUnderlyingObject(Load->getPointerOperand()) : nullptr);
    if (Table && Table->isConstant())
      Add(I, llvm::LLVMContext::MD_alias_scope);
    else if (Load || llvm::isa<llvm::StoreInst>(I))
      Add(I, llvm::LLVMContext::MD_noalias);
  }
}

class MathInlining : public llvm::PassInfoMixin<MathInlining> {
public:
  explicit MathInlining(const llvm::TargetMachine &TM) : TM(TM) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);

private:
  const llvm::TargetMachine &TM;
};

llvm::PreservedAnalyses MathInlining::run(llvm::Module &M,
                                          llvm::ModuleAnalysisManager &AM) {
  auto &FAM =
      AM.getResult<llvm::FunctionAnalysisManagerModuleProxy>(M).getManager();
  Calls Found;
  for (llvm::Function &F : M)
    if (!F.isDeclaration() && !F.hasOptNone() &&
        TM.getSubtargetImpl(F)->checkFeatures("+fma"))
      findCalls(FAM.getResult<llvm::LoopAnalysis>(F), Found);
  if (Found.empty())
    return llvm::PreservedAnalyses::all();
  const std::set<std::string> Bodies = linkBodies(M, Found);
  llvm::SetVector<llvm::Function *> Changed;
  for (llvm::CallInst *C : Found) {
    Changed.insert(C->getFunction());
    llvm::InlineFunctionInfo Info;
    llvm::InlineFunction(*C, Info);
  }
  for (llvm::Function *F : Changed) {
    preferWide(*F, TM);
    separateTables(*F);
  }
  for (const std::string &Body : Bodies)
    M.getFunction(Body)->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

} // namespace

void clinch::engine::defineMathematics(llvm::Module &M) {
  std::unique_ptr<llvm::Module> Library = openLibrary(M.getContext());
  std::vector<std::string> Names;
  for (const llvm::Function &F : M) {
    if (!F.isDeclaration() || !F.getName().starts_with(MathPrefix))
      continue;
    const llvm::StringRef Name = F.getName().substr(strlen(MathPrefix));
    if (llvm::Function *Own = Library->getFunction(("clinch_" + Name).str())) {
      Own->setName(F.getName());
      Names.push_back(F.getName().str());
    }
  }
  if (Names.empty())
    return;
  llvm::Linker::linkModules(M, std::move(Library),
                            llvm::Linker::LinkOnlyNeeded);
  for (const std::string &Name : Names) {
    llvm::Function *F = M.getFunction(Name);
    F->setLinkage(llvm::GlobalValue::InternalLinkage);
    for (const char *OfTheLibrary :
         {"target-cpu", "target-features", "tune-cpu"})
      F->removeFnAttr(OfTheLibrary);
  }
}

void clinch::engine::addMathInlining(llvm::PassBuilder &Builder,
                                     const llvm::TargetMachine &TM) {
  Builder.registerOptimizerEarlyEPCallback([&TM](llvm::ModulePassManager &MPM,
                                                 llvm::OptimizationLevel Level,
                                                 llvm::ThinOrFullLTOPhase) {
    if (Level.getSpeedupLevel() > 1 && Level.getSizeLevel() == 0)
      MPM.addPass(MathInlining(TM));
  });
}
