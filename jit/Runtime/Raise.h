// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors as Python's exceptions.

#pragma once

#include "Program.h"
#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"
#include "jit/Runtime/PyRef.h"

#include <limits>

namespace clinch {

/// Makes \p E the pending exception. Kind Host means that one is pending
/// already, which stays as it is.
void raise(const Error &E);
/// Calls raise() and returns null.
PyObject *raiseNull(const Error &E);

/// Returns the Error that stands for the pending exception.
Error hostError();

/// Sets the module whose `make_error(kind, message, diagnostics)` makes the
/// exceptions, and keeps a reference to it. Without one they are RuntimeErrors.
void setErrorModule(PyObject *Module);
/// Returns that module, borrowed, or null if none is set.
PyObject *errorModule();

/// Returns [{severity, origin, line, column, message, source_line, fixits,
/// notes, class, hook, subject, file, block, apply}].
PyRef diagnosticsToPython(const std::vector<Diagnostic> &Diags);

/// Adds a note (PEP 678) to the pending exception.
void addNote(const std::string &Note);

/// Sets `clinch_apply` of the pending exception to the failed apply, from 1 in
/// running order. Ignores exceptions that take no attributes.
void setFailedApply(size_t Position);

/// Assembled C++ calls this in its handlers. Sets a RuntimeError that says what
/// \p Hook threw, unless a Python exception is pending.
extern "C" void clinch_thrown(const char *Hook) noexcept;

/// Where an `assert` is false: sets an AssertionError, unless a Python
/// exception is pending.
extern "C" void clinch_assertion(const char *What, const char *File,
                                 unsigned Line, const char *Function) noexcept;

/// The same outside C's blocks, and throws AssertionFailed.
extern "C" [[noreturn]] void clinch_asserted(const char *What, const char *File,
                                             unsigned Line,
                                             const char *Function);
struct AssertionFailed {};

/// What callCode() returns if a false `assert` in a function of C ended the
/// call: an exception is set, but the blocks have cleaned up nothing, and the
/// state must not be used again.
constexpr int Abandoned = std::numeric_limits<int>::min();

/// Calls \p Code, which calls compiled code.
template <typename Fn> int callCode(const Fn &Code) {
  try {
    return Code();
  } catch (const AssertionFailed &) {
    return Abandoned;
  }
}

/// Lets the code call these functions.
void addThrown(CompileOptions &O);

/// Assembled code in CUDA calls this after each hook's text. Returns whether
/// something went wrong with its launches or its memory that nobody asked for;
/// then an exception is set that says so, unless one is pending.
extern "C" int clinch_launch_failed() noexcept;

/// Of code in CUDA: lets it call clinch_launch_failed(), and says what its
/// kernels are compiled for.
void addLaunched(CompileOptions &Options, const ProgramOptions &O);

} // namespace clinch
