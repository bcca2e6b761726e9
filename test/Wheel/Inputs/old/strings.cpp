// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string>
#include <vector>
extern "C" double f(double x) {
  std::vector<std::string> strings(2, std::to_string(x));
  return strings[1].size();
}
