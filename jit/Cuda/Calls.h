// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of NVIDIA's driver.

#pragma once

#include "Driver.h"

namespace clinch::cuda {

/// Notes what the driver says of a call.
inline Code checked(Code Number, const char *Called) {
  if (!Number)
    return Success;
  return note(Number, std::string("`") + Called +
                          "` failed: " + meaningOf(Number) + " (" +
                          std::to_string(Number) + ").");
}

/// Calls a function of the driver in a context.
template <typename Function, typename... Given>
Code call(const char *Called, Function Driver::*F, Given... Arguments) {
  const Driver *D = driver();
  if (!D || !currentContext(*D))
    return lastProblem();
  return checked((D->*F)(Arguments...), Called);
}

} // namespace clinch::cuda
