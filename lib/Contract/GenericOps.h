// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops whose code Types provide.

#pragma once

#include "clinch/Contract/Op.h"

#include <optional>
#include <string>

namespace clinch {

/// What registerCode() was given.
struct RegisteredCode {
  std::string Code, Version, CheckInput;
};
std::optional<RegisteredCode> registeredCode(GenericOp Op,
                                             const std::string &TypeKey);

} // namespace clinch
