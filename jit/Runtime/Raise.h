// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors become Python exceptions.

#pragma once

#include "clinch/Support/Expected.h"
#include "jit/Runtime/PyRef.h"

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

} // namespace clinch
