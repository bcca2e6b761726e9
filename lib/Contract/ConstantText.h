// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A constant as C text.

#pragma once

#include "lib/Contract/Scalar.h"

#include <string>

namespace clinch {

class Variable;

/// Returns what c_literal of a scalar type does: the host's value of
/// \p Constant as C text, or an empty text if the host cannot read it.
std::string constantText(const Variable &Constant, const ScalarInfo &Dtype);

} // namespace clinch
