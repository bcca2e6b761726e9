// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that run when a thread, the process or loaded code ends.

#include "ExitFunctions.h"
#include "LoadedCode.h"

#include <memory>
#include <new>

using namespace clinch;
using Destructor = void (*)(void *);

// NOLINTBEGIN(bugprone-reserved-identifier): of the C++ ABI
extern "C" {
int __cxa_atexit(Destructor, void *, void *) noexcept;
int __cxa_thread_atexit(Destructor, void *, void *) noexcept;
int __cxa_at_quick_exit(void (*)(), void *) noexcept;
int __register_atfork(void (*)(), void (*)(), void (*)(), void *) noexcept;
extern char __dso_handle;
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {
/// An object that a thread will destroy, and the code that does so.
struct Pending {
  Destructor Destroy;
  void *Object;
  std::shared_ptr<LoadedCode> Code;
};

void destroy(void *Given) {
  std::unique_ptr<Pending> P(static_cast<Pending *>(Given));
  P->Destroy(P->Object);
}

/// Only our handles have its address.
const char Mark = 0;

/// Returns null if the handle is of code that was not linked by us.
LoadedCode *codeOf(void *Handle) {
  const auto *Own = static_cast<const DSOHandle *>(Handle);
  return Own && Own->Mark == &Mark ? Own->Code : nullptr;
}

/// `__cxa_atexit` for loaded code.
int atDestruction(Destructor Destroy, void *Object, void *Handle) {
  LoadedCode *Code = codeOf(Handle);
  return __cxa_atexit(Destroy, Object, Code ? Code : Handle);
}

int atExit(void (*Run)(), void *, void *, LoadedCode *Code) {
  auto Call = [](void *Given) { reinterpret_cast<void (*)()>(Given)(); };
  return __cxa_atexit(Call, reinterpret_cast<void *>(Run), Code);
}

int atQuickExit(void (*Run)(), void *, void *, LoadedCode *Code) {
  return __cxa_at_quick_exit(Run, Code);
}

int atFork(void (*Before)(), void (*InParent)(), void (*InChild)(),
           LoadedCode *Code) {
  return __register_atfork(Before, InParent, InChild, Code);
}

/// `__cxa_thread_atexit` for loaded code.
int atThreadExit(Destructor Destroy, void *Object, void *Handle) {
  LoadedCode *Code = codeOf(Handle);
  if (!Code)
    return __cxa_thread_atexit(Destroy, Object,
                               Handle ? Handle
                                      : &__dso_handle); // glibc needs one.
  // The caller is compiled code, which expects no exception here.
  auto P = std::unique_ptr<Pending>(new (std::nothrow) Pending{
      Destroy, Object, Code->weak_from_this().lock()});
  if (!P)
    return -1;
  // Objects created while their code is being destroyed are not destroyed.
  if (!P->Code)
    return 0;
  int Failed = __cxa_thread_atexit(destroy, P.get(), &__dso_handle);
  if (!Failed)
    P.release(); // NOLINT(bugprone-unused-return-value): destroy() has it now.
  return Failed;
}
} // namespace

DSOHandle clinch::makeHandle(LoadedCode &Code) { return {&Mark, &Code}; }

void *clinch::findRegistration(std::string_view Name) {
  if (Name == "__cxa_atexit")
    return reinterpret_cast<void *>(&atDestruction);
  if (Name == "__cxa_thread_atexit" || Name == "__cxa_thread_atexit_impl")
    return reinterpret_cast<void *>(&atThreadExit);
  return nullptr;
}

void *clinch::findExitFunction(std::string_view Name) {
  if (Name == "atexit")
    return reinterpret_cast<void *>(&atExit);
  if (Name == "at_quick_exit")
    return reinterpret_cast<void *>(&atQuickExit);
  if (Name == "pthread_atfork")
    return reinterpret_cast<void *>(&atFork);
  return nullptr;
}
