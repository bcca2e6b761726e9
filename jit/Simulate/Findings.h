// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong with a kernel.

#pragma once

#include "Launch.h"

#include <atomic>
#include <mutex>
#include <set>
#include <tuple>

namespace clinch::simulate {

/// A launch that was accepted, and what is found while it runs. Any number of
/// threads may use it.
class Findings {
public:
  Findings(const Program &P, const Kernel &K, const LaunchOptions &O)
      : P(P), K(K), O(O) {}

  /// Returns "thread (1, 0, 0) of block (2, 0, 0)".
  std::string nameOf(uint64_t Block, uint32_t Thread) const;
  std::string nameOfThread(uint32_t Thread) const;
  std::string nameOfBlock(uint64_t Block) const;
  /// Returns "line 3", or the file as well if \p Near is in another.
  std::string nameOf(uint32_t Site, uint32_t Near) const;

  /// Notes that \p Message holds at \p Site, but for the first few, and once
  /// for each \p What and pair of places. The kernel's name is added.
  void add(const char *What, uint32_t Site, uint32_t Other,
           const std::string &Message, std::vector<Diagnostic> Notes = {});
  Diagnostic diagnostic(uint32_t Site, const std::string &Message) const;
  /// The launch ends as soon as it can.
  void stop() { Stopped = true; }
  void interrupt() { Interrupted = Stopped = true; }
  bool stopped() const { return Stopped; }
  void print(std::string_view Text);

  Status result(); ///< Of the launch, when nothing of it runs any more.

  const Program &P;
  const Kernel &K;
  const LaunchOptions &O;

private:
  std::atomic<bool> Stopped{false}, Interrupted{false};
  std::mutex Mutex;
  std::vector<Diagnostic> Found;
  std::set<std::tuple<std::string, uint32_t, uint32_t>> Seen;
};

} // namespace clinch::simulate
