//===- PyHook.h - Calling the hooks of Python objects -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_PYHOOK_H
#define CLINCH_JIT_RUNTIME_PYHOOK_H

#include "clinch/Contract/Hook.h"
#include "jit/Runtime/PyRef.h"

#include <span>
#include <vector>

namespace clinch {

/// One call of one hook. Authors write hooks with fewer parameters than there
/// are arguments; what a hook does not take is not passed.
struct HookCall {
  PyObject *Owner = nullptr;
  const char *Hook = nullptr;
  std::string Of;               ///< "`x`", what it is called for; may be empty.
  std::vector<PyObject *> Args; ///< Borrowed.
  /// Passed by this name to hooks that have such a parameter or `**kwargs`.
  const char *Keyword = nullptr;
  PyObject *KeywordValue = nullptr;
  /// Absent (or None in its place) and NotImplementedError mean: nothing to
  /// say. A hook that returns None has forgotten its `return`, unless
  /// NoneIsNothing.
  bool Optional = true;
  bool NoneIsNothing = false;
  std::string Made; ///< Where the apply was made; may be empty.
};

struct HookReturn {
  PyRef Value; ///< Null: it has nothing to say.
  /// The hook takes no arguments, as in 2008, so it returns a template.
  bool IsTemplate = false;
};

Expected<HookReturn> callHook(const HookCall &Call);

/// A str (or nothing, if optional), as text.
Expected<HookText> callTextHook(const HookCall &Call);
/// A list or tuple of str; \p OneText: a str is a list of one.
Expected<std::vector<std::string>> callListHook(const HookCall &Call,
                                                bool OneText = false);
Expected<std::string> callVersionHook(const HookCall &Call);
/// c_compiler: "c", "c++" or "".
Expected<std::string> callCompilerHook(PyObject *Owner);

/// Whether \p Owner has the hook by other means than by asking the native Op
/// behind it.
bool definesHook(PyObject *Owner, const char *Hook);

/// Whether the pending exception is how PyTensor says "no such hook".
bool saysNotDefined();

/// All hooks that there are, of Types and of Ops.
std::span<const std::string_view> hookNames();

/// "Double", the class of a Type or an Op.
std::string classNameOf(PyObject *Owner);
/// What C code for a class of Types is registered under: the shipped ones'
/// names, or something that no two classes have in common.
std::string registryKeyOf(PyObject *Class);
/// "`Double.c_extract`", with " for `x`" when that is known.
std::string hookSubject(const HookCall &Call);
PyRef toDict(const Substitutions &Sub);
/// Of any sequence of str; false with an exception set.
bool readNames(PyObject *List, std::vector<std::string> &Names);

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_PYHOOK_H
