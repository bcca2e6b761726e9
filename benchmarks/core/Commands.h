// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the measuring program can do.

#pragma once

#include "clinch/Compiler/Session.h"

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace bench {

using Words = std::vector<std::string>;

inline double millisecondsSince(std::chrono::steady_clock::time_point Begin) {
  std::chrono::duration<double, std::milli> Took =
      std::chrono::steady_clock::now() - Begin;
  return Took.count();
}

inline std::string readFile(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(In), {}};
}

/// Ends the program: a measurement that cannot be made is no measurement.
[[noreturn]] void fail(const std::string &Message);

/// LANGUAGE TIER PREFIX, as the words of a command have them from \p First on.
clinch::CompileOptions optionsOf(const Words &W, size_t First);

/// What the commands share: one session without a disk cache.
clinch::Session &session();
clinch::Module compile(clinch::Session &S, const std::string &Name,
                       const std::string &Text,
                       const clinch::CompileOptions &O);

// One command each; the result is printed as one line.
std::string compileOnce(const Words &W);
std::string compileWithTcc(const Words &W);
std::string load(const Words &W);
std::string callBlock(const Words &W);
std::string callLoop(const Words &W);
std::string hitMemory(const Words &W);
std::string hitDisk(const Words &W);
std::string openLibrary(const Words &W);
std::string keepAlive(const Words &W);
std::string compileAndRelease(const Words &W);
std::string loadAndRelease(const Words &W);

} // namespace bench
