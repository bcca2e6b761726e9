// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code calls.

#include "Rewriter.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace clinch;
using namespace clinch::engine;
using namespace clinch::simulate;
using llvm::IRBuilder;
using llvm::StringRef;
using llvm::Value;

/// Registers: threadIdx and its kin.
bool Rewriter::rewriteRegister(IRBuilder<> &B, llvm::CallInst &C,
                               StringRef Name) {
  if (!Name.consume_front("read.ptx.sreg."))
    return false;
  const auto [Group, Axis] = Name.split('.');
  const size_t First = llvm::StringSwitch<size_t>(Group)
                           .Case("tid", offsetof(ThreadView, Tid))
                           .Case("ctaid", offsetof(ThreadView, Block))
                           .Case("ntid", offsetof(ThreadView, Threads))
                           .Case("nctaid", offsetof(ThreadView, Blocks))
                           .Default(~size_t(0));
  if (First != ~size_t(0) && Axis.size() == 1 && Axis[0] >= 'x' &&
      Axis[0] <= 'z') {
    replace(C, field(B, I32, First + 4 * size_t(Axis[0] - 'x')));
    return true;
  }
  Value *Lane = field(B, I32, offsetof(ThreadView, Lane));
  Value *One = B.CreateShl(B.getInt32(1), Lane);
  Value *Below = B.CreateSub(One, B.getInt32(1));
  Value *By = nullptr;
  if (Name == "laneid")
    By = Lane;
  else if (Name == "warpid")
    By = field(B, I32, offsetof(ThreadView, Warp));
  else if (Name == "warpsize")
    By = B.getInt32(32);
  else if (Name == "lanemask.eq")
    By = One;
  else if (Name == "lanemask.lt")
    By = Below;
  else if (Name == "lanemask.le")
    By = B.CreateOr(Below, One);
  else if (Name == "lanemask.ge")
    By = B.CreateNot(Below);
  else if (Name == "lanemask.gt")
    By = B.CreateNot(B.CreateOr(Below, One));
  else if (Name == "dynamic_smem_size")
    By = field(B, I32, offsetof(ThreadView, DynamicBytes));
  else if (Name == "smid" || Name == "gridid")
    By = llvm::ConstantInt::get(C.getType(), 0);
  else if (Name == "nsmid")
    By = B.getInt32(1);
  else if (Name.starts_with("clock") || Name.starts_with("globaltimer"))
    By = B.CreateTrunc(
        B.CreateIntrinsic(I64, llvm::Intrinsic::readcyclecounter, {}),
        C.getType());
  if (By)
    replace(C, By);
  return By != nullptr;
}

bool Rewriter::rewriteBarrier(IRBuilder<> &B, llvm::CallInst &C,
                              StringRef Name) {
  if (!Name.consume_front("barrier.cta."))
    return false;
  const bool Counts = Name.consume_back(".count");
  if (!Counts && !Name.consume_back(".all"))
    return false;
  Name.consume_back(".aligned");
  const auto Kind = llvm::StringSwitch<int>(Name)
                        .Case("sync", int(Barrier::Plain))
                        .Case("red.popc", int(Barrier::Count))
                        .Case("red.and", int(Barrier::And))
                        .Case("red.or", int(Barrier::Or))
                        .Default(-1);
  if (Kind < 0)
    return false;
  Value *Count = Counts ? C.getArgOperand(1) : B.getInt32(0);
  Value *Given = Kind == int(Barrier::Plain)
                     ? B.getInt32(0)
                     : B.CreateZExt(C.getArgOperand(Counts ? 2 : 1), I32);
  Value *Result = call(B, "clinch_sim_barrier", I32,
                       {C.getArgOperand(0), Count, B.getInt32(uint32_t(Kind)),
                        Given, siteOf(B, C)});
  if (!C.getType()->isVoidTy())
    Result = B.CreateZExtOrTrunc(Result, C.getType());
  replace(C, Result);
  return true;
}

static int meetingOf(StringRef Name) {
  return llvm::StringSwitch<int>(Name)
      .Case("bar.warp.sync", int(Meeting::Sync))
      .Case("shfl.sync.up", int(Meeting::ShuffleUp))
      .Case("shfl.sync.down", int(Meeting::ShuffleDown))
      .Case("shfl.sync.bfly", int(Meeting::ShuffleXor))
      .Case("shfl.sync.idx", int(Meeting::ShuffleIndex))
      .Case("vote.all.sync", int(Meeting::VoteAll))
      .Case("vote.any.sync", int(Meeting::VoteAny))
      .Case("vote.uni.sync", int(Meeting::VoteEqual))
      .Case("vote.ballot.sync", int(Meeting::Ballot))
      .Case("match.any.sync", int(Meeting::MatchAny))
      .Case("match.all.sync", int(Meeting::MatchAll))
      .Case("redux.sync.add", int(Meeting::Add))
      .Case("redux.sync.umin", int(Meeting::Min))
      .Case("redux.sync.umax", int(Meeting::Max))
      .Case("redux.sync.min", int(Meeting::SignedMin))
      .Case("redux.sync.max", int(Meeting::SignedMax))
      .Case("redux.sync.and", int(Meeting::And))
      .Case("redux.sync.or", int(Meeting::Or))
      .Case("redux.sync.xor", int(Meeting::Xor))
      .Default(-1);
}

bool Rewriter::rewriteWarp(IRBuilder<> &B, llvm::CallInst &C, StringRef Name) {
  for (const char *Suffix : {".i32", ".f32", ".i32p", ".f32p", ".i64", ".i64p"})
    if (Name.consume_back(Suffix))
      break;
  const int Kind = meetingOf(Name);
  if (Kind < 0)
    return false;
  Value *Zero = B.getInt32(0);
  // Reductions have the value first, the others the mask.
  const bool IsReduction = Kind >= int(Meeting::Add);
  Value *Mask = C.getArgOperand(IsReduction ? 1 : 0);
  Value *Given = Zero, *Other = Zero, *Clamp = Zero;
  if (Kind != int(Meeting::Sync))
    Given = C.getArgOperand(IsReduction ? 0 : 1);
  if (Name.starts_with("shfl")) {
    Other = C.getArgOperand(2);
    Clamp = C.getArgOperand(3);
  }
  if (Given->getType()->isFloatTy())
    Given = B.CreateBitCast(Given, I32);
  Value *Result = call(B, "clinch_sim_warp", I64,
                       {B.getInt32(uint32_t(Kind)), Mask,
                        B.CreateZExt(Given, I64), Other, Clamp, siteOf(B, C)});
  auto As = [&](llvm::Type *T) {
    return T->isFloatTy() ? B.CreateBitCast(B.CreateTrunc(Result, I32), T)
                          : B.CreateTrunc(Result, T);
  };
  if (auto *Pair = llvm::dyn_cast<llvm::StructType>(C.getType())) {
    Value *Both = B.CreateInsertValue(llvm::PoisonValue::get(Pair),
                                      As(Pair->getElementType(0)), 0);
    Value *Flag = B.CreateTrunc(B.CreateLShr(Result, 32), B.getInt1Ty());
    replace(C, B.CreateInsertValue(Both, Flag, 1));
  } else {
    replace(C, C.getType()->isVoidTy() ? nullptr : As(C.getType()));
  }
  return true;
}

bool Rewriter::rewriteOther(IRBuilder<> &B, llvm::CallInst &C, StringRef Name) {
  if (Name.starts_with("membar.")) {
    call(B, "clinch_sim_fence", B.getVoidTy(), {});
    B.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
    replace(C, nullptr);
  } else if (Name == "activemask") {
    // Nothing says which other lanes are here too.
    replace(C, B.CreateShl(B.getInt32(1),
                           field(B, I32, offsetof(ThreadView, Lane))));
  } else if (Name == "exit") {
    call(B, "clinch_sim_exit", B.getVoidTy(), {});
    replace(C, nullptr);
  } else if (Name == "nanosleep") {
    call(B, "clinch_sim_idle", B.getVoidTy(), {siteOf(B, C), B.getInt32(1)});
    replace(C, nullptr);
  } else if (Name.starts_with("isspacep.shared")) {
    auto *Base = field(B, Ptr, offsetof(ThreadView, Shared));
    auto *End =
        B.CreateGEP(B.getInt8Ty(), field(B, Ptr, offsetof(ThreadView, Dynamic)),
                    field(B, I32, offsetof(ThreadView, DynamicBytes)));
    Value *At = C.getArgOperand(0);
    replace(C,
            B.CreateAnd(B.CreateICmpUGE(At, Base), B.CreateICmpULT(At, End)));
  } else if (Name.starts_with("prefetch")) {
    replace(C, nullptr);
  } else {
    return false;
  }
  return true;
}

/// Functions that a processor has too; approximate ones are exact there.
bool Rewriter::rewriteMathematics(IRBuilder<> &B, llvm::CallInst &C,
                                  StringRef Name) {
  namespace I = llvm::Intrinsic;
  llvm::Type *T = C.getType();
  Value *A = C.arg_size() ? C.getArgOperand(0) : nullptr;
  const I::ID One =
      llvm::StringSwitch<I::ID>(Name)
          .StartsWith("fabs", I::fabs)
          .StartsWith("sqrt.r", I::sqrt)
          .Cases({"sqrt.f", "sqrt.approx.f", "sqrt.approx.ftz.f"}, I::sqrt)
          .StartsWith("ex2.approx", I::exp2)
          .StartsWith("lg2.approx", I::log2)
          .StartsWith("sin.approx", I::sin)
          .StartsWith("cos.approx", I::cos)
          .StartsWith("floor.", I::floor)
          .StartsWith("ceil.", I::ceil)
          .StartsWith("trunc.", I::trunc)
          .StartsWith("round.", I::roundeven)
          .Default(I::not_intrinsic);
  Value *By = nullptr;
  if (Name.contains(".rm") || Name.contains(".rp") || !T->isFPOrFPVectorTy())
    return false;
  if (One != I::not_intrinsic)
    By = B.CreateUnaryIntrinsic(One, A);
  else if (Name.starts_with("fma.rn.f") || Name.starts_with("fma.rn.d"))
    By = B.CreateIntrinsic(T, I::fma,
                           {A, C.getArgOperand(1), C.getArgOperand(2)});
  else if (Name == "fmin.f" || Name == "fmin.d" || Name == "fmin.ftz.f")
    By = B.CreateMinNum(A, C.getArgOperand(1));
  else if (Name == "fmax.f" || Name == "fmax.d" || Name == "fmax.ftz.f")
    By = B.CreateMaxNum(A, C.getArgOperand(1));
  else if (Name.starts_with("rcp."))
    By = B.CreateFDiv(llvm::ConstantFP::get(T, 1), A);
  else if (Name.starts_with("rsqrt."))
    By = B.CreateFDiv(llvm::ConstantFP::get(T, 1),
                      B.CreateUnaryIntrinsic(I::sqrt, A));
  else if (Name.starts_with("div.") && !Name.contains(".rz"))
    By = B.CreateFDiv(A, C.getArgOperand(1));
  else if (Name.starts_with("mul.rn."))
    By = B.CreateFMul(A, C.getArgOperand(1));
  else if (Name == "add.rn.f" || Name == "add.rn.d" || Name == "add.rn.ftz.f")
    By = B.CreateFAdd(A, C.getArgOperand(1));
  else if (Name.starts_with("saturate."))
    By = B.CreateMinNum(B.CreateMaxNum(A, llvm::ConstantFP::getZero(T)),
                        llvm::ConstantFP::get(T, 1));
  if (By)
    replace(C, By);
  return By != nullptr;
}

/// A processor traps where it divides by zero, or the least number by -1. A
/// device has all bits of the first, and the least number again.
void Rewriter::rewriteDivision(llvm::BinaryOperator &I) {
  using Op = llvm::Instruction;
  const bool IsSigned = I.getOpcode() == Op::SDiv || I.getOpcode() == Op::SRem;
  Value *By = I.getOperand(1);
  const auto *Known = llvm::dyn_cast<llvm::ConstantInt>(By);
  if (Known && !Known->isZero() && !(IsSigned && Known->isMinusOne()))
    return;
  IRBuilder<> B(&I);
  llvm::Constant *Ones = llvm::Constant::getAllOnesValue(I.getType());
  Value *IsZero = B.CreateIsNull(By);
  Value *IsMinus = IsSigned ? B.CreateICmpEQ(By, Ones) : B.getFalse();
  Value *Safe = B.CreateSelect(IsSigned ? B.CreateOr(IsZero, IsMinus) : IsZero,
                               llvm::ConstantInt::get(I.getType(), 1), By);
  auto *Divided = llvm::cast<llvm::Instruction>(I.clone());
  Divided->setOperand(1, Safe);
  Divided->dropPoisonGeneratingFlags();
  Value *Result = B.Insert(Divided);
  if (I.getOpcode() == Op::SDiv)
    Result = B.CreateSelect(IsMinus, B.CreateNeg(Result), Result);
  I.replaceAllUsesWith(B.CreateSelect(IsZero, Ones, Result));
  I.eraseFromParent();
}

bool Rewriter::rewriteFunction(IRBuilder<> &B, llvm::CallInst &C,
                               StringRef Name) {
  if (Name == "vprintf") {
    replace(C, call(B, "clinch_sim_print", I32,
                    {C.getArgOperand(0), C.getArgOperand(1)}));
  } else if (Name == "__assertfail") {
    call(B, "clinch_sim_assert", B.getVoidTy(),
         {C.getArgOperand(0), C.getArgOperand(1), C.getArgOperand(2),
          C.getArgOperand(3), siteOf(B, C)});
    replace(C, nullptr);
  } else if (Name == "llvm.trap" || Name == "llvm.ubsantrap") {
    call(B, "clinch_sim_trap", B.getVoidTy(), {siteOf(B, C)});
    replace(C, nullptr);
  } else {
    return false;
  }
  return true;
}

/// Returns what an instruction of the device belongs to, which is not
/// simulated.
static const char *subjectOf(StringRef Name) {
  struct Part {
    const char *In, *Subject;
  };
  static constexpr Part Parts[] = {
      {"mma", "tensor cores"},
      {"tcgen05", "tensor cores"},
      {"ldmatrix", "tensor cores"},
      {"stmatrix", "tensor cores"},
      {"mbarrier", "barriers in memory"},
      {"cp.async", "copies that go on meanwhile"},
      {"cluster", "clusters"},
      {"mapa", "clusters"},
      {"getctarank", "clusters"},
      {"tex.", "textures"},
      {"tld4.", "textures"},
      {"sust.", "surfaces"},
      {"suld.", "surfaces"},
      {"griddepcontrol", "dependent launches"},
      {"arrive", "barriers that a thread does not wait at"}};
  for (const Part &P : Parts)
    if (Name.contains(P.In))
      return P.Subject;
  return "an instruction of the device alone";
}

void Rewriter::rewriteCall(llvm::CallInst &C) {
  IRBuilder<> B(&C);
  if (C.isInlineAsm()) {
    const auto *Text = llvm::cast<llvm::InlineAsm>(C.getCalledOperand());
    if (Text->getAsmString().empty())
      return; // It orders, and does nothing.
    refuse(C, "inline PTX is not simulated: `" + Text->getAsmString() + "`");
    return;
  }
  const llvm::Function *F = C.getCalledFunction();
  if (!F || !F->isDeclaration())
    return;
  StringRef Name = F->getName();
  if (Name.starts_with("clinch_sim_") || rewriteFunction(B, C, Name))
    return;
  // The device joins what the text writes in one expression.
  if (F->getIntrinsicID() == llvm::Intrinsic::fmuladd)
    C.setCalledFunction(llvm::Intrinsic::getOrInsertDeclaration(
        &M, llvm::Intrinsic::fma, {C.getType()}));
  if (Name.consume_front("llvm.nvvm.")) {
    if (!rewriteRegister(B, C, Name) && !rewriteBarrier(B, C, Name) &&
        !rewriteWarp(B, C, Name) && !rewriteOther(B, C, Name) &&
        !rewriteMathematics(B, C, Name))
      refuse(C, llvm::Twine("`") + Name +
                    "` is not simulated: " + subjectOf(Name));
  } else if (!F->isIntrinsic()) {
    refuse(C, llvm::Twine("`") + Name +
                  "` is not simulated: a function of the device's driver");
  }
}
