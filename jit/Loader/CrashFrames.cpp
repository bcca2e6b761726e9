// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frames that a signal interrupted.

#include "CrashFrames.h"
#include "CrashNotes.h"

#include <unwind.h>

using namespace clinch;

namespace {

struct Walk {
  CrashFrames &Found;
  uintptr_t Stack;
  bool HasBegun = false; ///< The handler's own frames are past.
};

_Unwind_Reason_Code onFrame(_Unwind_Context *Frame, void *Argument) {
  auto &W = *static_cast<Walk *>(Argument);
  int IsExact = 0;
  const uintptr_t Address = _Unwind_GetIPInfo(Frame, &IsExact);
  if (!W.HasBegun && !IsExact)
    return _URC_NO_REASON;
  const uintptr_t Stack = W.HasBegun ? _Unwind_GetCFA(Frame) : W.Stack;
  W.HasBegun = true;
  return Address && W.Found.add(IsExact ? Address : Address - 1, Stack)
             ? _URC_NO_REASON
             : _URC_END_OF_STACK;
}

} // namespace

bool CrashFrames::add(uintptr_t Address, uintptr_t Stack) {
  if (Stack >= End)
    return false;
  if (!CrashNotes::knows(Address))
    return true;
  if (Count < Most)
    Addresses[Count] = Address;
  return ++Count < Farthest;
}

void CrashFrames::take(const ucontext_t &Context, const void *Outermost) {
  Count = 0;
  End = reinterpret_cast<uintptr_t>(Outermost);
  const auto Stack = uintptr_t(Context.uc_mcontext.gregs[REG_RSP]);
  if (Context.uc_mcontext.gregs[REG_RIP] == 0) {
    // A call of NULL, behind which the unwinder does not see.
    add(*reinterpret_cast<uintptr_t *>(Stack) - 1, Stack);
    return;
  }
  Walk W{*this, Stack};
  _Unwind_Backtrace(onFrame, &W);
}
