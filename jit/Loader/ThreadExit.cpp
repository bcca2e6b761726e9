//===- ThreadExit.cpp - Destructors of thread-local objects ---------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadExit.h"
#include "LoadedCode.h"

#include <mutex>
#include <optional>
#include <pthread.h>
#include <unordered_map>

using namespace clinch;
using Destructor = void (*)(void *);

// NOLINTBEGIN(bugprone-reserved-identifier): of the C++ ABI
extern "C" int __cxa_thread_atexit(Destructor, void *, void *) noexcept;
extern "C" char __dso_handle;
// NOLINTEND(bugprone-reserved-identifier)

namespace {

/// Which code has which handle. It is never destroyed: threads may end late.
struct Handles {
  static Handles &process() {
    static Handles *Known = [] {
      static Handles *Made = new Handles;
      pthread_atfork([] { Made->Lock.lock(); }, [] { Made->Lock.unlock(); },
                     [] { Made->Lock.unlock(); });
      return Made;
    }();
    return *Known;
  }

  std::optional<std::weak_ptr<LoadedCode>> find(void *Handle) {
    std::lock_guard<std::mutex> Guard(Lock);
    auto Found = Codes.find(Handle);
    return Found == Codes.end() ? std::nullopt : std::optional(Found->second);
  }

  std::mutex Lock;
  std::unordered_map<void *, std::weak_ptr<LoadedCode>> Codes;
};

/// One object that a thread will destroy, and the code that does it.
struct Pending {
  Destructor Destroy;
  void *Object;
  std::shared_ptr<LoadedCode> Code;
};

void destroy(void *Given) {
  std::unique_ptr<Pending> P(static_cast<Pending *>(Given));
  P->Destroy(P->Object);
}

/// `__cxa_thread_atexit` for loaded code.
int atThreadExit(Destructor Destroy, void *Object, void *Handle) {
  auto Code = Handles::process().find(Handle);
  if (!Code) // A library's, or linked by somebody else.
    return __cxa_thread_atexit(Destroy, Object, Handle);
  auto P = std::make_unique<Pending>(Destroy, Object, Code->lock());
  // What is made while its code is being destroyed is not destroyed any more.
  if (!P->Code)
    return 0;
  int Failed = __cxa_thread_atexit(destroy, P.get(), &__dso_handle);
  if (!Failed)
    P.release(); // NOLINT(bugprone-unused-return-value): destroy() has it now.
  return Failed;
}

} // namespace

void *clinch::findThreadExit(std::string_view Name) {
  if (Name == "__cxa_thread_atexit" || Name == "__cxa_thread_atexit_impl")
    return reinterpret_cast<void *>(&atThreadExit);
  return nullptr;
}

void clinch::keepForThreads(const std::vector<void *> &DSOHandles,
                            const std::shared_ptr<LoadedCode> &Code) {
  if (DSOHandles.empty())
    return;
  auto &Known = Handles::process();
  std::lock_guard<std::mutex> Guard(Known.Lock);
  for (void *H : DSOHandles)
    Known.Codes[H] = Code;
}

void clinch::forgetForThreads(const std::vector<void *> &DSOHandles) {
  if (DSOHandles.empty())
    return;
  auto &Known = Handles::process();
  std::lock_guard<std::mutex> Guard(Known.Lock);
  for (void *H : DSOHandles)
    Known.Codes.erase(H);
}
