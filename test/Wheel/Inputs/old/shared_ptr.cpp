// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <memory>
extern "C" double f(double x) {
  auto first = std::make_shared<double>(x);
  auto second = first;
  return *second;
}
