//===- CodeRegistry.cpp - The live code of the process -------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeRegistry.h"

#include <algorithm>

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
  static auto *Registry = new CodeRegistry;
  return *Registry;
}

std::shared_ptr<const LiveCode> CodeRegistry::find(const std::string &Key) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = Table.find(Key);
  return Found == Table.end() ? nullptr : Found->second.lock();
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
