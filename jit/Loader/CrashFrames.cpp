// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frames that a signal interrupted.

#include "CrashFrames.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

using namespace clinch;

namespace {

constexpr unsigned StackPointer = 7;
constexpr size_t RedZone = 128; ///< Below it, a leaf may have variables.
constexpr size_t Page = 4096;
constexpr std::array<unsigned, 6> Preserved = {3, 6, 12, 13, 14, 15};
constexpr std::array<int, 16> Places = {
    REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP,
    REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

CrashFrame interrupted(const ucontext_t &Context) {
  CrashFrame F;
  F.Address = uintptr_t(Context.uc_mcontext.gregs[REG_RIP]);
  F.IsExact = true;
  for (size_t I = 0; I != Places.size(); ++I)
    F.General[I] = uint64_t(Context.uc_mcontext.gregs[Places[I]]);
  if (Context.uc_mcontext.fpregs)
    std::memcpy(F.Vector.data(), Context.uc_mcontext.fpregs->_xmm,
                sizeof F.Vector);
  return F;
}

struct Walk {
  CrashFrames &Found;
  const ucontext_t &Context;
  bool HasBegun = false; ///< The handler's own frames are past.
};

_Unwind_Reason_Code onFrame(_Unwind_Context *Frame, void *Argument) {
  auto &W = *static_cast<Walk *>(Argument);
  int IsExact = 0;
  const uintptr_t Address = _Unwind_GetIPInfo(Frame, &IsExact);
  if (!W.HasBegun && !IsExact)
    return _URC_NO_REASON;
  CrashFrame F;
  if (!W.HasBegun) {
    F = interrupted(W.Context);
  } else {
    F.Address = IsExact ? Address : Address - 1;
    for (unsigned Register : Preserved)
      F.General[Register] = _Unwind_GetGR(Frame, int(Register));
    F.General[StackPointer] = _Unwind_GetCFA(Frame);
  }
  W.HasBegun = true;
  return Address && W.Found.add(F) ? _URC_NO_REASON : _URC_END_OF_STACK;
}

} // namespace

bool CrashFrame::knows(unsigned Register) const {
  return IsExact || Register == StackPointer ||
         std::find(Preserved.begin(), Preserved.end(), Register) !=
             Preserved.end();
}

bool CrashFrames::add(const CrashFrame &Found) {
  if (Found.General[StackPointer] >= End)
    return false;
  if (!fileOfCode(Found.Address))
    return true;
  if (Count < Most)
    Frames[Count] = Found;
  return ++Count < Farthest;
}

void CrashFrames::take(const ucontext_t &Context, const void *Outermost) {
  forget();
  End = reinterpret_cast<uintptr_t>(Outermost);
  const auto Stack = uintptr_t(Context.uc_mcontext.gregs[REG_RSP]);
  if (Stack >= End)
    return;
  copyStack(Stack - RedZone, End);
  if (Context.uc_mcontext.gregs[REG_RIP] == 0) {
    // A call of NULL, behind which the unwinder does not see.
    CrashFrame Caller = interrupted(Context);
    Caller.Address = *reinterpret_cast<uintptr_t *>(Stack) - 1;
    Caller.IsExact = false;
    Caller.General[StackPointer] += sizeof(uintptr_t);
    add(Caller);
    return;
  }
  Walk W{*this, Context, false};
  _Unwind_Backtrace(onFrame, &W);
}

void CrashFrames::copyStack(uintptr_t From, uintptr_t To) {
  const int Memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  // Where the stack was used up there is no memory at its end.
  for (char First; From < To && pread(Memory, &First, 1, off_t(From)) != 1;)
    From = (From + Page) & ~(Page - 1);
  if (Memory < 0 || From >= To)
    return;
  void *Room = mmap(nullptr, To - From, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Room != MAP_FAILED) {
    Copy = static_cast<char *>(Room);
    Begin = From;
    Size = To - From;
    for (ssize_t Read = 1; Read > 0 && From < To; From += size_t(Read))
      Read = pread(Memory, Copy + (From - Begin), To - From, off_t(From));
  }
  close(Memory);
}

void CrashFrames::forget() {
  if (Copy)
    munmap(Copy, Size);
  Copy = nullptr;
  Size = Count = 0;
}
