//===- DebugRegistration.h - What gdb is told ------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_DEBUGREGISTRATION_H
#define CLINCH_JIT_LOADER_DEBUGREGISTRATION_H

#include <memory>
#include <string>

namespace clinch {

/// Tells a debugger, by gdb's JIT interface, of an object whose sections say
/// where they stand in memory, for as long as this lives.
class DebugRegistration {
public:
  explicit DebugRegistration(std::string Object);
  ~DebugRegistration();
  DebugRegistration(const DebugRegistration &) = delete;
  DebugRegistration &operator=(const DebugRegistration &) = delete;

private:
  struct Entry;
  std::unique_ptr<Entry> E;
};

/// Adds one function to /tmp/perf-PID.map, where perf looks names up. No
/// error when that cannot be written.
void tellPerf(const void *Address, size_t Size, const std::string &Name);

} // namespace clinch

#endif // CLINCH_JIT_LOADER_DEBUGREGISTRATION_H
