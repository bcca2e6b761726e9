// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of Python as bytes of C.

#pragma once

#include "clinch/Contract/Type.h"

namespace clinch {

/// Lets lib/ read constants that are Python objects; see setScalarReader().
void installScalarReader();

} // namespace clinch
