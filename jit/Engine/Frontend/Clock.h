// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a stage took.

#pragma once

#include <chrono>

namespace clinch::engine {

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
