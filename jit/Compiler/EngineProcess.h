// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An engine in a process of its own.

#pragma once

#include "jit/Engine/Engine.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <sys/types.h>

namespace clinch {

/// A running clinch-engine and its socket. The destructor kills the process.
class EngineProcess {
public:
  /// \p Engine is the library's file; the program is beside it.
  static Expected<std::unique_ptr<EngineProcess>>
  start(const std::string &Engine);
  /// Returns the error of start() for what the system said.
  static Error cannotStart(const std::string &Engine, const std::string &Said);
  ~EngineProcess();
  EngineProcess(const EngineProcess &) = delete;
  EngineProcess &operator=(const EngineProcess &) = delete;

  struct Deadline {
    std::chrono::steady_clock::time_point Until; ///< The deadline.
    std::function<bool()> Interrupted;           ///< May be empty.
  };
  enum class Outcome { Answered, Died, Late, Interrupted };
  /// Sends \p Message and waits for the answer. After any outcome but Answered
  /// the process is unusable.
  Outcome ask(const std::string &Message, const Deadline &P,
              std::string &Answer);
  /// Returns false in a forked child of the process that started it.
  bool isOurs() const;
  /// How a process ended, if that is known.
  struct End {
    int Signal = 0;
    int Status = 0; ///< If by itself.
  };
  /// Kills it, unless it has ended.
  End end();

private:
  EngineProcess(pid_t Id, int Socket);
  Outcome wait(short Events, const Deadline &P) const;
  Outcome send(const std::string &Bytes, const Deadline &P) const;
  Outcome receive(char *Into, size_t Bytes, const Deadline &P) const;

  pid_t Id;
  /// A pidfd, or negative on Linux before 5.3. The process's number may mean
  /// another process, if the host has waited for all of its children.
  int Process;
  int Socket;
  const pid_t Owner; ///< A child of a fork leaves it to its parent.
};

} // namespace clinch
