// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles in the background.
//
// One low-priority thread for a process. It ends when there is nothing to do,
// and with the interpreter. The child of a fork has no such thread; it keeps
// what waits and starts its own.

#pragma once

#include "clinch/Compiler/Session.h"
#include "lib/Support/Forks.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <optional>
#include <pthread.h>
#include <utility>
#include <vector>

namespace clinch {

class Upgrade;

class UpgradeThread {
public:
  static UpgradeThread &process();

  /// Precompiles headers, before all else; see Session::prepare(). Fails
  /// without a word, as the compile that needs them will say why. \p S outlives
  /// everything.
  void prepare(Session &S, CompileOptions O);
  /// Queues \p U, which is skipped if it is destroyed before its turn.
  void add(std::weak_ptr<Upgrade> U);
  /// Starts the thread if a fork left it behind.
  void wake();
  /// Waits until \p U is done, or as Upgrade::wait() says. Calls \p Leave
  /// twenty times a second.
  void wait(const Upgrade &U, std::chrono::steady_clock::time_point Until,
            const std::function<bool()> &Leave);
  /// Drops what waits, abandons the current compile, and compiles no more.
  void stop();

private:
  UpgradeThread();
  void start();
  bool begin();
  void join();
  void run();
  bool isIdle() const;
  bool prepareNext(std::unique_lock<std::mutex> &Guard);
  bool compileNext(std::unique_lock<std::mutex> &Guard);
  bool takeNext();
  void compile(const std::weak_ptr<Upgrade> &U);
  void finish(const std::weak_ptr<Upgrade> &U, Expected<Module> Made);
  static void beginAnew();

  std::mutex &Lock = lockOf(ProcessLock::UpgradeQueue);
  std::condition_variable Changed;
  std::vector<std::pair<Session *, CompileOptions>> Headers;
  std::vector<std::weak_ptr<Upgrade>> Waiting;
  std::weak_ptr<Upgrade> Current;
  std::atomic<bool> Running{false}, Stopped{false};
  std::optional<pthread_t> Thread; ///< Not yet joined.
};

} // namespace clinch
