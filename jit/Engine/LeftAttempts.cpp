//===- LeftAttempts.cpp - Compiles that nobody waits for -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LeftAttempts.h"

#include "clinch/Support/Forks.h"

#include <cstdlib>

using namespace clinch;
using namespace clinch::engine;

/// Never destroyed: at the end of the process some may still be on their way.
LeftAttempts &LeftAttempts::process() {
  static LeftAttempts *Made = make();
  return *Made;
}

LeftAttempts *LeftAttempts::make() {
  std::atexit(atExit);
  forkGate().onFork(beginAnew);
  return new LeftAttempts;
}

/// In a child of a fork they never end.
void LeftAttempts::beginAnew() {
  LeftAttempts &L = process();
  new decltype(L.Left)(std::move(L.Left));
  L.Left.clear();
}

/// LLVM's own static objects go after this; what cannot be stopped dies of that
/// by itself, guarded as any crash is.
void LeftAttempts::atExit() {
  LeftAttempts &L = process();
  decltype(L.Left) All;
  {
    std::lock_guard<std::mutex> Guard(L.Lock);
    All.swap(L.Left);
  }
  for (Entry &E : All)
    if (!E.A->stopWithin(std::chrono::milliseconds(500)) || E.A->crashed())
      (void)E.A.release(); // It uses what is in it to the end.
}

void LeftAttempts::add(const void *Engine, std::unique_ptr<Attempt> A) {
  std::lock_guard<std::mutex> Guard(Lock);
  Left.push_back({Engine, std::move(A), std::chrono::steady_clock::now()});
}

LeftAttempts::List LeftAttempts::take(const void *Engine, bool All) {
  List Taken;
  std::lock_guard<std::mutex> Guard(Lock);
  constexpr std::chrono::seconds Patience(1);
  std::erase_if(Left, [&](Entry &E) {
    if (E.Engine != Engine)
      return false;
    bool Late = std::chrono::steady_clock::now() - E.Since > Patience;
    bool Ready = All || E.A->ended(std::chrono::milliseconds(0)) ||
                 (Late && E.A->stopWithin(std::chrono::milliseconds(20)));
    if (Ready)
      Taken.push_back(std::move(E.A));
    return Ready;
  });
  return Taken;
}

LeftAttempts::List LeftAttempts::takeEnded(const void *Engine) {
  return take(Engine, /*All=*/false);
}

void LeftAttempts::takeAll(const void *Engine) {
  for (std::unique_ptr<Attempt> &A : take(Engine, /*All=*/true))
    if (A->crashed())
      (void)A.release(); // May hold anything: never deleted.
}
