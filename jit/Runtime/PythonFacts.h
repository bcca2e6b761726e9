// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts about the C API of Python and NumPy.

#pragma once

#include "jit/Engine/Checker/TextChecker.h"

namespace clinch {

/// What a check of texts knows of Python's functions and NumPy's.
CallFacts pythonFacts();

} // namespace clinch
