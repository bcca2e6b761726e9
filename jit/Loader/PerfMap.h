// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names that perf shows.

#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <vector>

namespace clinch {

/// The functions in `/tmp/perf-PID.map`, where perf looks up code without a
/// file. A function's name is removed with it, as its memory may be reused:
/// that and plain `perf report` the dumps of LLVM's PerfSupportPlugin do not
/// give. It is no error if the file cannot be written. Nothing is written
/// through a link, into a pipe, or into another user's file.
class PerfMap {
public:
  struct Function {
    const void *Address = nullptr;
    size_t Size = 0;
    std::string Name;
  };
  /// The lines of one module.
  using Entry = std::list<std::string>::iterator;

  static PerfMap &process();

  Entry add(const std::vector<Function> &Functions);
  void remove(Entry E) noexcept;

private:
  /// \p MayCreate is 0 or O_CREAT.
  void write(int MayCreate) noexcept;

  std::list<std::string> Lines;
};

} // namespace clinch
