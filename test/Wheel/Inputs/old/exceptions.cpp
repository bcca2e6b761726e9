// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdexcept>
#include <vector>
extern "C" double f(double x) {
  try {
    return std::vector<int>().at(2);
  } catch (const std::exception &) {
    return x;
  }
}
