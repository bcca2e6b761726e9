// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processes that compile.

#pragma once

#include "clinch/Compiler/Session.h"
#include "unittests/Loader/TestObjects.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace clinch::test {

/// A session without a cache on the engine itself, or on one at \p Path.
inline std::shared_ptr<Session>
realSession(const std::string &Path = CLINCH_TEST_REAL_ENGINE) {
  Session::Options O;
  O.DiskCache = false;
  O.EnginePath = Path;
  return Session::create(O);
}

/// Runs \p Test in a child; returns its exit status, or -1 after a signal.
inline int inChild(const std::function<void()> &Test) {
  pid_t Child = fork();
  if (Child == 0) {
    alarm(600); // Ends what hangs.
    Test();
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int Status = 0;
  waitpid(Child, &Status, 0);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
}

/// Those that this thread has started and not ended.
inline std::vector<pid_t> engineProcesses() {
  std::vector<pid_t> Found;
  std::ifstream In("/proc/thread-self/children");
  for (pid_t Id; In >> Id;)
    if (readFile("/proc/" + std::to_string(Id) + "/comm") == "clinch-engine\n")
      Found.push_back(Id);
  return Found;
}

inline size_t residentBytes(pid_t Process) {
  std::ifstream In("/proc/" + std::to_string(Process) + "/statm");
  size_t Total = 0, Resident = 0;
  In >> Total >> Resident;
  return Resident * size_t(sysconf(_SC_PAGESIZE));
}

} // namespace clinch::test
