// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a misspelt name may mean.

#include "lib/Support/ClosestName.h"

#include "llvm/ADT/StringRef.h"

using namespace clinch;

std::string_view
clinch::closestName(std::string_view Name,
                    const std::vector<std::string_view> &Names) {
  std::string_view Closest;
  size_t Nearest = 1 + (Name.size() + 1) / 3;
  for (std::string_view N : Names)
    if (N.size() < Name.size() + Nearest)
      if (size_t Distance = llvm::StringRef(Name).edit_distance(N);
          Distance < Nearest) {
        Nearest = Distance;
        Closest = N;
      }
  return Closest;
}
