// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code for the processor.

#include "Simulate.h"

#include "ProgramTable.h"
#include "Rewriter.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/IR/Verifier.h"

using namespace clinch;
using namespace clinch::engine;

/// Makes a constant a variable of ordinary memory, as the passes remove
/// whatever writes to a constant.
static void makeVariable(llvm::Module &M, llvm::GlobalVariable &G) {
  auto *V = new llvm::GlobalVariable(M, G.getValueType(), /*isConstant=*/false,
                                     G.getLinkage(), G.getInitializer(), "", &G,
                                     G.getThreadLocalMode(), GlobalSpace);
  V->copyAttributesFrom(&G);
  V->addAttribute(ConstantAttribute);
  V->takeName(&G);
  for (llvm::User *U : llvm::make_early_inc_range(G.users()))
    if (auto *Cast = llvm::dyn_cast<llvm::ConstantExpr>(U);
        Cast && Cast->getOpcode() == llvm::Instruction::AddrSpaceCast)
      Cast->replaceAllUsesWith(
          llvm::ConstantExpr::getAddrSpaceCast(V, Cast->getType()));
  G.replaceAllUsesWith(llvm::ConstantExpr::getAddrSpaceCast(V, G.getType()));
  G.eraseFromParent();
}

void engine::prepareChecks(llvm::Module &M) {
  for (llvm::Function &F : M)
    if (!F.isDeclaration())
      F.addFnAttr(llvm::Attribute::SanitizeThread);
  for (llvm::GlobalVariable &G : llvm::make_early_inc_range(M.globals()))
    if ((G.isConstant() || G.getAddressSpace() == ConstantSpace) &&
        G.hasInitializer() && !G.hasPrivateLinkage() &&
        !G.hasAppendingLinkage())
      makeVariable(M, G);
}

/// A shared variable lies at the same place of each block's shared memory: with
/// a gap behind it, if accesses are checked.
static void placeShared(Rewriter &R, llvm::GlobalVariable &G, uint64_t Offset) {
  const bool IsDynamic = G.isDeclaration();
  llvm::convertUsersOfConstantsToInstructions({&G});
  llvm::DenseMap<llvm::Function *, llvm::Value *> Places;
  for (llvm::Use &U : llvm::make_early_inc_range(G.uses())) {
    auto *User = llvm::dyn_cast<llvm::Instruction>(U.getUser());
    if (!User)
      continue;
    llvm::Value *&Place = Places[User->getFunction()];
    if (!Place) {
      auto *Self = llvm::cast<llvm::Instruction>(R.self(*User->getFunction()));
      llvm::IRBuilder<> B(Self->getNextNode());
      B.SetCurrentDebugLocation(llvm::DebugLoc());
      llvm::Value *Base =
          R.field(B, R.Ptr,
                  IsDynamic ? offsetof(simulate::ThreadView, Dynamic)
                            : offsetof(simulate::ThreadView, Shared));
      Place = B.CreateAddrSpaceCast(
          B.CreateConstGEP1_64(B.getInt8Ty(), Base, Offset), G.getType());
    }
    U.set(Place);
  }
}

/// What device and processor call by other names, and how functions of the
/// device are marked.
static void retarget(llvm::Module &M, const llvm::TargetMachine &TM) {
  M.setTargetTriple(TM.getTargetTriple());
  M.setDataLayout(TM.createDataLayout());
  for (llvm::Function &F : M) {
    F.removeFnAttr("target-cpu");
    F.removeFnAttr("target-features");
    F.removeFnAttr(llvm::Attribute::SanitizeThread);
    F.removeFnAttr(llvm::Attribute::Convergent);
    F.setComdat(nullptr);
    if (F.isDeclaration())
      continue;
    F.addFnAttr("target-cpu", TM.getTargetCPU());
    F.addFnAttr("target-features", TM.getTargetFeatureString());
    F.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

/// True if a function may use up the stack: it has variables, or calls another.
static bool needsStack(const llvm::Instruction &I) {
  const auto *C = llvm::dyn_cast<llvm::CallInst>(&I);
  return llvm::isa<llvm::AllocaInst>(I) ||
         (C &&
          !(C->getCalledFunction() && C->getCalledFunction()->isIntrinsic()));
}

static void rewrite(Rewriter &R) {
  std::vector<llvm::Instruction *> All;
  for (llvm::Function &F : R.M)
    for (llvm::Instruction &I : llvm::instructions(F))
      All.push_back(&I);
  for (llvm::Instruction *I : All)
    if (needsStack(*I))
      R.self(*I->getFunction()); // Which looks how much is left.
  if (R.S.Checks)
    for (llvm::Instruction *I : All)
      R.addCheck(*I);
  for (llvm::Instruction *I : All)
    if (auto *C = llvm::dyn_cast<llvm::CallInst>(I))
      R.rewriteCall(*C);
    else if (auto *D = llvm::dyn_cast<llvm::BinaryOperator>(I);
             D && D->isIntDivRem())
      R.rewriteDivision(*D);
    else
      R.rewriteAtomic(*I);
}

/// Lets a launch be interrupted in loops that may never end.
static void addPolls(Rewriter &R, llvm::Function &F) {
  llvm::DominatorTree Dominators(F);
  llvm::LoopInfo Loops(Dominators);
  if (Loops.empty())
    return;
  llvm::AssumptionCache Assumptions(F);
  const llvm::TargetLibraryInfoImpl Library(R.M.getTargetTriple());
  llvm::TargetLibraryInfo Functions(Library, &F);
  llvm::ScalarEvolution Counts(F, Functions, Assumptions, Dominators, Loops);
  llvm::SmallVector<llvm::BasicBlock *> Heads;
  for (llvm::Loop *L : Loops.getLoopsInPreorder())
    if (llvm::isa<llvm::SCEVCouldNotCompute>(
            Counts.getSymbolicMaxBackedgeTakenCount(L)))
      Heads.push_back(L->getHeader());
  for (llvm::BasicBlock *Head : Heads) {
    llvm::IRBuilder<> B(Head, Head->getFirstInsertionPt());
    R.call(B, "clinch_sim_poll", B.getVoidTy(), {});
  }
}

Status engine::simulate(llvm::Module &M, const llvm::TargetMachine &TM,
                        const Simulation &S) {
  Rewriter R(M, S);
  ProgramTable Table(R);
  retarget(M, TM);
  rewrite(R);
  for (llvm::Function &F : M)
    if (!F.isDeclaration())
      addPolls(R, F);
  Table.measureLocals();
  if (!R.Refused.empty())
    return Error(Error::Kind::Compile,
                 "The text does what is not simulated: " +
                     R.Refused.front().Message + ".",
                 std::move(R.Refused));
  for (const ProgramTable::Shared &V : Table.shared())
    placeShared(R, *V.Global, V.Offset);
  Table.emit();
  std::string Problem;
  llvm::raw_string_ostream OS(Problem);
  if (llvm::verifyModule(M, &OS))
    return Error(Error::Kind::Crash,
                 "The simulated code is malformed: " + Problem);
  return Status::success();
}
