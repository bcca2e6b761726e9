//===- HostSignals.cpp - The signals that a crash sends -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostSignals.h"

#include "clinch/Support/Forks.h"

#include <algorithm>
#include <mutex>
#include <utility>

using namespace clinch;
using namespace clinch::engine;

namespace {

/// Who has a signal when we do not. Somebody who came while we had it, and
/// calls who was there before him, calls us; then it is for who was there
/// before both.
struct Host {
  struct sigaction Latest = {}, Earlier = {};
  bool LatestCallsUs = false;
};

std::mutex HandlerLock;
unsigned Users = 0;
uint32_t Turn = 0; ///< How often the handlers were set.
SignalHandler OnSignal = nullptr;
std::array<Host, CrashSignals.size()> Hosts;

Host &hostOf(int Signal) {
  return Hosts[std::find(CrashSignals.begin(), CrashSignals.end(), Signal) -
               CrashSignals.begin()];
}

/// Our handler, which carries the turn in the mask of signals that nobody uses
/// for anything: one of an earlier turn was put there by somebody who gave back
/// what he had found.
struct sigaction ours() {
  struct sigaction Action = {};
  Action.sa_sigaction = OnSignal;
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&Action.sa_mask);
  for (int Bit = 0; SIGRTMIN + Bit <= SIGRTMAX; ++Bit)
    if (Turn >> Bit & 1)
      sigaddset(&Action.sa_mask, SIGRTMIN + Bit);
  return Action;
}

bool isOurs(const struct sigaction &Action) {
  return Action.sa_flags & SA_SIGINFO && Action.sa_sigaction == OnSignal;
}

bool isOfThisTurn(const struct sigaction &Action) {
  struct sigaction Ours = ours();
  for (int S = SIGRTMIN; S <= SIGRTMAX; ++S)
    if (sigismember(&Action.sa_mask, S) != sigismember(&Ours.sa_mask, S))
      return false;
  return isOurs(Action);
}

/// To whom a signal goes that is none of ours.
const struct sigaction &receiver(int Signal, bool Nested) {
  const Host &H = hostOf(Signal);
  if (Nested || !H.LatestCallsUs)
    return H.Earlier;
  struct sigaction Now;
  sigaction(Signal, nullptr, &Now);
  return isOfThisTurn(Now) ? H.Latest : H.Earlier;
}

void takeSignal(int Signal) {
  struct sigaction Ours = ours(), Before;
  sigaction(Signal, &Ours, &Before);
  Host &H = hostOf(Signal);
  if (isOurs(Before))
    H.LatestCallsUs = false; // He has gone.
  else
    (H.LatestCallsUs ? H.Latest : H.Earlier) = Before;
}

void putHandlerBack(int Signal) {
  struct sigaction Now;
  Host &H = hostOf(Signal);
  sigaction(Signal, nullptr, &Now);
  if (!isOurs(Now)) { // Somebody else's came meanwhile: it stays.
    H.LatestCallsUs = true;
    H.Latest = Now;
    return;
  }
  H.LatestCallsUs &= isOfThisTurn(Now);
  sigaction(Signal, H.LatestCallsUs ? &H.Latest : &H.Earlier, nullptr);
}

void putHandlersBack() {
  for (int S : CrashSignals)
    putHandlerBack(S);
  llvm::remove_fatal_error_handler();
}

/// In a child of a fork no work runs.
void beginAnew() {
  if (Users)
    putHandlersBack();
  Users = 0;
}

} // namespace

void clinch::engine::passSignalOn(int Signal, siginfo_t *Info, void *Context) {
  // A signal handler may not wait for memory for it.
  [[gnu::tls_model("initial-exec")]] static thread_local bool Nested = false;
  const struct sigaction &Action = receiver(Signal, Nested);
  bool Before = std::exchange(Nested, true);
  if (Action.sa_flags & SA_SIGINFO) {
    Action.sa_sigaction(Signal, Info, Context);
  } else if (Action.sa_handler == SIG_DFL) {
    sigaction(Signal, &Action, nullptr);
    raise(Signal);
  } else if (Action.sa_handler != SIG_IGN) {
    Action.sa_handler(Signal);
  }
  Nested = Before;
}

void clinch::engine::takeSignals(SignalHandler Handler,
                                 llvm::fatal_error_handler_t OnFatal) {
  static const bool Follows = (forkGate().onFork(beginAnew), true);
  (void)Follows;
  std::lock_guard<std::mutex> Guard(HandlerLock);
  if (Users++)
    return;
  OnSignal = Handler;
  ++Turn;
  for (int S : CrashSignals)
    takeSignal(S);
  llvm::install_fatal_error_handler(OnFatal);
}

void clinch::engine::giveSignalsBack() {
  std::lock_guard<std::mutex> Guard(HandlerLock);
  if (--Users == 0)
    putHandlersBack();
}
