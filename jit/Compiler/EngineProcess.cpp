//===- EngineProcess.cpp - An engine in a process of its own --------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineProcess.h"

#include "Wire.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace clinch;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int SocketOfChild = 3;

std::string programBeside(const std::string &Engine) {
  return Engine.substr(0, Engine.rfind('/') + 1) + "clinch-engine";
}

/// Attributes of the new process: no descriptor of ours but the socket,
/// standard streams on /dev/null, no signal blocked or handled.
class SpawnAttributes {
public:
  explicit SpawnAttributes(int Socket) {
    posix_spawn_file_actions_init(&Files);
    for (int Standard : {0, 1, 2})
      posix_spawn_file_actions_addopen(&Files, Standard, "/dev/null", O_RDWR,
                                       0);
    posix_spawn_file_actions_adddup2(&Files, Socket, SocketOfChild);
    posix_spawn_file_actions_addclosefrom_np(&Files, SocketOfChild + 1);
    posix_spawnattr_init(&Attributes);
    sigset_t None, All;
    sigemptyset(&None);
    sigfillset(&All);
    posix_spawnattr_setsigmask(&Attributes, &None);
    posix_spawnattr_setsigdefault(&Attributes, &All);
    // Ctrl-C at a terminal is for the host.
    posix_spawnattr_setpgroup(&Attributes, 0);
    posix_spawnattr_setflags(&Attributes, POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnAttributes() {
    posix_spawn_file_actions_destroy(&Files);
    posix_spawnattr_destroy(&Attributes);
  }
  SpawnAttributes(const SpawnAttributes &) = delete;
  SpawnAttributes &operator=(const SpawnAttributes &) = delete;

  posix_spawn_file_actions_t Files;
  posix_spawnattr_t Attributes;
};

} // namespace

Expected<std::unique_ptr<EngineProcess>>
EngineProcess::start(const std::string &Engine) {
  std::string Program = programBeside(Engine), Library = Engine;
  int Ends[2];
  int Problem =
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends) ? errno : 0;
  pid_t Id = -1;
  if (!Problem) {
    SpawnAttributes Begin(Ends[1]);
    char *Arguments[] = {Program.data(), Library.data(), nullptr};
    Problem = posix_spawn(&Id, Program.c_str(), &Begin.Files, &Begin.Attributes,
                          Arguments, environ);
    close(Ends[1]);
    if (Problem)
      close(Ends[0]);
  }
  if (Problem)
    return Error(Error::Kind::IO,
                 "The compiler's own process cannot be started: expected `" +
                     Program + "`, the system said `" + strerror(Problem) +
                     "`.");
  return std::unique_ptr<EngineProcess>(new EngineProcess(Id, Ends[0]));
}

EngineProcess::EngineProcess(pid_t Id, int Socket)
    : Id(Id), Socket(Socket), Owner(getpid()) {}

EngineProcess::~EngineProcess() { (void)end(); }

bool EngineProcess::isOurs() const { return Owner == getpid(); }

std::string EngineProcess::end() {
  if (Socket >= 0)
    close(Socket);
  Socket = -1;
  if (!isOurs() || Id < 0)
    return {};
  kill(Id, SIGKILL);
  int Status = 0;
  pid_t Ended = -1;
  do
    Ended = waitpid(Id, &Status, 0);
  while (Ended < 0 && errno == EINTR);
  Id = -1;
  if (Ended > 0 && WIFSIGNALED(Status))
    return std::string("signal ") + strsignal(WTERMSIG(Status));
  return "its process ended";
}

/// Waits until \p Events are possible; then returns Answered.
EngineProcess::Outcome EngineProcess::wait(short Events,
                                           const Deadline &P) const {
  using std::chrono::milliseconds;
  constexpr milliseconds Interval(50);
  for (;;) {
    auto Left =
        std::chrono::duration_cast<milliseconds>(P.Until - Clock::now());
    if (Left.count() < 0)
      return Outcome::Late;
    pollfd F = {Socket, Events, 0};
    int Ready =
        poll(&F, 1, int(std::min(Left + milliseconds(1), Interval).count()));
    if (Ready > 0)
      return Outcome::Answered;
    if (Ready < 0 && errno != EINTR)
      return Outcome::Died;
    if (P.Interrupted && P.Interrupted())
      return Outcome::Interrupted;
  }
}

EngineProcess::Outcome EngineProcess::send(const std::string &Bytes,
                                           const Deadline &P) const {
  for (size_t Done = 0; Done < Bytes.size();) {
    if (Outcome O = wait(POLLOUT, P); O != Outcome::Answered)
      return O;
    ssize_t N = ::send(Socket, Bytes.data() + Done, Bytes.size() - Done,
                       MSG_NOSIGNAL | MSG_DONTWAIT);
    if (N < 0 && errno != EAGAIN && errno != EINTR)
      return Outcome::Died;
    Done += size_t(std::max<ssize_t>(N, 0));
  }
  return Outcome::Answered;
}

EngineProcess::Outcome EngineProcess::receive(char *Into, size_t Bytes,
                                              const Deadline &P) const {
  for (size_t Done = 0; Done < Bytes;) {
    if (Outcome O = wait(POLLIN, P); O != Outcome::Answered)
      return O;
    ssize_t N = recv(Socket, Into + Done, Bytes - Done, MSG_DONTWAIT);
    if (N == 0 || (N < 0 && errno != EAGAIN && errno != EINTR))
      return Outcome::Died;
    Done += size_t(std::max<ssize_t>(N, 0));
  }
  return Outcome::Answered;
}

EngineProcess::Outcome EngineProcess::ask(const std::string &Message,
                                          const Deadline &P,
                                          std::string &Answer) {
  uint64_t Size = Message.size();
  std::string Header(reinterpret_cast<const char *>(&Size), WireHeaderBytes);
  for (const std::string *Part :
       std::initializer_list<const std::string *>{&Header, &Message})
    if (Outcome O = send(*Part, P); O != Outcome::Answered)
      return O;
  if (Outcome O = receive(reinterpret_cast<char *>(&Size), WireHeaderBytes, P);
      O != Outcome::Answered)
    return O;
  // Limit the answer, as the process may be compromised.
  constexpr uint64_t Most = uint64_t(1) << 32;
  if (Size > Most)
    return Outcome::Died;
  Answer.resize(size_t(Size));
  return receive(Answer.data(), Answer.size(), P);
}
