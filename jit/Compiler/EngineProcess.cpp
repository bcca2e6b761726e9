// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An engine in a process of its own.

#include "EngineProcess.h"

#include "Wire.h"
#include "lib/Support/FileDescriptor.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

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

/// The two ends of a socket. Neither is a standard stream of this process, also
/// if it has closed some.
struct SocketPair {
  FileDescriptor Own{-1}, Childs{-1};

  /// Returns the system's number of an error, or 0.
  int open() {
    int Ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends))
      return errno;
    const FileDescriptor First(Ends[0]), Second(Ends[1]);
    Own.Number = fcntl(First.Number, F_DUPFD_CLOEXEC, SocketOfChild);
    Childs.Number = fcntl(Second.Number, F_DUPFD_CLOEXEC, SocketOfChild);
    return Own.Number < 0 || Childs.Number < 0 ? errno : 0;
  }
};

/// Returns a pidfd of \p Id, a child of ours, or ends that child.
int openProcess(pid_t Id) {
  const int Process = int(syscall(SYS_pidfd_open, Id, 0));
  if (Process < 0) {
    const int Problem = errno;
    kill(Id, SIGKILL); // It began just now: its number is still its own.
    waitpid(Id, nullptr, 0);
    errno = Problem;
  }
  return Process;
}

} // namespace

Error EngineProcess::cannotStart(const std::string &Engine,
                                 const std::string &Said) {
  return Error(Error::Kind::IO,
               "The compiler's own process cannot be started: expected `" +
                   programBeside(Engine) + "`, the system said `" + Said +
                   "`.");
}

Expected<std::unique_ptr<EngineProcess>>
EngineProcess::start(const std::string &Engine) {
  std::string Program = programBeside(Engine), Library = Engine;
  SocketPair Ends;
  int Problem = Ends.open(), Process = -1;
  if (!Problem) {
    pid_t Id = -1;
    SpawnAttributes Begin(Ends.Childs.Number);
    char *Arguments[] = {Program.data(), Library.data(), nullptr};
    Problem = posix_spawn(&Id, Program.c_str(), &Begin.Files, &Begin.Attributes,
                          Arguments, environ);
    if (!Problem && (Process = openProcess(Id)) < 0)
      Problem = errno;
  }
  if (Problem)
    return cannotStart(Engine, strerror(Problem));
  return std::unique_ptr<EngineProcess>(
      new EngineProcess(Process, std::exchange(Ends.Own.Number, -1)));
}

EngineProcess::EngineProcess(int Process, int Socket)
    : Process(Process), Socket(Socket), Owner(getpid()) {}

EngineProcess::~EngineProcess() { (void)end(); }

bool EngineProcess::isOurs() const { return Owner == getpid(); }

EngineProcess::End EngineProcess::end() {
  const FileDescriptor Ending(std::exchange(Process, -1));
  const FileDescriptor Closing(std::exchange(Socket, -1));
  if (!isOurs() || Ending.Number < 0)
    return {};
  syscall(SYS_pidfd_send_signal, Ending.Number, SIGKILL, nullptr, 0);
  siginfo_t How = {};
  int Failed = -1;
  do
    Failed = waitid(P_PIDFD, id_t(Ending.Number), &How, WEXITED);
  while (Failed && errno == EINTR);
  if (Failed) // The host has waited for all of its children.
    return {};
  return How.si_code == CLD_EXITED ? End{0, How.si_status}
                                   : End{How.si_status, 0};
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
