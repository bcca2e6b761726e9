// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What two passes over one text give.

#pragma once

#include "../Engine.h"
#include "../Files/EngineFileSystem.h"

#include <string>

namespace clinch::engine {

/// Returns \p Files with what the first pass over a text in CUDA has made, for
/// the second to find. \p Bytes receives what they refer to.
FileSources withImage(FileSources Files, const std::string &Image,
                      std::string &Bytes);

/// Returns the errors of both passes: what stands at one place, once.
Error bothErrors(Error First, Error Second);

/// Adds to the result of the second pass what the first has found and read.
void addFirst(EngineResult &Second, EngineResult First);

} // namespace clinch::engine
