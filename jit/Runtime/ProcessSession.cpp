//===- ProcessSession.cpp - The session that Python shares ------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProcessSession.h"

using namespace clinch;

namespace {
struct Shared {
  SessionOptions Options;
  std::shared_ptr<Session> Current;
  /// Compiles may be on their way in them, on other threads.
  std::vector<std::shared_ptr<Session>> Retired;
};
} // namespace

static Shared &shared() {
  static auto *S = new Shared();
  return *S;
}

Expected<Session *> clinch::processSession() {
  Shared &S = shared();
  if (!S.Current) {
    Expected<std::shared_ptr<Session>> Made = Session::create(S.Options);
    if (!Made)
      return Made.takeError();
    S.Current = std::move(*Made);
  }
  return S.Current.get();
}

void clinch::configureProcessSession(SessionOptions O) {
  Shared &S = shared();
  S.Options = std::move(O);
  if (S.Current)
    S.Retired.push_back(std::move(S.Current));
}
