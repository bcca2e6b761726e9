// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sys/stat.h>
double f(double x) {
  struct stat status;
  return stat("/", &status) + x;
}
