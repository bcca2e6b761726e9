// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program clinch-engine.
//
// clinch-engine LIBRARY, started by EngineProcess.cpp: reads requests from a
// socket, its descriptor 3, compiles and replies until the socket is closed.
//
// clinch-engine LIBRARY COMMAND ARGUMENT...: runs the command, one of
// jit/Engine/Commands.
//
// gcc ARGUMENT..., and the other names in compilerNamed: a link to this
// program.

#include "EngineLibrary.h"
#include "Wire.h"
#include "clinch/Compiler/Session.h"
#include "jit/Cache/DiskCache.h"
#include "jit/Engine/Commands/Commands.h"
#include "lib/Support/Hash.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <new>
#include <optional>
#include <poll.h>
#include <string_view>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace clinch;

namespace {

constexpr int Socket = 3;

bool transfer(char *Bytes, size_t Size, bool Send) {
  while (Size) {
    ssize_t N = Send ? ::send(Socket, Bytes, Size, MSG_NOSIGNAL)
                     : ::recv(Socket, Bytes, Size, 0);
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      return false;
    Bytes += N;
    Size -= size_t(N);
  }
  return true;
}

std::optional<std::string> readMessage() {
  uint64_t Size = 0;
  if (!transfer(reinterpret_cast<char *>(&Size), WireHeaderBytes, false))
    return std::nullopt;
  std::string Message(size_t(Size), 0);
  return transfer(Message.data(), Message.size(), false)
             ? std::optional(std::move(Message))
             : std::nullopt;
}

bool writeMessage(std::string Message) {
  uint64_t Size = Message.size();
  return transfer(reinterpret_cast<char *>(&Size), WireHeaderBytes, true) &&
         transfer(Message.data(), Message.size(), true);
}

/// Called while a compile runs; exits if the host has closed the socket.
bool exitIfHostGone() {
  pollfd F = {Socket, POLLRDHUP, 0};
  if (poll(&F, 1, 0) > 0 && F.revents & (POLLRDHUP | POLLHUP | POLLERR))
    _exit(0);
  return false;
}

/// Limits the memory of the process while it exists; where an allocation fails,
/// the process ends, and so it does by itself with a sanitizer's allocator.
class MemoryCeiling {
public:
  explicit MemoryCeiling(size_t Limit) {
    if (!Limit)
      return;
    IsSet = true;
    getrlimit(RLIMIT_DATA, &Before);
    // A compile's stack counts as a whole, and is hardly touched.
    constexpr size_t Stack = size_t(64) << 20;
    rlimit Now = Before;
    Now.rlim_cur = std::min<rlim_t>(
        Before.rlim_cur, bytesOfData() + Stack + std::min(Limit, SIZE_MAX / 2));
    setrlimit(RLIMIT_DATA, &Now);
    std::set_new_handler([] { _exit(1); });
  }
  ~MemoryCeiling() {
    if (!IsSet)
      return;
    std::set_new_handler(nullptr);
    setrlimit(RLIMIT_DATA, &Before);
  }
  MemoryCeiling(const MemoryCeiling &) = delete;
  MemoryCeiling &operator=(const MemoryCeiling &) = delete;

private:
  static size_t bytesOfData() {
    std::ifstream In("/proc/self/statm");
    size_t Total = 0, Resident = 0, Shared = 0, Code = 0, Library = 0, Data = 0;
    In >> Total >> Resident >> Shared >> Code >> Library >> Data;
    return Data * size_t(sysconf(_SC_PAGESIZE));
  }

  bool IsSet = false;
  rlimit Before = {};
};

class Server {
public:
  explicit Server(std::string Library) : Library(std::move(Library)) {}

  Expected<EngineResult> serve(WireRequest &R);

private:
  const std::string Library;
  EngineConfig Config;
  std::unique_ptr<Engine> TheEngine;
};

Expected<EngineResult> Server::serve(WireRequest &R) {
  if (!TheEngine || R.Config.PrefixDirs != Config.PrefixDirs ||
      R.Config.PrefixCacheDir != Config.PrefixCacheDir ||
      R.Config.CacheLimit != Config.CacheLimit) {
    CLINCH_TRY_ASSIGN(TheEngine, createEngine(Library, R.Config));
    Config = R.Config;
  }
  if (chdir(R.Folder.c_str()) != 0 && chdir("/") != 0)
    return Error(Error::Kind::IO, "There is no folder `" + R.Folder + "`.");
  R.Options.Interrupted = exitIfHostGone;
  MemoryCeiling Ceiling(R.Options.MemoryLimit);
  return TheEngine->compile(R.Text, R.Options);
}

int serve(const char *Library) {
  Server S(Library);
  while (auto Message = readMessage()) {
    auto Request = decodeRequest(*Message);
    if (!Request || !writeMessage(encodeReply(S.serve(*Request))))
      return 1;
  }
  return 0;
}

/// The objects of `cc -c` stand beside those of texts.
ObjectStore objectStore(const char *Library) {
  const Session::Options Usual;
  std::shared_ptr<DiskCache> Disk =
      DiskCache::open(defaultCacheDir(), Usual.CacheLimit);
  if (!Disk)
    return {};
  const std::string Build = engineBuildId(Library);
  auto Whole = [Build](const std::string &Key) {
    return KeyBuilder().add(Build).add(Key).finish();
  };
  ObjectStore Store;
  Store.Find = [=](const std::string &Key) -> std::optional<std::string> {
    if (auto Entry = Disk->find(Whole(Key), {}))
      return std::move(Entry->Object);
    return std::nullopt;
  };
  Store.Store = [=](const std::string &Key, std::string Object,
                    Manifest Inputs) {
    EngineResult Entry;
    Entry.Object = std::move(Object);
    Entry.Inputs = std::move(Inputs);
    Disk->store(Whole(Key), Entry);
  };
  return Store;
}

/// Returns the command for which a program of this name is started, or null.
const char *compilerNamed(std::string_view Path) {
  std::string_view Name = Path.substr(Path.rfind('/') + 1);
  constexpr std::string_view Target = "x86_64-linux-gnu-";
  if (Name.starts_with(Target))
    Name.remove_prefix(Target.size());
  if (Name == "gcc" || Name == "cc")
    return "cc";
  return Name == "g++" || Name == "c++" ? "c++" : nullptr;
}

int runCommand(const char *Library, const std::vector<std::string> &Words) {
  auto Found = findInEngine(Library, RunCommandSymbol);
  if (!Found) {
    std::fprintf(stderr, "%s\n", Found.error().message().c_str());
    return 2;
  }
  return reinterpret_cast<RunCommandFn>(*Found)(Words, objectStore(Library));
}

} // namespace

int main(int Count, char **Arguments) {
  if (const char *Compiler = Count ? compilerNamed(*Arguments) : nullptr) {
    std::vector<std::string> Words = {Compiler};
    Words.insert(Words.end(), Arguments + 1, Arguments + Count);
    return runCommand(engineLibraryFile({}).c_str(), Words);
  }
  if (Count < 2)
    return 2; // Only Clinch starts this program.
  if (Count > 2)
    return runCommand(Arguments[1], {Arguments + 2, Arguments + Count});
  const rlimit NoCore = {0, 0};
  setrlimit(RLIMIT_CORE, &NoCore);
  return serve(Arguments[1]);
}
