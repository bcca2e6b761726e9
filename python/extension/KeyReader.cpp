//===- KeyReader.cpp - Reads keys for readline, and gives up --*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Python waits for a key in `select` and then lets readline read it. A Ctrl-C
// between the two throws the key away in the terminal, and readline's own
// reader then waits for another one, through any number of signals.
//
//===----------------------------------------------------------------------===//

#include "Objects.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <dlfcn.h>
#include <poll.h>
#include <unistd.h>

using namespace clinch;
using namespace clinch::python;

/// What an interrupted wait gives readline: Ctrl-@, which sets the mark.
/// Python then waits by itself again, and looks at its signals.
static constexpr int HarmlessKey = 0;

/// readline has reads go on after a SIGWINCH, with which the prompt's thread
/// tells of a Ctrl-C that came too early.
static void letWakesInterrupt() {
  struct sigaction Action;
  if (sigaction(SIGWINCH, nullptr, &Action) != 0 ||
      !(Action.sa_flags & SA_RESTART))
    return;
  Action.sa_flags &= ~SA_RESTART;
  sigaction(SIGWINCH, &Action, nullptr);
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

/// read_keys_interruptibly(path): for the readline that this file uses; None
/// is the program itself. False if it has no place for a reader.
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
  dlclose(Library); // Python has loaded it, for good.
  return PyBool_FromLong(Place != nullptr);
}
