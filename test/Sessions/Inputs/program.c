#!/usr/bin/env clinch
#include <stdio.h>
#define N 3
static int square(int x) { return x * x; }
int total = 5;
int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    printf("%s, ", argv[i]);
  printf("%d", square(N));
  return argc == 1 ? 0 : 7;
}
