//===- Processor.h - A processor as LLVM is told it -------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code for `host` is compiled for what this says, and its key has all of it.
// The engine and the compile core share it.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_OPTIONS_PROCESSOR_H
#define CLINCH_JIT_ENGINE_OPTIONS_PROCESSOR_H

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

#endif // CLINCH_JIT_ENGINE_OPTIONS_PROCESSOR_H
