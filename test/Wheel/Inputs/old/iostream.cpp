// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <iostream>
extern "C" double f(double x) {
  std::cout << x << std::endl;
  return x;
}
