//===- CodeRegistry.h - The live code of the process -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same key in one process is the same machine code, loaded once, whichever
// session asked; it goes with its last user. While a thread makes the code of
// a key, others that want it wait for that one.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_COMPILER_CODEREGISTRY_H
#define CLINCH_JIT_COMPILER_CODEREGISTRY_H

#include "jit/Engine/Engine.h"
#include "jit/Loader/LoadedCode.h"
#include "lib/Support/Forks.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>

namespace clinch {

/// What is known of a compiled text beside its code.
struct CompileRecord {
  std::vector<Diagnostic> Warnings;
  std::vector<std::pair<Stage, std::string>> Kept;
  std::vector<FileDependency> Files;
  size_t SourceBytes = 0;
  size_t ObjectBytes = 0;

  const std::string *stage(Stage S) const;
  bool hasStages(const std::vector<Stage> &Wanted) const;
};

/// Code that is in use.
struct LiveCode {
  std::string Key; ///< Of the table; see codeKey().
  std::shared_ptr<const LoadedCode> Code;
  std::shared_ptr<const CompileRecord> Record;

  LiveCode() = default;
  ~LiveCode(); ///< Leaves the table.
  LiveCode(const LiveCode &) = delete;
  LiveCode &operator=(const LiveCode &) = delete;
};

class CodeRegistry {
public:
  /// The one of the process. It is never destroyed, and survives a fork.
  static CodeRegistry &process();

  std::shared_ptr<const LiveCode> find(const std::string &Key);

  /// What the threads that wait for a key get.
  struct Outcome {
    std::shared_ptr<const LiveCode> Live;
    std::optional<Error> Failure;
    bool LeftWaiting = false; ///< Because \p Interrupted said so.
  };
  /// Nothing: the caller is to make the code, and must call finish() then.
  /// Else what another thread made while this one waited; a failure when it is
  /// this one that makes it, as where an initialiser asks for its own code.
  std::optional<Outcome>
  waitOrLead(const std::string &Key,
             const std::function<bool()> &Interrupted = {});
  void finish(const std::string &Key, Outcome O);

  /// Enters code into the table under its key.
  void publish(const std::shared_ptr<const LiveCode> &Live);

  size_t liveModules() const;
  size_t liveBytes() const;

private:
  friend struct LiveCode;
  struct Flight {
    const std::thread::id Leader = std::this_thread::get_id();
    std::condition_variable Done;
    std::optional<Outcome> Result;
  };

  CodeRegistry() = default;
  static void beginAnew();
  void leave(const LiveCode &Live);

  std::mutex &Lock = lockOf(ProcessLock::Code);
  std::unordered_map<std::string, std::weak_ptr<const LiveCode>> Table;
  std::unordered_map<std::string, std::shared_ptr<Flight>> Flights;
  size_t Modules = 0;
  size_t Bytes = 0;
};

} // namespace clinch

#endif // CLINCH_JIT_COMPILER_CODEREGISTRY_H
