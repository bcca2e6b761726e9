// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads keys interruptibly.
//
// Python waits for a key in `select` and then lets readline read it. On a
// Ctrl-C in between, the terminal discards the key, and readline's own reader
// waits for the next one, whatever signals arrive.

#include "Objects.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <dlfcn.h>
#include <poll.h>
#include <unistd.h>
#include <utility>

using namespace clinch;
using namespace clinch::python;

/// Returned to readline if the wait is interrupted: Ctrl-@, which sets the
/// mark. Python then waits in `select` again and handles its signals.
static constexpr int HarmlessKey = 0;

/// Lets SIGWINCH interrupt reads, which readline makes restart. The prompt's
/// thread sends it after a Ctrl-C that came too early.
static void letWakesInterrupt() {
  struct sigaction Action;
  if (sigaction(SIGWINCH, nullptr, &Action) != 0 ||
      !(Action.sa_flags & SA_RESTART))
    return;
  Action.sa_flags &= ~SA_RESTART;
  sigaction(SIGWINCH, &Action, nullptr);
}

static bool TakesInterrupts = false;
static bool Interrupted = false; ///< While it did not take interrupts.

/// on_interrupt(signal, frame): a handler of the module `signal` that raises
/// KeyboardInterrupt while the prompt takes interrupts. It is not in Python:
/// input() calls it again while its first exception is pending.
PyObject *python::onInterrupt(PyObject *, PyObject *) {
  if (TakesInterrupts) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    return nullptr;
  }
  Interrupted = true;
  Py_RETURN_NONE;
}

/// take_interrupts(whether): returns whether one came since the last call.
PyObject *python::takeInterrupts(PyObject *, PyObject *Whether) {
  TakesInterrupts = PyObject_IsTrue(Whether) > 0;
  return PyBool_FromLong(std::exchange(Interrupted, false));
}

static int readKey(std::FILE *Stream) {
  letWakesInterrupt();
  const int File = fileno(Stream);
  for (;;) {
    unsigned char Key = 0;
    const ssize_t Count = read(File, &Key, 1);
    if (Count == 1)
      return Key;
    pollfd Wait = {File, POLLIN, 0};
    if (Count < 0 && errno == EAGAIN && poll(&Wait, 1, -1) > 0)
      continue;
    return Count < 0 && errno == EINTR ? HarmlessKey : EOF;
  }
}

/// read_keys_interruptibly(path): installs the reader in the readline that this
/// file uses; None is the program itself. Returns False if that is impossible.
PyObject *python::readKeysInterruptibly(PyObject *, PyObject *Path) {
  const char *Name = Path == Py_None ? nullptr : PyUnicode_AsUTF8(Path);
  if (!Name && Path != Py_None)
    return nullptr;
  void *Library = dlopen(Name, RTLD_LAZY);
  if (!Library)
    Py_RETURN_FALSE;
  using Reader = int (*)(std::FILE *);
  auto *Place = static_cast<Reader *>(dlsym(Library, "rl_getc_function"));
  if (Place)
    *Place = readKey;
  dlclose(Library); // Python keeps it loaded.
  return PyBool_FromLong(Place != nullptr);
}
