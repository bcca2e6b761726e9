// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static objects are not destroyed.
//
// A compile that was left may still run when the process ends, and use LLVM's
// static objects. So their destructors are not registered: within this library
// this stands for the function that does so.

// NOLINTBEGIN(bugprone-reserved-identifier): the C++ ABI's name
extern "C" __attribute__((visibility("hidden"))) int
__cxa_atexit(void (*)(void *), void *, void *) {
  return 0;
}
// NOLINTEND(bugprone-reserved-identifier)
