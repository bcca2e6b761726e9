//===- Upgrade.cpp - Better code for what runs already ----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Upgrade.h"

#include "UpgradeThread.h"

using namespace clinch;

void Upgrade::request() {
  if (!Requested.exchange(true))
    UpgradeThread::process().add(weak_from_this());
  else
    UpgradeThread::process().wake();
}

void Upgrade::compile() {
  std::shared_ptr<const Request> R;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    R = What;
  }
  if (!R)
    return;
  // Two who are here at once wait for one compile, as for any text.
  Expected<Module> Made = S.compile(R->Text, R->Options);
  std::lock_guard<std::mutex> Guard(Lock);
  if (!What)
    return;
  What.reset();
  // Without better code the one at hand goes on.
  if (Made)
    Code = std::move(*Made);
  Now.store(Made ? Progress::Compiled : Progress::Failed,
            std::memory_order_release);
}

const Program::Entries *Upgrade::take() {
  if (Found || progress() != Progress::Compiled)
    return Found ? &*Found : nullptr;
  PendingError Aside;
  Expected<Program::Entries> E =
      Program::Entries::find(Code, Form::Struct, HasModuleInit);
  if (E && E->StateSize == StateSize) {
    Found = *E;
    return &*Found;
  }
  PyErr_Clear();
  Now.store(Progress::Failed, std::memory_order_release);
  return nullptr;
}
