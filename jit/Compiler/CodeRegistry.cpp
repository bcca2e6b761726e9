//===- CodeRegistry.cpp - The live code of the process -------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeRegistry.h"

#include <algorithm>
#include <chrono>
#include <pthread.h>

using namespace clinch;

const std::string *CompileRecord::stage(Stage S) const {
  for (const auto &[Name, Text] : Kept)
    if (Name == S)
      return &Text;
  return nullptr;
}

bool CompileRecord::hasStages(const std::vector<Stage> &Wanted) const {
  return std::all_of(Wanted.begin(), Wanted.end(),
                     [&](Stage S) { return stage(S) != nullptr; });
}

LiveCode::~LiveCode() {
  if (Code)
    CodeRegistry::process().leave(*this);
}

CodeRegistry &CodeRegistry::process() {
  static CodeRegistry *Registry = [] {
    static CodeRegistry *Made = new CodeRegistry;
    // A child has none of the threads that were compiling, so nobody would
    // finish what they had begun.
    pthread_atfork([] { Made->Lock.lock(); }, [] { Made->Lock.unlock(); },
                   [] {
                     for (auto &Entry : Made->Flights)
                       new std::shared_ptr<Flight>(std::move(Entry.second));
                     Made->Flights.clear();
                     Made->Lock.unlock();
                   });
    return Made;
  }();
  return *Registry;
}

std::shared_ptr<const LiveCode> CodeRegistry::find(const std::string &Key) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = Table.find(Key);
  return Found == Table.end() ? nullptr : Found->second.lock();
}

std::optional<CodeRegistry::Outcome>
CodeRegistry::waitOrLead(const std::string &Key,
                         const std::function<bool()> &Interrupted) {
  std::unique_lock<std::mutex> Guard(Lock);
  std::shared_ptr<Flight> &Slot = Flights[Key];
  if (!Slot) {
    Slot = std::make_shared<Flight>();
    return std::nullopt;
  }
  std::shared_ptr<Flight> F = Slot;
  auto IsDone = [&] { return F->Result.has_value(); };
  if (!Interrupted)
    F->Done.wait(Guard, IsDone);
  while (!F->Done.wait_for(Guard, std::chrono::milliseconds(50), IsDone)) {
    Guard.unlock();
    bool Leave = Interrupted();
    Guard.lock();
    if (Leave)
      return Outcome{nullptr, std::nullopt, /*LeftWaiting=*/true};
  }
  return F->Result;
}

void CodeRegistry::finish(const std::string &Key, Outcome O) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = Flights.find(Key);
  if (Found == Flights.end())
    return;
  std::shared_ptr<Flight> F = std::move(Found->second);
  Flights.erase(Found);
  F->Result = std::move(O);
  F->Done.notify_all();
}

void CodeRegistry::publish(const std::shared_ptr<const LiveCode> &Live) {
  std::lock_guard<std::mutex> Guard(Lock);
  Table[Live->Key] = Live;
  ++Modules;
  Bytes += Live->Code->bytes();
}

void CodeRegistry::leave(const LiveCode &Live) {
  std::lock_guard<std::mutex> Guard(Lock);
  --Modules;
  Bytes -= Live.Code->bytes();
  // Another copy may stand under the same key by now.
  auto Found = Table.find(Live.Key);
  if (Found != Table.end() && Found->second.expired())
    Table.erase(Found);
}

size_t CodeRegistry::liveModules() const {
  std::lock_guard<std::mutex> Guard(Lock);
  return Modules;
}

size_t CodeRegistry::liveBytes() const {
  std::lock_guard<std::mutex> Guard(Lock);
  return Bytes;
}
