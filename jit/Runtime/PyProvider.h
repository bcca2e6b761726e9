//===- PyProvider.h - The hooks that Types and Ops share, in Python *- C++
//-*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_PYPROVIDER_H
#define CLINCH_JIT_RUNTIME_PYPROVIDER_H

#include "clinch/Contract/Hook.h"
#include "clinch/Runtime/PyRef.h"

namespace clinch {

/// The hooks of CodeProvider, asked of a Python object.
namespace provider {
/// By other means than by asking the native Op behind it.
bool defines(PyObject *Owner, const char *Hook);
/// c_headers to c_no_compile_args: with c_compiler, if the hook takes it.
CodeProvider::Strings list(PyObject *Owner, const char *Hook,
                           std::string_view CCompiler);
/// c_support_code and c_init_code.
CodeProvider::Strings code(PyObject *Owner, const char *Hook);
Expected<std::string> compiler(PyObject *Owner);
Expected<CacheVersion> version(PyObject *Owner);
} // namespace provider

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_PYPROVIDER_H
