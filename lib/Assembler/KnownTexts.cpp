//===- KnownTexts.cpp - Texts that were looked at before -----------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnownTexts.h"

using namespace clinch;

KnownTexts &KnownTexts::process() {
  static auto *K = new KnownTexts;
  return *K;
}

bool KnownTexts::contains(const std::string &Text) {
  std::lock_guard<std::mutex> Guard(Lock);
  return Texts.count(Text) != 0;
}

/// What is full begins anew: what is said again and again is soon back.
void KnownTexts::add(const std::string &Text) {
  if (Text.size() > Longest)
    return;
  std::lock_guard<std::mutex> Guard(Lock);
  if (Bytes + Text.size() > Most) {
    Texts.clear();
    Bytes = 0;
  }
  if (Texts.insert(Text).second)
    Bytes += Text.size() + sizeof(std::string);
}
