//===- FileDependencies.cpp - Headers as they were -----------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileDependencies.h"
#include "clinch/Support/Hash.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace clinch;

static bool isUnchanged(const FileDependency &F) {
  if (F.Hash.empty())
    return access(F.Path.c_str(), F_OK) != 0;
  std::ifstream In(F.Path, std::ios::binary);
  if (!In)
    return false;
  std::string Text{std::istreambuf_iterator<char>(In), {}};
  return contentHash(Text) == F.Hash;
}

bool clinch::areUnchanged(const std::vector<FileDependency> &Files) {
  return std::all_of(Files.begin(), Files.end(), isUnchanged);
}
