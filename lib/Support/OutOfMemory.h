// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error that takes no memory.
//
// std::bad_alloc is the one exception that Clinch throws. What must be given
// back then has an owner that does so: locks, references, files. It is caught
// where the caller knows no exceptions: Python, C, a thread of ours. In between
// it is caught only to restore an invariant.

#pragma once

#include "clinch/Support/Expected.h"

#include <exception>
#include <new>

namespace clinch {

/// To be called by a thread before it throws for the first time. That needs a
/// variable of the thread, for which glibc allocates memory, or ends the
/// process.
inline void prepareToThrow() noexcept { (void)std::uncaught_exceptions(); }

/// Short enough for a std::string to hold without an allocation.
inline Error outOfMemory() noexcept {
  return {Error::Kind::Limit, "Out of memory."};
}

} // namespace clinch
