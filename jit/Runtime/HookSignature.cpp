// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a Python hook is called.

#include "HookSignature.h"

#include "Raise.h"

#include <algorithm>
#include <array>

using namespace clinch;

static constexpr HookContract Hooks[] = {
#define TYPE_TEXT(Name, TellsCheckInput, Optional)                             \
  {#Name, (TellsCheckInput) ? "name, sub, check_input=True" : "name, sub"},
#define OP_CODE(Name) {#Name, "node, name, inputs, outputs, sub"},
#define OP_NODE(Name) {#Name, "node, name"},
#define LIST(Name) {#Name, "c_compiler=None"},
#define HOOK(Name, Parameters) {#Name, Parameters},
#include "lib/Contract/Hooks.def"
};

std::span<const HookContract> clinch::hooks() { return Hooks; }

static const HookContract *contractOf(std::string_view Hook) {
  const auto *It = std::ranges::find(Hooks, Hook, &HookContract::Name);
  return It == std::end(Hooks) ? nullptr : It;
}

static bool hasParameter(PyCodeObject *Code, const char *Keyword) {
  PyRef Names = PyRef::steal(PyCode_GetVarnames(Code));
  if (!Names) {
    clearError();
    return false;
  }
  Py_ssize_t Count =
      std::min<Py_ssize_t>(Code->co_argcount + Code->co_kwonlyargcount,
                           PyTuple_GET_SIZE(Names.get()));
  for (Py_ssize_t I = Code->co_posonlyargcount; I < Count; ++I)
    if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(Names.get(), I),
                                         Keyword) == 0)
      return true;
  return false;
}

static Signature ofFunction(PyCodeObject *Code, size_t Bound,
                            const char *Keyword) {
  Signature S;
  S.AnyPositional = Code->co_flags & CO_VARARGS;
  S.Positional = std::max<int>(0, Code->co_argcount - int(Bound));
  S.TakesKeyword = Keyword && ((Code->co_flags & CO_VARKEYWORDS) ||
                               hasParameter(Code, Keyword));
  return S;
}

/// inspect.signature(), which follows `__wrapped__`, partial functions and
/// objects with `__call__`; null if it knows nothing.
static PyRef inspected(PyObject *Callable) {
  PendingError Aside;
  PyRef Inspect = PyRef::steal(PyImport_ImportModule("inspect"));
  PyRef Found = PyRef::steal(
      Inspect ? PyObject_CallMethod(Inspect.get(), "signature", "O", Callable)
              : nullptr);
  PyErr_Clear();
  return Found;
}

/// Adds one `inspect.Parameter` to a signature.
static bool addParameter(PyObject *Parameter, const char *Keyword,
                         Signature &S) {
  enum { PositionalOnly, PositionalOrKeyword, Args, KeywordOnly, Keywords };
  PyRef Kind = attribute(Parameter, "kind"),
        Name = attribute(Parameter, "name");
  long K = Kind ? PyLong_AsLong(Kind.get()) : -1;
  if (K < 0 || !Name)
    return false;
  S.Positional += K == PositionalOnly || K == PositionalOrKeyword;
  S.AnyPositional |= K == Args;
  if (Keyword &&
      (K == Keywords || ((K == PositionalOrKeyword || K == KeywordOnly) &&
                         toString(Name.get()) == Keyword)))
    S.TakesKeyword = true;
  return true;
}

static Signature ofInspected(PyObject *Callable, const char *Keyword) {
  Signature Unknown;
  Unknown.AnyPositional = true;
  Unknown.TakesKeyword = Keyword;
  PyRef Found = inspected(Callable);
  PyRef Map = Found ? attribute(Found.get(), "parameters") : PyRef();
  PyRef Values = PyRef::steal(Map ? PyMapping_Values(Map.get()) : nullptr);
  Signature S;
  for (Py_ssize_t I = 0; Values && I < PyList_GET_SIZE(Values.get()); ++I)
    if (!addParameter(PyList_GET_ITEM(Values.get(), I), Keyword, S))
      Values = PyRef();
  clearError();
  return Values ? S : Unknown;
}

static Signature signatureOf(PyObject *Callable, const char *Keyword) {
  const bool IsBound = PyMethod_Check(Callable);
  PyObject *Function = IsBound ? PyMethod_GET_FUNCTION(Callable) : Callable;
  if (!PyFunction_Check(Function))
    return ofInspected(Callable, Keyword);
  auto *Code = reinterpret_cast<PyCodeObject *>(PyFunction_GET_CODE(Function));
  // What a decorator made, with `functools.wraps`, says only `*args`.
  if (Code->co_flags & (CO_VARARGS | CO_VARKEYWORDS)) {
    PyRef Wrapped = attributeOrNull(Function, "__wrapped__");
    clearError();
    if (Wrapped)
      return ofInspected(Callable, Keyword);
  }
  return ofFunction(Code, IsBound, Keyword);
}

/// Returns " at FILE:LINE" of a function, or "".
static std::string placeOf(PyObject *Callable) {
  if (PyMethod_Check(Callable))
    Callable = PyMethod_GET_FUNCTION(Callable);
  if (!PyFunction_Check(Callable))
    return "";
  auto *Code = reinterpret_cast<PyCodeObject *>(PyFunction_GET_CODE(Callable));
  return " at " + toString(Code->co_filename) + ":" +
         std::to_string(Code->co_firstlineno);
}

Expected<Signature> clinch::readSignature(PyObject *Callable,
                                          const HookCall &Call) {
  Signature S = signatureOf(Callable, Call.Keyword);
  const HookContract *Contract = contractOf(Call.Hook);
  // None at all is the form of 2008: a template.
  if (S.AnyPositional || S.Positional == 0 || !Contract ||
      S.Positional >= Call.Args.size())
    return S;
  const std::string Message = hookSubject(Call) + placeOf(Callable) +
                              " takes " + describe(inspected(Callable).get()) +
                              ", and the contract is `def " + Call.Hook +
                              "(self, " + Contract->Parameters + ")`";
  PyErr_SetString(PyExc_TypeError, Message.c_str());
  return hostError();
}

static PyRef invokeWith(PyObject *Callable, const HookCall &Call, size_t Count,
                        bool ByName, bool ByPosition) {
  std::vector<PyObject *> Args(Call.Args.data(), Call.Args.data() + Count);
  PyRef Names;
  if (ByName)
    Names = PyRef::steal(Py_BuildValue("(s)", Call.Keyword));
  if (ByName && !Names)
    return {};
  if (ByName || ByPosition)
    Args.push_back(Call.KeywordValue);
  return PyRef::steal(PyObject_Vectorcall(Callable, Args.data(),
                                          Count + ByPosition, Names.get()));
}

/// Whether the pending exception may mean that the hook wants no keyword. Of
/// the hooks with `c_compiler` the seeds say "if it doesn't work".
static bool mayWantNoKeyword(const HookCall &Call) {
  return std::string_view(Call.Keyword) == "c_compiler"
             ? PyErr_ExceptionMatches(PyExc_Exception) &&
                   !PyErr_ExceptionMatches(PyExc_MemoryError)
             : PyErr_ExceptionMatches(PyExc_TypeError);
}

PyRef clinch::invoke(PyObject *Callable, const HookCall &Call,
                     const Signature &S, size_t Count) {
  const bool ByName = Call.Keyword && S.TakesKeyword;
  // A hook may call the keyword's parameter otherwise.
  const bool ByPosition = Call.Keyword && !ByName &&
                          (S.Positional > Call.Args.size() ||
                           (S.AnyPositional && !Call.Args.empty()));
  PyRef Out = invokeWith(Callable, Call, Count, ByName, ByPosition);
  if (Out || !(ByName || ByPosition) || !mayWantNoKeyword(Call))
    return Out;
  PendingError First;
  Out = invokeWith(Callable, Call, Count, false, false);
  if (Out)
    First.drop();
  else
    PyErr_Clear();
  return Out;
}
