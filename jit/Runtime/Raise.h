//===- Raise.h - Errors become Python exceptions ----------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_RAISE_H
#define CLINCH_JIT_RUNTIME_RAISE_H

#include "clinch/Support/Expected.h"
#include "jit/Runtime/PyRef.h"

namespace clinch {

/// Makes \p E the pending exception. An Error of kind Host says that one is
/// pending already and leaves it alone.
void raise(const Error &E);
/// For `return raiseNull(E);` in functions that return an object.
PyObject *raiseNull(const Error &E);

/// The Error that stands for the exception that is pending now.
Error hostError();

/// The module that makes the exceptions: its `make_error` is called with (kind,
/// message, diagnostics). The package sets it; without it they are
/// RuntimeErrors.
void setErrorModule(PyObject *Module);
/// Null before the package has set one; borrowed.
PyObject *errorModule();

/// [{severity, origin, line, column, message, source_line, fixits, notes, and
/// whose text it is: class, hook, subject, file, block, apply}].
PyRef diagnosticsToPython(const std::vector<Diagnostic> &Diags);

/// Adds a note to the pending exception, as PEP 678 has it.
void addNote(const std::string &Note);

/// Says in `clinch_apply` of the pending exception which apply failed, from 1
/// in the order of running. An exception that takes no attributes stays as it
/// is.
void setFailedApply(size_t Position);

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_RAISE_H
