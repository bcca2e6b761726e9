// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which line crashed, and the functions around it.
//
// The handler takes no lock and allocates nothing. The unwinder does neither
// once it has been called, and is asked only for frames that are not ours.

#include "CrashNotes.h"
#include "lib/Support/Forks.h"

#include "llvm/Demangle/Demangle.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

using namespace clinch;

/// A place in the list of tables. Those that are gone stay readable while a
/// handler runs.
struct CrashNotes::Node {
  LineTable Lines;
  std::atomic<Node *> Next{nullptr};
  Node *Previous = nullptr; ///< Guarded by ProcessLock::CrashNotes.
};

namespace {

struct CrashSignal {
  int Number;
  const char *Name;
};
constexpr std::array<CrashSignal, 5> Signals = {
    {{SIGSEGV, "segmentation fault"},
     {SIGBUS, "bus error"},
     {SIGFPE, "arithmetic error"},
     {SIGILL, "illegal instruction"},
     {SIGABRT, "abort"}}};

std::atomic<CrashNotes::Node *> First{nullptr};
std::atomic<bool> Enabled{false};
std::atomic<bool> Noting{false}; ///< A handler reads the list.
std::array<char, 512> LastNote;
std::array<struct sigaction, Signals.size()> Before;

/// One line of text.
class Note {
public:
  Note &operator<<(const char *Text) {
    while (*Text && Length + 1 < sizeof Bytes)
      Bytes[Length++] = *Text++;
    return *this;
  }
  Note &operator<<(unsigned Number) {
    char Digits[12];
    char *At = Digits + sizeof Digits;
    *--At = 0;
    do
      *--At = char('0' + Number % 10);
    while (Number /= 10);
    return *this << At;
  }
  /// Writes the line, of which \p Copy gets all but its end.
  void write(std::array<char, 512> &Copy) {
    std::copy_n(Bytes, Length, Copy.begin());
    Copy.at(Length) = 0;
    Bytes[Length++] = '\n';
    [[maybe_unused]] ssize_t Written = ::write(STDERR_FILENO, Bytes, Length);
  }

private:
  char Bytes[512];
  size_t Length = 0;
};

/// The innermost line of ours that the frames so far have shown.
struct Search {
  LineTable::Line Line{};
  bool Found = false;
  bool IsOuter = false; ///< Code that it called has crashed.
  int Frames = 0;

  /// Returns whether \p Address is in an author's or our own text.
  bool look(uintptr_t Address) {
    for (auto *N = First.load(std::memory_order_acquire); N;
         N = N->Next.load(std::memory_order_acquire)) {
      LineTable::Line Here;
      if (!N->Lines.contains(Address) || !N->Lines.find(Address, Here))
        continue;
      if (!Found || !Here.IsHeader)
        Line = Here;
      Found = true;
      return !Here.IsHeader;
    }
    IsOuter |= !Found;
    return false;
  }
};

_Unwind_Reason_Code onCrashFrame(_Unwind_Context *Frame, void *Argument) {
  constexpr int MostFrames = 256;
  auto &S = *static_cast<Search *>(Argument);
  int IsExact = 0;
  uintptr_t Address = _Unwind_GetIPInfo(Frame, &IsExact);
  if (IsExact && !S.Found) // What a signal has interrupted.
    S.IsOuter = false;
  const bool Ends = !Address || ++S.Frames > MostFrames ||
                    S.look(IsExact ? Address : Address - 1);
  return Ends ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/// Finds the line that \p Context interrupted, or that called what it did.
Search search(const ucontext_t &Context) {
  const auto &Registers = Context.uc_mcontext.gregs;
  Search S;
  if (S.look(uintptr_t(Registers[REG_RIP])))
    return S;
  if (Registers[REG_RIP] == 0) { // A call of NULL: only the caller is known.
    S.look(*reinterpret_cast<uintptr_t *>(Registers[REG_RSP]) - 1);
    return S;
  }
  Search OfFrames; // They begin at the handler.
  _Unwind_Backtrace(onCrashFrame, &OfFrames);
  return OfFrames.Found ? OfFrames : S;
}

void passOn(size_t Which, siginfo_t *Info, void *Context) {
  const struct sigaction &Old = Before[Which];
  if (Old.sa_flags & SA_SIGINFO)
    return Old.sa_sigaction(Signals[Which].Number, Info, Context);
  if (Old.sa_handler != SIG_DFL && Old.sa_handler != SIG_IGN)
    return Old.sa_handler(Signals[Which].Number);
  // A fault happens again; the kernel does not let it be ignored.
  sigaction(Signals[Which].Number, &Old, nullptr);
  if (Info->si_code <= 0)
    raise(Signals[Which].Number);
}

void onSignal(int Signal, siginfo_t *Info, void *Context) {
  size_t Which = 0;
  while (Signals[Which].Number != Signal)
    ++Which;
  if (!Noting.exchange(true)) { // Else this may be a fault of what follows.
    CrashNotes::write(Signals[Which].Name, Context);
    Noting = false;
  }
  passOn(Which, Info, Context);
}

/// Gives this thread a stack for handlers, unless it has one: its own may be
/// used up.
void makeHandlerStack() {
  constexpr size_t Size = 64 << 10;
  stack_t Now = {};
  if (sigaltstack(nullptr, &Now) != 0 || !(Now.ss_flags & SS_DISABLE))
    return;
  void *Stack = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (Stack == MAP_FAILED)
    return;
  Now = {};
  Now.ss_sp = Stack;
  Now.ss_size = Size;
  sigaltstack(&Now, nullptr);
}

_Unwind_Reason_Code nothing(_Unwind_Context *, void *) {
  return _URC_END_OF_STACK;
}

} // namespace

void CrashNotes::write(const char *What, void *Context) {
  LastNote.front() = 0;
  const Search S = search(*static_cast<ucontext_t *>(Context));
  if (!S.Found)
    return;
  Note Text;
  Text << "clinch: " << What << (S.IsOuter ? " in code called from " : " in ")
       << S.Line.File << ", line " << S.Line.Number;
  Text.write(LastNote);
}

bool CrashNotes::knows(uintptr_t Address) { return Search().look(Address); }

CrashNotes::Place CrashNotes::placeOf(uintptr_t Address) {
  Search S;
  if (!S.look(Address))
    return {};
  Place Found{"", S.Line.File, S.Line.Number};
  for (auto *N = First.load(); N; N = N->Next)
    if (const std::string *Symbol = N->Lines.functionAt(Address))
      Found.Function = llvm::demangle(*Symbol);
  Found.Function.resize(
      std::min(Found.Function.find('('), Found.Function.size()));
  return Found;
}

const char *CrashNotes::last() { return LastNote.data(); }

void CrashNotes::enable() {
  LockGuard Guard(lockOf(ProcessLock::CrashNotes));
  if (Enabled.exchange(true))
    return;
  _Unwind_Backtrace(nothing, nullptr);
  makeHandlerStack();
  struct sigaction Ours = {};
  Ours.sa_sigaction = onSignal;
  Ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&Ours.sa_mask);
  for (size_t I = 0; I != Signals.size(); ++I)
    sigaction(Signals[I].Number, &Ours, &Before[I]);
}

bool CrashNotes::enabled() { return Enabled; }

CrashNotes::CrashNotes(LineTable Lines) : Own(new Node{std::move(Lines)}) {
  LockGuard Guard(lockOf(ProcessLock::CrashNotes));
  Node *Next = First.load(std::memory_order_relaxed);
  Own->Next = Next;
  if (Next)
    Next->Previous = Own;
  First.store(Own, std::memory_order_release);
}

CrashNotes::~CrashNotes() {
  LockGuard Guard(lockOf(ProcessLock::CrashNotes));
  Node *Next = Own->Next;
  (Own->Previous ? Own->Previous->Next : First) = Next;
  if (Next)
    Next->Previous = Own->Previous;
  if (!Noting) // Else a handler may be reading it.
    delete Own;
}

namespace {

struct Walk {
  CrashFrames &Found;
  uintptr_t Stack;
  bool HasBegun = false; ///< The handler's own frames are past.
};

_Unwind_Reason_Code onCallerFrame(_Unwind_Context *Frame, void *Argument) {
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
  _Unwind_Backtrace(onCallerFrame, &W);
}
