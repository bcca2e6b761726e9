// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <regex>
extern "C" double f(double x) {
  return std::regex_match("ab", std::regex("a.")) + x;
}
