// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
int main(void) {
  puts("hello");
  return 0;
}
