// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's session, and what Python says of itself.

#pragma once

#include "clinch/Compiler/Session.h"
#include "jit/Engine/Checker/TextChecker.h"

namespace clinch {

/// Returns the session for all that Python compiles, or the one that compiles
/// in a separate process (Session::Options::Isolated). Made when first needed
/// and never destroyed: functions may outlive the interpreter's modules.
Session &processSession(bool Isolated = false);

/// The sums of both sessions' counts.
Session::Stats processStats();

/// Sets the options of the next sessions. Existing ones are replaced; what they
/// compiled stays alive with its users.
void configureProcessSession(Session::Options O);

/// Returns whether an interpreter in which this was called has ended. Modules
/// such as NumPy keep pointers into it, and cannot be imported again.
bool pythonHasEnded();

/// Fails if the host has not started the interpreter.
Status pythonHasBegun();

/// What a check of texts knows of Python's functions and NumPy's.
CallFacts pythonFacts();

} // namespace clinch
