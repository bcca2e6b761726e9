// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All names of Clang's options.
//
// Prints a line for each: the name, the option that it means, and where its
// value stands: `none`, `joined`, `next` or `either`. test/Fuzz/flag_search.py
// draws from them, and FlagsTest.cpp has them too.

#include "OptionNames.h"

#include <cstdio>

int main() {
  for (const clinch::testing::OptionName &O : clinch::testing::optionNames())
    std::printf("%s %s %s\n", O.Name.c_str(), O.Means.c_str(), O.Value);
}
