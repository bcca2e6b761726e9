// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names that perf shows.

#include "PerfMap.h"
#include "lib/Support/Forks.h"

#include <cinttypes>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace clinch;

PerfMap &PerfMap::process() {
  static constinit ForProcess<PerfMap> Map;
  return Map.get([] { return new PerfMap; });
}

PerfMap::Entry PerfMap::add(const std::vector<Function> &Functions) {
  std::string Text;
  for (const Function &F : Functions) {
    char Numbers[40];
    int Length = snprintf(Numbers, sizeof Numbers, "%" PRIxPTR " %zx ",
                          reinterpret_cast<uintptr_t>(F.Address), F.Size);
    Text.append(Numbers, size_t(Length)).append(F.Name).append("\n");
  }
  LockGuard Guard(lockOf(ProcessLock::PerfNames));
  Lines.push_back(std::move(Text));
  write(O_CREAT);
  return std::prev(Lines.end());
}

void PerfMap::remove(Entry E) noexcept {
  LockGuard Guard(lockOf(ProcessLock::PerfNames));
  Lines.erase(E);
  write(0);
}

/// Opens the file for writing, or returns -1. Checks it, as anybody may create
/// something of that name in /tmp first.
static int openMap(const std::string &Path, int MayCreate) {
  constexpr int Flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  int File = open(Path.c_str(), Flags | MayCreate, 0600);
  struct stat Found;
  if (File >= 0 && fstat(File, &Found) == 0 && S_ISREG(Found.st_mode) &&
      Found.st_uid == geteuid() && Found.st_nlink == 1)
    return File;
  if (File >= 0)
    close(File);
  return -1;
}

/// Writes all live functions: a forked child has a file of its own.
/// If memory runs out the file stays as it is.
void PerfMap::write(int MayCreate) noexcept try {
  std::string Text;
  for (const std::string &L : Lines)
    Text += L;
  int File =
      openMap("/tmp/perf-" + std::to_string(getpid()) + ".map", MayCreate);
  if (File < 0)
    return;
  if (ftruncate(File, 0) == 0) {
    [[maybe_unused]] ssize_t Written = ::write(File, Text.data(), Text.size());
  }
  close(File);
} catch (const std::bad_alloc &) { // NOLINT(bugprone-empty-catch): see above
}
