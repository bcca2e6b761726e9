//===- main.cpp - The driver
//-----------------------------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything behind this is the package's own `clinch.prompt`, options
// included: one table in Python gives parsing, --help and the nearest option,
// `python -m clinch` is the same program, and LLVM's CommandLine would pull
// libLLVM (10 ms, 70 MB) into every start.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <cstdio>

int main(int Count, char **Values) {
  // What blocks print and what Python prints stay in order.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  return clinch::runDriver({Values + 1, Values + Count});
}
