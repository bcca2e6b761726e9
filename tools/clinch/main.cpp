// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver.
//
// The package's `clinch.cli` does everything, options included. One table in
// Python gives parsing, --help and the nearest option, and `python -m clinch`
// is the same program.

#include "Interpreter.h"

#include <cstdio>

int main(int Count, char **Values) {
  // Keeps the output of blocks and of Python in order.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  return clinch::runDriver({Values + 1, Values + Count});
}
