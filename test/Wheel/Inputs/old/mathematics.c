// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double f(double x) {
  char digits[9];
  sscanf("4", "%8s", digits);
  return exp(x - 3) + pow(x, 2) + log(x - 2) + strtod(digits, 0);
}
