// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long straight code in pieces.

#include "LongBlocks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

static constexpr size_t PieceLength = 1000;

/// Returns the first instruction behind the variables of the stack, which stay
/// in the first block.
static BasicBlock::iterator firstToMove(BasicBlock &BB) {
  BasicBlock::iterator First = BB.getFirstInsertionPt();
  for (auto I = First; I != BB.end(); ++I)
    if (isa<AllocaInst>(I))
      First = std::next(I);
  return First;
}

/// Nothing may stand between some calls and the return behind them.
static bool isTail(const BasicBlock &BB) {
  return BB.getTerminatingMustTailCall() || BB.getTerminatingDeoptimizeCall();
}

/// A block of which the address is taken is not joined again.
static void split(BasicBlock *BB) {
  size_t Length = 0;
  for (auto I = firstToMove(*BB); !I->isTerminator(); ++I) {
    if (++Length <= PieceLength)
      continue;
    BB = BB->splitBasicBlock(I);
    BlockAddress::get(BB);
    Length = 1;
  }
}

void clinch::engine::splitLongBlocks(Module &M) {
  for (Function &F : M)
    for (BasicBlock &BB : make_early_inc_range(F))
      if (BB.size() > 2 * PieceLength && !isTail(BB))
        split(&BB);
}
