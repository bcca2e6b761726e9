// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When another process compiles.
//
// Each test runs in a child: whether an engine is lost, and what the system
// allows, is a matter of the process.

#include "EngineProcesses.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <thread>

using namespace clinch;
using namespace clinch::test;

namespace {

constexpr int Skipped = 77;

CompileOptions limited() {
  CompileOptions O;
  O.TimeLimitMs = 60000;
  return O;
}

void expectValue(Session &S, int Value, const CompileOptions &O = {}) {
  auto M = S.compile(
      {"text.c", "int f(void) { return " + std::to_string(Value) + "; }"}, O);
  ASSERT_TRUE(M) << M.error().render();
  EXPECT_EQ(M->lookupAs<int (*)()>("f")(), Value);
}

void expectError(Session &S, Error::Kind Kind, const std::string &Message,
                 const CompileOptions &O = limited()) {
  auto M = S.compile({"text.c", "int f(void) { return 100; }"}, O);
  ASSERT_FALSE(M);
  EXPECT_EQ(M.error().kind(), Kind);
  EXPECT_EQ(M.error().message(), Message);
}

/// A folder with the engine, and no program beside it yet.
struct Installed {
  Installed() {
    EXPECT_EQ(symlink(CLINCH_TEST_REAL_ENGINE, Engine.c_str()), 0);
  }
  std::string cannotStart(const std::string &Said) const {
    return "The compiler's own process cannot be started: expected `" +
           Program + "`, the system said `" + Said + "`.";
  }
  TemporaryFolder Folder;
  const std::string Engine = Folder / "libclinch-engine.so";
  const std::string Program = Folder / "clinch-engine";
};

TEST(EngineProcess, StartsWhenItIsNeeded) {
  EXPECT_EQ(inChild([] {
              auto S = realSession();
              expectValue(*S, 1);
              EXPECT_EQ(engineProcesses().size(), 0u);
              expectValue(*S, 2, limited());
              EXPECT_EQ(engineProcesses().size(), 1u);
            }),
            0);
}

/// In this process and in one of its own, also through a macro.
TEST(EngineProcess, SaysAsTheEngineWhereAMissingSymbolIsUsed) {
  const SourceText Text{"t.c", "int absent(int);\n"
                               "#define USE(x) absent(x)\n"
                               "int f(void) { return USE(1); }\n"};
  for (const CompileOptions &O : {CompileOptions(), limited()}) {
    auto M = realSession()->compile(Text, O);
    ASSERT_FALSE(M);
    EXPECT_EQ(M.error().render(),
              "A symbol is missing: expected the host, a named library or the "
              "process to define `absent`.\n"
              "t.c:3:22: error: `absent` is used, and nothing defines it.\n"
              "  int f(void) { return USE(1); }\n"
              "                       ^\n");
  }
}

TEST(EngineProcess, ThatIsNotInstalledIsMissedOnlyWhereItIsNeeded) {
  EXPECT_EQ(inChild([] {
              const Installed At;
              auto S = realSession(At.Engine);
              expectError(*S, Error::Kind::IO,
                          At.cannotStart("No such file or directory"));
              writeFile(At.Program, "#!/bin/sh\n");
              chmod(At.Program.c_str(), 0644);
              expectError(*S, Error::Kind::IO,
                          At.cannotStart("Permission denied"));
              expectValue(*S, 3);
            }),
            0);
}

TEST(EngineProcess, WhoseLibrariesAreMissingIsNotTheTextsFault) {
  EXPECT_EQ(inChild([] {
              const Installed At;
              writeFile(At.Program, "#!/bin/sh\nexit 127\n");
              chmod(At.Program.c_str(), 0755);
              expectError(
                  *realSession(At.Engine), Error::Kind::IO,
                  At.cannotStart("it ended with status 127, as where its "
                                 "libraries are missing"));
            }),
            0);
}

/// Lets two system calls fail from now on.
void forbid(uint32_t First, uint32_t Second, uint32_t Problem) {
  sock_filter Code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, First, 1, 0),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, Second, 0, 1),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | Problem),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog Program = {sizeof Code / sizeof *Code, Code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &Program))
    _exit(Skipped);
}

TEST(EngineProcess, ThatSeccompForbidsIsMissedOnlyWhereItIsNeeded) {
  const int Status = inChild([] {
    const Installed At;
    ASSERT_EQ(symlink("/bin/true", At.Program.c_str()), 0);
    auto S = realSession(At.Engine);
    forbid(SYS_execve, SYS_execveat, EPERM);
    expectError(*S, Error::Kind::IO, At.cannotStart("Operation not permitted"));
    expectValue(*S, 4);
    _exit(::testing::Test::HasFailure() ? 1 : 0); // Without rm of the folder.
  });
  if (Status == Skipped)
    GTEST_SKIP() << "no filter can be installed here";
  EXPECT_EQ(Status, 0);
}

std::string overflowing() {
  std::string Text = "int a = ";
  for (int I = 0; I != 1000000; ++I)
    Text += "- ";
  return Text + "1;";
}

/// Linux before 5.3 has no pidfd.
TEST(EngineProcess, EndsOnAnOldKernel) {
  const int Status = inChild([] {
    forbid(SYS_pidfd_open, SYS_pidfd_send_signal, ENOSYS);
    auto S = realSession();
    expectValue(*S, 1, limited());
    const std::vector<pid_t> Running = engineProcesses();
    ASSERT_EQ(Running.size(), 1u);
    CompileOptions Short;
    Short.TimeLimitMs = 1;
    auto Late = S->compile({"text.c", overflowing()}, Short);
    ASSERT_FALSE(Late);
    EXPECT_EQ(Late.error().kind(), Error::Kind::Limit);
    EXPECT_EQ(kill(Running[0], 0), -1); // Killed, and waited for.
    EXPECT_EQ(errno, ESRCH);
  });
  if (Status == Skipped)
    GTEST_SKIP() << "no filter can be installed here";
  EXPECT_EQ(Status, 0);
}

/// A host that waits for all of its children may have had the engine's process
/// too.
TEST(EngineProcess, OfAnotherNumberIsNotKilled) {
  const int Status = inChild([] {
    forbid(SYS_pidfd_open, SYS_pidfd_send_signal, ENOSYS);
    const Installed At;
    writeFile(At.Program, "#!/bin/sh\nexit 127\n");
    chmod(At.Program.c_str(), 0755);
    signal(SIGCHLD, SIG_IGN); // The system itself waits.
    expectError(*realSession(At.Engine), Error::Kind::Crash,
                "The compiler crashed over this text: its process ended.");
  });
  if (Status == Skipped)
    GTEST_SKIP() << "no filter can be installed here";
  EXPECT_EQ(Status, 0);
}

/// Nor can a thread, which a compile in this process needs.
TEST(EngineProcess, BeyondTheNumberOfProcessesIsAnError) {
  const int Status = inChild([] {
    const Installed At;
    ASSERT_EQ(symlink("/bin/true", At.Program.c_str()), 0);
    auto S = realSession(At.Engine);
    const auto Kept = S->compile({"text.c", "int f(void) { return 5; }"}, {});
    constexpr uid_t Nobody = 65534;
    const rlimit None = {0, 0};
    // Root has no such limit.
    if (setrlimit(RLIMIT_NPROC, &None) || setresuid(Nobody, Nobody, Nobody) ||
        chdir("/"))
      _exit(Skipped);
    expectError(*S, Error::Kind::Limit,
                "The system has no thread or no stack for the compile.", {});
    expectError(*S, Error::Kind::IO,
                At.cannotStart("Resource temporarily unavailable"));
    expectValue(*S, 5); // It is there already.
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  });
  if (Status == Skipped)
    GTEST_SKIP() << "only root can become another user";
  EXPECT_EQ(Status, 0);
}

void expectCrash(Session &S) {
  auto M = S.compile({"text.c", overflowing()}, {});
  ASSERT_FALSE(M);
  EXPECT_EQ(M.error().kind(), Error::Kind::Crash);
  EXPECT_EQ(M.error().message(), "The compiler crashed over this text: it "
                                 "nests too deeply for a stack of 64 MB.");
}

TEST(EngineProcess, CompilesAfterACrash) {
  EXPECT_EQ(inChild([] {
              auto S = realSession();
              expectValue(*S, 6);
              for (int Times = 0; Times != 2; ++Times) {
                expectCrash(*S);
                EXPECT_EQ(engineProcesses().size(), 0u);
              }
              expectValue(*S, 7);
              EXPECT_EQ(engineProcesses().size(), 1u);
              expectValue(*realSession(), 8);
              EXPECT_EQ(engineProcesses().size(), 1u);
            }),
            0);
}

TEST(EngineProcess, ThreadsCompileAndCrashAtOnce) {
  EXPECT_EQ(inChild([] {
              std::vector<std::thread> Threads;
              for (int T = 0; T != 8; ++T)
                Threads.emplace_back([T] {
                  auto S = realSession();
                  for (int I = 0; I != 3; ++I) {
                    expectValue(*S, 2000 + 10 * T + I);
                    expectCrash(*S);
                  }
                });
              for (std::thread &T : Threads)
                T.join();
            }),
            0);
}

TEST(EngineProcess, CompilesInTheChildOfWhoWasCompiling) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer's own locks may stay locked in the child.";
#endif
  auto S = realSession();
  expectValue(*S, 9);
  int InChild = -1;
  CompileOptions O;
  // It is asked while it waits for its compile.
  O.Interrupted = [&] {
    InChild = inChild([] {
      expectValue(*realSession(), 10);
      EXPECT_EQ(engineProcesses().size(), 1u);
    });
    return true;
  };
  std::string Slow = "int f(int a) {\n";
  for (int I = 0; I != 100000; ++I)
    Slow += "a = a * 3 + 1;\n";
  auto M = S->compile({"slow.c", Slow + "return a; }"}, O);
  ASSERT_FALSE(M);
  EXPECT_EQ(M.error().message(), "The compile was interrupted.");
  EXPECT_EQ(InChild, 0);
}

/// Compiles while another compile waits, until \p Count processes are in use;
/// \p Release then lets all of them compile.
void compileNested(const std::string &Engine, int Count,
                   const std::function<void()> &Release) {
  bool Began = false;
  CompileOptions O = limited();
  O.Interrupted = [&] {
    if (!Began && Count > 1)
      Began = true, compileNested(Engine, Count - 1, Release);
    else if (!Began)
      Began = true, Release();
    return false;
  };
  expectValue(*realSession(Engine), 3000 + Count, O);
}

TEST(EngineProcess, EightStayIdleAtMost) {
  EXPECT_EQ(inChild([] {
              const Installed At;
              // Each compiles once it has read a line.
              const std::string Lines = At.Folder / "lines";
              ASSERT_EQ(mkfifo(Lines.c_str(), 0600), 0);
              const int Pipe = open(Lines.c_str(), O_RDWR | O_CLOEXEC);
              const std::string Real = CLINCH_TEST_REAL_ENGINE;
              writeFile(At.Program, "#!/bin/sh\nread -r line < '" + Lines +
                                        "'\nexec '" +
                                        Real.substr(0, Real.rfind('/')) +
                                        "/clinch-engine' \"$@\"\n");
              chmod(At.Program.c_str(), 0755);
              compileNested(At.Engine, 10, [&] {
                EXPECT_EQ(engineProcesses().size(), 10u);
                EXPECT_EQ(write(Pipe, "\n\n\n\n\n\n\n\n\n\n", 10), 10);
              });
              EXPECT_EQ(engineProcesses().size(), 8u);
              expectValue(*realSession(At.Engine), 3100, limited());
              EXPECT_EQ(engineProcesses().size(), 8u);
              close(Pipe);
            }),
            0);
}

TEST(EngineProcess, ThreadsHaveOneEach) {
  std::vector<std::thread> Threads;
  for (int T = 0; T != 8; ++T)
    Threads.emplace_back([T] {
      for (int I = 0; I != 4; ++I)
        expectValue(*realSession(), 1000 + 10 * T + I, limited());
    });
  for (std::thread &T : Threads)
    T.join();
}

} // namespace
