// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <memory>
extern "C" double f(double x) {
  std::unique_ptr<double[]> array(new double[int(x)]());
  return array[2] + x;
}
