//===- LeftAttempts.cpp - Compiles that nobody waits for -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LeftAttempts.h"

#include <cstdlib>

using namespace clinch::engine;

/// Never destroyed: at the end of the process some may still be on their way.
LeftAttempts &LeftAttempts::process() {
  static auto *Made = new LeftAttempts;
  return *Made;
}

/// LLVM's own static objects go after this; a pass that took longer than this
/// waits then dies of that by itself, guarded as any crash is.
void LeftAttempts::atExit() {
  constexpr std::chrono::seconds Most(2);
  auto Deadline = std::chrono::steady_clock::now() + Most;
  LeftAttempts &L = process();
  std::lock_guard<std::mutex> Guard(L.Lock);
  for (auto &Entry : L.Left)
    (void)Entry.second->ended(
        std::chrono::duration_cast<std::chrono::milliseconds>(
            Deadline - std::chrono::steady_clock::now()));
}

void LeftAttempts::add(const void *Engine, std::unique_ptr<Attempt> A) {
  static int Registered = std::atexit(atExit);
  (void)Registered;
  std::lock_guard<std::mutex> Guard(Lock);
  Left.emplace_back(Engine, std::move(A));
}

LeftAttempts::List LeftAttempts::take(const void *Engine, bool All) {
  List Taken;
  std::lock_guard<std::mutex> Guard(Lock);
  std::erase_if(Left, [&](auto &Entry) {
    bool Ready = Entry.first == Engine &&
                 (All || Entry.second->ended(std::chrono::milliseconds(0)));
    if (Ready)
      Taken.push_back(std::move(Entry.second));
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
      Crashed.push_back(std::move(A));
}
