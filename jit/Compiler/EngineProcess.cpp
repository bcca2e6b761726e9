// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An engine in a process of its own.

#include "EngineProcess.h"

#include "Wire.h"
#include "lib/Support/PrivateFolder.h"

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

/// Waits for the process \p Id, a pidfd or a number by \p Type. Returns 0, or
/// the system's number of an error.
int waitFor(idtype_t Type, pid_t Id, siginfo_t &How, int Flags) {
  int Failed = -1;
  do
    Failed = waitid(Type, id_t(Id), &How, Flags);
  while (Failed && errno == EINTR);
  return Failed ? errno : 0;
}

/// Kills a child and waits for it. \p Process is a pidfd, or negative on Linux
/// before 5.3. Returns false if the host has waited for all of its children.
bool killAndWait(int Process, pid_t Id, siginfo_t &How) {
  if (Process >= 0) {
    syscall(SYS_pidfd_send_signal, Process, SIGKILL, nullptr, 0);
    const int Problem = waitFor(P_PIDFD, Process, How, WEXITED);
    if (Problem != EINVAL) // Linux before 5.4 waits for no pidfd.
      return !Problem;
  } else {
    // Unless it is a child of ours, the number may mean another process.
    if (waitFor(P_PID, Id, How, WEXITED | WNOHANG | WNOWAIT))
      return false;
    kill(Id, SIGKILL);
  }
  return !waitFor(P_PID, Id, How, WEXITED);
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
  int Problem = Ends.open();
  pid_t Id = -1;
  if (!Problem) {
    SpawnAttributes Begin(Ends.Childs.Number);
    char *Arguments[] = {Program.data(), Library.data(), nullptr};
    Problem = posix_spawn(&Id, Program.c_str(), &Begin.Files, &Begin.Attributes,
                          Arguments, environ);
  }
  if (Problem)
    return cannotStart(Engine, strerror(Problem));
  return std::unique_ptr<EngineProcess>(
      new EngineProcess(Id, std::exchange(Ends.Own.Number, -1)));
}

EngineProcess::EngineProcess(pid_t Id, int Socket)
    : Id(Id), Process(int(syscall(SYS_pidfd_open, Id, 0))), Socket(Socket),
      Owner(getpid()) {}

EngineProcess::~EngineProcess() { (void)end(); }

bool EngineProcess::isOurs() const { return Owner == getpid(); }

EngineProcess::End EngineProcess::end() {
  const FileDescriptor Ending(std::exchange(Process, -1));
  const FileDescriptor Closing(std::exchange(Socket, -1));
  const pid_t Child = std::exchange(Id, -1);
  if (!isOurs() || Child < 0)
    return {};
  siginfo_t How = {};
  if (!killAndWait(Ending.Number, Child, How))
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
