//===- ProcessSession.h - The session that Python shares --------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_PROCESSSESSION_H
#define CLINCH_JIT_RUNTIME_PROCESSSESSION_H

#include "clinch/Compiler/Session.h"

namespace clinch {

/// One session for all that Python compiles, made when first needed, and one
/// for what it compiles in a process apart; see Session::Options::Isolated.
/// They are never destroyed: functions may outlive the interpreter's modules.
Expected<Session *> processSession(bool Isolated = false);

/// What both have counted.
Expected<Session::Stats> processStats();

/// Options for the next session; one that exists is replaced, and what it
/// compiled stays alive with its users.
void configureProcessSession(Session::Options O);

/// Whether a Python in which this was asked has ended. What modules keep, as
/// NumPy's does, points into it, and none can be imported again.
bool pythonHasEnded();

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_PROCESSSESSION_H
