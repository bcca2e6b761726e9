// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A processor as LLVM is told it.
//
// Code for `host` is compiled for what this says, and its key has all of it.
// The engine and the compile core share it.

#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>
#include <string>
#include <vector>

namespace clinch::engine {

struct Processor {
  using FeatureMap = llvm::StringMap<bool, llvm::MallocAllocator>;

  std::string Name;                  ///< As `-mcpu=` takes it.
  std::vector<std::string> Features; ///< `+avx` or `-avx`, sorted.

  Processor(llvm::StringRef Name, const FeatureMap &Map) : Name(Name) {
    for (const auto &[Feature, On] : Map)
      Features.push_back((On ? "+" : "-") + Feature.str());
    std::sort(Features.begin(), Features.end());
  }

  static Processor host() {
    return {llvm::sys::getHostCPUName(), llvm::sys::getHostCPUFeatures()};
  }

  /// Returns all of it, as a key has it.
  std::string text() const {
    std::string Text = Name;
    for (const std::string &Feature : Features)
      Text += ',' + Feature;
    return Text;
  }
};

} // namespace clinch::engine
