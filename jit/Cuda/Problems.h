// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What went wrong on a device.

#pragma once

#include "clinch/Support/Expected.h"

#include <cstdint>
#include <optional>
#include <string>

namespace clinch::cuda {

/// A number of CUDA's for an error, of its driver and runtime alike; 0: none.
using Code = int;
constexpr Code Success = 0, InvalidConfiguration = 9, InsufficientDriver = 35,
               InvalidFunction = 98, NoDevice = 100, UnsupportedPTX = 222,
               LaunchFailure = 719;

/// What went wrong last in a thread, until somebody asks.
struct Problem {
  Code Number;
  Error What;
};

/// Notes a problem of this thread; returns its number.
Code note(Code Number, Error What);
/// The same, with a sentence and where it happened.
Code note(Code Number, const std::string &Message,
          const std::string &Origin = "", unsigned Line = 0);

/// The number of the last problem.
Code lastProblem();
/// Returns it, and forgets it.
std::optional<Problem> takeProblem();

/// Returns what a number means, in CUDA's words.
const char *meaningOf(Code Number);

} // namespace clinch::cuda
