// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compile looks at on its way.

#pragma once

#include "clang/Frontend/CompilerInstance.h"

#include <chrono>

namespace clinch::engine {

class CompleteRegions;

/// Ends the text at the next token if statements nest too deeply: lookup
/// searches every open scope, so the time would be quadratic. Clang itself
/// counts brackets. Shows each token to \p Texts, if any.
void watchTokens(clang::CompilerInstance &CI, CompleteRegions *Texts);

/// Refuses `#pragma clang __debug`, which can crash, print or never return.
void refuseDebugPragmas(clang::CompilerInstance &CI);

/// Refuses NVIDIA's headers by name: what kernels need of them is there without
/// them, declared otherwise.
void refuseHeadersOfCUDA(clang::CompilerInstance &CI);

/// Adds its lifetime in milliseconds to a sum.
class Timer {
public:
  explicit Timer(double &Ms) : Ms(Ms), Start(Clock::now()) {}
  ~Timer() {
    Ms +=
        std::chrono::duration<double, std::milli>(Clock::now() - Start).count();
  }
  Timer(const Timer &) = delete;
  Timer &operator=(const Timer &) = delete;

private:
  using Clock = std::chrono::steady_clock;
  double &Ms;
  Clock::time_point Start;
};

} // namespace clinch::engine
