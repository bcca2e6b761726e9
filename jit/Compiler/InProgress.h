// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work that one thread does while other threads wait for it.
//
// Compiles run initialisers, and a `c_init_code` makes functions: either may
// wait for the other, so that one graph has to know who waits for whom.

#pragma once

#include "clinch/Support/Expected.h"
#include "lib/Support/Forks.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>

namespace clinch {

class InProgress {
public:
  static InProgress &process();

  struct Outcome {
    std::optional<Error> Failure;
    bool LeftWaiting = false; ///< \p Interrupted returned true.
    /// The work cannot end before the caller goes on.
    bool NeedsCaller = false;
  };
  /// Returns nullopt if the caller must do the work \p Key and call finish().
  /// Otherwise waits for the thread that does it, and returns the outcome.
  std::optional<Outcome>
  waitOrLead(const std::string &Key,
             const std::function<bool()> &Interrupted = {});
  void finish(const std::string &Key, std::optional<Error> Failure = {});

private:
  struct Work {
    const std::thread::id Leader = std::this_thread::get_id();
    std::condition_variable Done;
    std::optional<Outcome> Result;
  };

  InProgress() = default;
  static void beginAnew();
  bool needsThisThread(const Work *W) const;

  std::mutex &Lock = lockOf(ProcessLock::InProgress);
  std::unordered_map<std::string, std::shared_ptr<Work>> All;
  std::map<std::thread::id, const Work *> Waiting;
};

} // namespace clinch
