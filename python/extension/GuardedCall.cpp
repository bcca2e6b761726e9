// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of C that outlive a crash.
//
// For the prompt. A signal that would end the process, or a Ctrl-C, leaves the
// innermost call of C by a jump, if the thread is in C: it does not hold
// the GIL then. What stood between the signal and the call is not undone:
// memory that was not freed, a lock of the C library that is held. A Ctrl-C
// waits a moment for the text's own code, where no such lock is.

#include "GuardedCall.h"
#include "CSignature.h"
#include "Objects.h"
#include "jit/Loader/CrashNotes.h"
#include "jit/Loader/Initializers.h"

#include <array>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <ctime>
#include <dlfcn.h>
#include <exception>
#include <optional>
#include <string>
#include <ucontext.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace clinch;
using python::CActiveCall;

namespace {

/// A call that a signal can leave.
struct Call {
  sigjmp_buf Back;
  Call *Outer;
  CActiveCall *Active; ///< A jump leaves those within it.
};

struct Kept {
  int Number;
  struct sigaction Before;
};

using FindObjectFn = int (*)(void *, void *);

std::atomic<Call *> Innermost{nullptr};
std::atomic<pid_t> Guarded{0}; ///< The thread of the calls.
std::atomic<pid_t> Process{0}; ///< Of that thread.
std::array<Kept, 5> Crashes = {
    {{SIGSEGV, {}}, {SIGBUS, {}}, {SIGFPE, {}}, {SIGILL, {}}, {SIGABRT, {}}}};
struct sigaction InterruptBefore;
timer_t Retry;
bool Defers = false; ///< Used by the guarded thread, as what it keeps.
std::vector<void (*)()> Deferred;
std::atomic<int> Tries{0};
FindObjectFn FindObject;
CrashFrames Left; ///< By the last signal.

bool isInC() {
  return Innermost.load() && Guarded.load() == gettid() && !PyGILState_Check();
}

void passOn(const struct sigaction &Old, int Signal, siginfo_t *Info,
            void *Context) {
  if (Old.sa_flags & SA_SIGINFO)
    return Old.sa_sigaction(Signal, Info, Context);
  if (Old.sa_handler != SIG_DFL && Old.sa_handler != SIG_IGN)
    return Old.sa_handler(Signal);
  sigaction(Signal, &Old, nullptr);
  if (Info->si_code <= 0)
    raise(Signal);
}

[[noreturn]] void leave(int Signal, void *Context) {
  Call *const Here = Innermost.load();
  Left.take(*static_cast<ucontext_t *>(Context), Here);
  siglongjmp(Here->Back, Signal);
}

void onCrash(int Signal, siginfo_t *Info, void *Context) {
  if (isInC())
    leave(Signal, Context);
  for (const Kept &K : Crashes)
    if (K.Number == Signal)
      passOn(K.Before, Signal, Info, Context);
}

/// Whether the thread is in a text's code and in no library.
bool isInText(const ucontext_t &Context) {
  alignas(16) char Found[128];
  auto *At = reinterpret_cast<void *>(Context.uc_mcontext.gregs[REG_RIP]);
  return !FindObject || FindObject(At, Found) != 0;
}

void wait(long Nanoseconds) {
  const itimerspec When = {{0, 0}, {0, Nanoseconds}};
  timer_settime(Retry, 0, &When, nullptr);
}

void onInterrupt(int Signal, siginfo_t *Info, void *Context) {
  constexpr int MostTries = 200;
  constexpr long Millisecond = 1000000;
  const bool IsRetry = Info->si_code == SI_TIMER;
  if (!isInC()) {
    if (!IsRetry)
      passOn(InterruptBefore, Signal, Info, Context);
    return;
  }
  if (!IsRetry)
    Tries = 0;
  if (!isInText(*static_cast<ucontext_t *>(Context)) && ++Tries < MostTries)
    return wait(Millisecond);
  if (CrashNotes::enabled())
    CrashNotes::write("interrupted", Context);
  leave(Signal, Context);
}

/// Makes the timer of this process's only thread, which a fork does not copy.
bool makeTimer() {
  sigevent Event = {};
  Event.sigev_notify = SIGEV_THREAD_ID;
  Event.sigev_signo = SIGINT;
  Event._sigev_un._tid = gettid();
  return timer_create(CLOCK_MONOTONIC, &Event, &Retry) == 0;
}

/// Gives Ctrl-C to the calls of a scope, from the outermost one on.
class InterruptsTaken {
public:
  InterruptsTaken() {
    struct sigaction Ours = {};
    Ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&Ours.sa_mask);
    Ours.sa_sigaction = onInterrupt;
    // Not by the same call: a signal between the two would find none.
    sigaction(SIGINT, nullptr, &InterruptBefore);
    sigaction(SIGINT, &Ours, nullptr);
  }
  ~InterruptsTaken() {
    wait(0);
    sigaction(SIGINT, &InterruptBefore, nullptr);
  }
  InterruptsTaken(const InterruptsTaken &) = delete;
  InterruptsTaken &operator=(const InterruptsTaken &) = delete;
};

bool deferInitializer(void (*Initializer)()) {
  if (!Defers || Guarded != gettid())
    return false;
  Deferred.push_back(Initializer);
  return true;
}

bool install() {
  struct sigaction Ours = {};
  Ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&Ours.sa_mask);
  Ours.sa_sigaction = onCrash;
  for (Kept &K : Crashes)
    if (sigaction(K.Number, &Ours, &K.Before) != 0)
      return false;
  FindObject =
      reinterpret_cast<FindObjectFn>(dlsym(RTLD_DEFAULT, "_dl_find_object"));
  setInitializerDefer(deferInitializer);
  return makeTimer();
}

/// Returns the signal that ended the call, or 0. \p Result is what it returned.
int callOnce(PyObject *Function, PyObject *Arguments, PyObject *&Result) {
  PyThreadState *State = PyThreadState_Get();
  Call Here;
  Here.Outer = Innermost.load();
  Here.Active = CActiveCall::innermost();
  const int Signal = sigsetjmp(Here.Back, 1);
  if (Signal == 0) {
    Innermost = &Here;
    Result = PyObject_Call(Function, Arguments, nullptr);
  } else {
    PyEval_RestoreThread(State);
  }
  Innermost = Here.Outer;
  CActiveCall::innermost() = Here.Active;
  return Signal;
}

} // namespace

/// crash_frames(): how many frames of authors' code the last signal left, and
/// the innermost of them: (function, file, line).
PyObject *python::listCrashFrames(PyObject *, PyObject *) {
  PyRef Found = PyRef::steal(PyList_New(0));
  for (size_t I = 0; I != Left.count(); ++I) {
    const CrashNotes::Place At = CrashNotes::placeOf(Left[I]);
    PyRef One = PyRef::steal(
        Py_BuildValue("ssI", At.Function.c_str(), At.File.c_str(), At.Line));
    if (!Found || !One || PyList_Append(Found.get(), One.get()))
      return nullptr;
  }
  return Py_BuildValue("nN", Py_ssize_t(Left.total()), Found.release());
}

/// guard_calls(): this thread's calls of call_guarded() outlive signals.
PyObject *python::guardCalls(PyObject *, PyObject *) {
  const pid_t Thread = gettid();
  // A forked process has the handlers of its parent.
  if (!Guarded ? install() : Process != getpid() && makeTimer()) {
    Guarded = Thread;
    Process = getpid();
  }
  return PyBool_FromLong(Guarded == gettid());
}

/// defer_initializers(whether): keeps those of what this thread compiles from
/// now on, or no longer. Returns the addresses of those that were kept.
PyObject *python::deferInitializers(PyObject *, PyObject *Whether) {
  Defers = PyObject_IsTrue(Whether) > 0;
  PyRef Found = PyRef::steal(PyTuple_New(Py_ssize_t(Deferred.size())));
  for (size_t I = 0; Found && I != Deferred.size(); ++I) {
    PyObject *Address =
        PyLong_FromVoidPtr(reinterpret_cast<void *>(Deferred[I]));
    if (!Address)
      return nullptr;
    PyTuple_SET_ITEM(Found.get(), Py_ssize_t(I), Address);
  }
  Deferred.clear();
  return Found.release();
}

/// Calls initialisers; returns what one of them threw.
static std::string thrownBy(const std::vector<void (*)()> &Initializers) {
  try {
    for (void (*Initializer)() : Initializers)
      Initializer();
  } catch (const std::exception &E) {
    return std::string("`") + E.what() + "`";
  } catch (...) {
    return "something that is no std::exception";
  }
  return "";
}

/// run_initializers(addresses): calls what was kept; returns 0, or the signal
/// and the line that was written of it.
PyObject *python::runInitializers(PyObject *, PyObject *Addresses) {
  std::vector<void (*)()> Todo;
  for (Py_ssize_t I = 0; I != PyTuple_Size(Addresses); ++I)
    Todo.push_back(reinterpret_cast<void (*)()>(
        PyLong_AsVoidPtr(PyTuple_GetItem(Addresses, I))));
  if (PyErr_Occurred())
    return nullptr;
  if (Todo.empty())
    return Py_BuildValue("iO", 0, Py_None);
  std::string Thrown;
  std::optional<InterruptsTaken> Taken;
  if (!Innermost)
    Taken.emplace();
  PyThreadState *State = PyEval_SaveThread();
  Call Here;
  Here.Outer = Innermost.load();
  Here.Active = CActiveCall::innermost();
  const int Signal = sigsetjmp(Here.Back, 1);
  if (Signal == 0) {
    Innermost = &Here;
    Thrown = thrownBy(Todo);
  }
  Innermost = Here.Outer;
  CActiveCall::innermost() = Here.Active;
  PyEval_RestoreThread(State);
  if (!Thrown.empty())
    return PyErr_Format(PyExc_RuntimeError, "The code threw %s.",
                        Thrown.c_str());
  return Py_BuildValue("is", Signal, Signal ? CrashNotes::last() : "");
}

/// call_guarded(function, arguments): returns (0, result), or the signal and
/// the line that was written of it.
PyObject *python::callGuarded(PyObject *, PyObject *Args) {
  PyObject *Function = nullptr, *Arguments = nullptr, *Result = nullptr;
  if (!PyArg_ParseTuple(Args, "OO!:call_guarded", &Function, &PyTuple_Type,
                        &Arguments))
    return nullptr;
  if (Guarded != gettid()) {
    Result = PyObject_Call(Function, Arguments, nullptr);
    return Result ? Py_BuildValue("iN", 0, Result) : nullptr;
  }
  int Signal = 0;
  if (Innermost) {
    Signal = callOnce(Function, Arguments, Result);
  } else {
    const InterruptsTaken Taken;
    Signal = callOnce(Function, Arguments, Result);
  }
  if (Signal)
    return Py_BuildValue("is", Signal, CrashNotes::last());
  return Result ? Py_BuildValue("iN", 0, Result) : nullptr;
}
