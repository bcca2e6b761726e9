// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands cc and c++.

#pragma once

#include "Commands.h"

#include "llvm/ADT/ArrayRef.h"

namespace clinch::engine {

/// Runs Clang's driver and all of its jobs in this process. The first argument
/// is `cc` or `c++`. Returns the exit status.
int runGccDriver(llvm::ArrayRef<const char *> Arguments,
                 const ObjectStore &Store);

} // namespace clinch::engine
