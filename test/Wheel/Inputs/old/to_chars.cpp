// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <charconv>
extern "C" double f(double x) {
  char digits[40];
  return std::to_chars(digits, digits + sizeof digits, x).ptr - digits;
}
