//===- ClosestName.cpp - What a misspelt name may mean -------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Support/ClosestName.h"

#include <algorithm>
#include <utility>

using namespace clinch;

/// Returns how many letters must be put in, left out or replaced.
static size_t editDistance(std::string_view A, std::string_view B) {
  std::vector<size_t> Row(B.size() + 1);
  for (size_t J = 0; J <= B.size(); ++J)
    Row[J] = J;
  for (size_t I = 0; I < A.size(); ++I) {
    size_t Diagonal = std::exchange(Row[0], I + 1);
    for (size_t J = 0; J < B.size(); ++J) {
      const size_t Replaced = Diagonal + (A[I] != B[J]);
      Diagonal = Row[J + 1];
      Row[J + 1] = std::min({Replaced, Row[J] + 1, Row[J + 1] + 1});
    }
  }
  return Row.back();
}

std::string_view
clinch::closestName(std::string_view Name,
                    const std::vector<std::string_view> &Names) {
  std::string_view Closest;
  size_t Nearest = 1 + (Name.size() + 1) / 3;
  for (std::string_view N : Names)
    if (N.size() < Name.size() + Nearest)
      if (size_t Distance = editDistance(Name, N); Distance < Nearest) {
        Nearest = Distance;
        Closest = N;
      }
  return Closest;
}
