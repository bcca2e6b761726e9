// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Destructors of thread-local objects.

#include "ThreadExit.h"
#include "LoadedCode.h"

#include <memory>
#include <new>

using namespace clinch;
using Destructor = void (*)(void *);

// NOLINTBEGIN(bugprone-reserved-identifier): of the C++ ABI
extern "C" int __cxa_thread_atexit(Destructor, void *, void *) noexcept;
extern "C" char __dso_handle;
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

/// `__cxa_thread_atexit` for loaded code.
int atThreadExit(Destructor Destroy, void *Object, void *Handle) {
  const auto *Own = static_cast<const DSOHandle *>(Handle);
  if (!Own || Own->Mark != &Mark) // Not linked by us.
    return __cxa_thread_atexit(Destroy, Object,
                               Handle ? Handle
                                      : &__dso_handle); // glibc needs one.
  // The caller is compiled code, which expects no exception here.
  auto P = std::unique_ptr<Pending>(new (std::nothrow) Pending{
      Destroy, Object, Own->Code->weak_from_this().lock()});
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

void *clinch::findThreadExit(std::string_view Name) {
  if (Name == "__cxa_thread_atexit" || Name == "__cxa_thread_atexit_impl")
    return reinterpret_cast<void *>(&atThreadExit);
  return nullptr;
}
