//===- HostSignals.h - The signals that a crash sends -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_HOSTSIGNALS_H
#define CLINCH_JIT_ENGINE_HOSTSIGNALS_H

#include "llvm/Support/ErrorHandling.h"

#include <array>
#include <csignal>

namespace clinch::engine {

constexpr std::array CrashSignals = {SIGSEGV, SIGBUS,  SIGILL,
                                     SIGFPE,  SIGABRT, SIGTRAP};

using SignalHandler = void (*)(int Signal, siginfo_t *Info, void *Context);

/// From now on \p Handler gets these signals, and \p OnFatal LLVM's last words,
/// until giveSignalsBack() was called as often. A child of a fork has the
/// host's own handlers.
void takeSignals(SignalHandler Handler, llvm::fatal_error_handler_t OnFatal);
void giveSignalsBack();

/// Gives a signal to the host, as if nobody was here; in a handler.
void passSignalOn(int Signal, siginfo_t *Info, void *Context);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_HOSTSIGNALS_H
