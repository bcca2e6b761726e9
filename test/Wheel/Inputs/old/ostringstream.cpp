// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sstream>
extern "C" double f(double x) {
  std::ostringstream stream;
  stream << x;
  return stream.str().size();
}
