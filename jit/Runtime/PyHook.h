// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hooks of Python, and which arguments they take.

#pragma once

#include "clinch/Contract/Hook.h"
#include "jit/Runtime/PyRef.h"

#include <span>
#include <vector>

namespace clinch {

/// One call of a hook. A hook may have no parameters at all; to have fewer
/// than there are arguments is an error.
struct HookCall {
  PyObject *Owner = nullptr;
  const char *Hook = nullptr;
  std::string Of; ///< What it is called for, as "`x`"; may be empty.
  std::vector<PyObject *> Args; ///< Borrowed.
  /// Passed by this name to hooks that have such a parameter or `**kwargs`,
  /// unless they fail with it and not without.
  const char *Keyword = nullptr;
  PyObject *KeywordValue = nullptr;
  /// A hook that is absent (or None), or raises NotImplementedError, gives
  /// nothing. None as a result means a forgotten `return`, unless
  /// NoneIsNothing.
  bool Optional = true;
  bool NoneIsNothing = false;
  std::string Made; ///< Where the apply was made; may be empty.
};

struct HookReturn {
  PyRef Value; ///< Null if the hook gives nothing.
  /// A hook without parameters, as in old code, returns a template.
  bool IsTemplate = false;
};

Expected<HookReturn> callHook(const HookCall &Call);

/// Calls a hook that returns a str (or nothing, if optional).
Expected<HookText> callTextHook(const HookCall &Call);
/// Calls a hook that returns a list or tuple of str; with \p OneText, a str
/// counts as a list of one.
Expected<std::vector<std::string>> callListHook(const HookCall &Call,
                                                bool OneText = false);
Expected<std::string> callVersionHook(const HookCall &Call);
/// c_compiler: "c", "c++" or "".
Expected<std::string> callCompilerHook(PyObject *Owner);

/// Whether \p Owner defines the hook itself, instead of asking its native Op.
bool definesHook(PyObject *Owner, const char *Hook);

/// Whether the pending exception is how PyTensor says "no such hook".
bool saysNotDefined();

/// A hook of Types or Ops, and its parameters as the contract writes them.
struct HookContract {
  std::string_view Name;
  const char *Parameters;
};
std::span<const HookContract> hooks();

/// Returns the class name of a Type or an Op, as "Double".
std::string classNameOf(PyObject *Owner);
/// Returns the key that C code for a class of Types is registered under: its
/// name if shipped, else a name unique to the class.
std::string registryKeyOf(PyObject *Class);
/// Returns "`Double.c_extract`", with " for `x`" if that is known.
std::string hookSubject(const HookCall &Call);
PyRef toDict(const Substitutions &Sub);
/// Reads any sequence of str; returns false with an exception on failure.
bool readNames(PyObject *List, std::vector<std::string> &Names);

/// The parameters of a callable, without a bound one.
struct Signature {
  size_t Positional = 0;
  bool AnyPositional = false; ///< `*args`, or unknown.
  bool TakesKeyword = false;  ///< The requested one, `**kwargs`, or unknown.
};

/// Reads the signature of \p Callable. Fails with a TypeError if it takes
/// arguments, but fewer than the contract gives.
Expected<Signature> readSignature(PyObject *Callable, const HookCall &Call);

/// Calls the hook with the first \p Count arguments and, if it takes it, the
/// keyword one. If that does not work, calls it without the keyword. Returns
/// null with the exception of the first call.
PyRef invoke(PyObject *Callable, const HookCall &Call, const Signature &S,
             size_t Count);

} // namespace clinch
