// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hooks of Python, and which arguments they take.

#include "PyHook.h"
#include "Raise.h"
#include "lib/Contract/CNames.h"

#include <algorithm>
#include <array>

using namespace clinch;

std::string clinch::classNameOf(PyObject *Owner) {
  // A metaclass may run Python code for the lookup, which clears exceptions.
  PendingError Aside;
  PyRef Name =
      attribute(reinterpret_cast<PyObject *>(Py_TYPE(Owner)), "__name__");
  if (!Name)
    PyErr_Clear();
  return Name ? toString(Name.get()) : Py_TYPE(Owner)->tp_name;
}

std::string clinch::registryKeyOf(PyObject *Class) {
  PyRef Name = attributeOrNull(Class, "__qualname__");
  PyRef Shipped = attributeOrNull(Class, "_shipped");
  PyErr_Clear();
  if (Shipped.get() == Class)
    return toString(Name.get());
  return toString(Name.get()) + "@" +
         std::to_string(reinterpret_cast<uintptr_t>(Class));
}

std::string clinch::hookSubject(const HookCall &Call) {
  std::string Out = "`" + classNameOf(Call.Owner) + "." + Call.Hook + "`";
  return Call.Of.empty() ? Out : Out + " for " + Call.Of;
}

/// Adds a `fail` where failing is forbidden, so that the compiler can quote the
/// line of a Python hook that uses it.
static PyRef addForbiddenFail(PyRef Dict, const Substitutions &Sub) {
  const std::string *Id = Sub.find("id");
  if (!Dict || !Id || Sub.find("fail"))
    return Dict;
  PyRef Fail = fromString(failTo(*Id, failLabel(*Id)));
  if (!Fail || PyDict_SetItemString(Dict.get(), "fail", Fail.get()) < 0)
    return {};
  return Dict;
}

bool clinch::readNames(PyObject *List, std::vector<std::string> &Names) {
  PyRef Items = PyRef::steal(PySequence_List(List));
  for (Py_ssize_t I = 0; Items && I < PyList_GET_SIZE(Items.get()); ++I)
    Names.push_back(toString(PyList_GET_ITEM(Items.get(), I)));
  return bool(Items);
}

PyRef clinch::toDict(const Substitutions &Sub) {
  PyRef Dict = PyRef::steal(PyDict_New());
  for (const auto &[Key, Value] : Sub.items()) {
    PyRef K = fromString(Key), V = fromString(Value);
    if (!Dict || !K || !V || PyDict_SetItem(Dict.get(), K.get(), V.get()) < 0)
      return {};
  }
  return addForbiddenFail(std::move(Dict), Sub);
}

bool clinch::saysNotDefined() {
  PyObject *Type = PyErr_Occurred();
  return Type && PyType_Check(Type) &&
         std::string_view(reinterpret_cast<PyTypeObject *>(Type)->tp_name) ==
             "MethodNotDefined";
}

/// Names an attribute of the owner's that may be a misspelt \p Hook.
static std::string nearName(PyObject *Owner, const char *Hook) {
  PendingError Aside;
  PyRef Difflib = PyRef::steal(PyImport_ImportModule("difflib"));
  PyRef Names = PyRef::steal(PyObject_Dir(Owner));
  PyRef Near = PyRef::steal(
      Difflib && Names ? PyObject_CallMethod(Difflib.get(), "get_close_matches",
                                             "sOid", Hook, Names.get(), 3, 0.8)
                       : nullptr);
  PyErr_Clear();
  for (Py_ssize_t I = 0; Near && I < PyList_GET_SIZE(Near.get()); ++I) {
    std::string Name = toString(PyList_GET_ITEM(Near.get(), I));
    if (std::ranges::find(hooks(), Name, &HookContract::Name) == hooks().end())
      return ". Its `" + Name + "` has a similar name";
  }
  return "";
}

static Error missingHook(const HookCall &Call) {
  return {Error::Kind::Hook,
          "`" + classNameOf(Call.Owner) + "` has no `" + Call.Hook + "`" +
              (Call.Of.empty() ? "" : ", needed for ") + Call.Of +
              nearName(Call.Owner, Call.Hook) + "."};
}

/// Returns a sentence with the keys of `sub` if the pending exception is a
/// KeyError, else "".
static std::string keysThereAre(const HookCall &Call) {
  if (!PyErr_ExceptionMatches(PyExc_KeyError))
    return "";
  auto Sub = std::ranges::find_if(
      Call.Args, [](PyObject *Arg) { return PyDict_CheckExact(Arg); });
  if (Sub == Call.Args.end())
    return "";
  PendingError Aside;
  PyRef Keys = PyRef::steal(PyDict_Keys(*Sub));
  std::string List;
  for (Py_ssize_t I = 0; Keys && I < PyList_GET_SIZE(Keys.get()); ++I)
    List += (I ? ", `" : "`") + toString(PyList_GET_ITEM(Keys.get(), I)) + "`";
  return List.empty() ? "" : " The keys of `sub` are " + List + ".";
}

Expected<HookReturn> clinch::callHook(const HookCall &Call) {
  PyRef Callable = attributeOrNull(Call.Owner, Call.Hook);
  if (!Callable && PyErr_Occurred())
    return hostError();
  HookReturn Out;
  if (!Callable || Callable.get() == Py_None)
    return Call.Optional ? Expected<HookReturn>(Out) : missingHook(Call);
  CLINCH_TRY_ASSIGN(Signature S, readSignature(Callable.get(), Call));
  size_t Count = S.AnyPositional ? Call.Args.size()
                                 : std::min(Call.Args.size(), S.Positional);
  Out.IsTemplate = Count == 0 && !Call.Args.empty();
  Out.Value = invoke(Callable.get(), Call, S, Count);
  if (Out.Value)
    return Out;
  if (Call.Optional &&
      (PyErr_ExceptionMatches(PyExc_NotImplementedError) || saysNotDefined())) {
    PyErr_Clear();
    return Out;
  }
  addNote("Clinch was calling " + hookSubject(Call) +
          (Call.Made.empty() ? "" : ", made at " + Call.Made) + "." +
          keysThereAre(Call));
  return hostError();
}

static Error wrongReturn(const HookCall &Call, const char *Wanted,
                         PyObject *Found) {
  return {Error::Kind::Hook,
          hookSubject(Call) + " must return " + Wanted + "; it returned " +
              (Found == Py_None ? "None" : "a value of type `") +
              (Found == Py_None ? "" : classNameOf(Found) + "`") + "."};
}

Expected<HookText> clinch::callTextHook(const HookCall &Call) {
  CLINCH_TRY_ASSIGN(HookReturn R, callHook(Call));
  PyObject *Value = R.Value.get();
  if (!Value || (Value == Py_None && Call.NoneIsNothing))
    return HookText();
  if (!PyUnicode_Check(Value))
    return wrongReturn(Call, "a str", Value);
  HookText Text(toString(Value));
  Text.Filled = !R.IsTemplate;
  return Text;
}

Expected<std::vector<std::string>> clinch::callListHook(const HookCall &Call,
                                                        bool OneText) {
  std::vector<std::string> Out;
  CLINCH_TRY_ASSIGN(HookReturn R, callHook(Call));
  PyObject *Value = R.Value.get();
  if (!Value)
    return Out;
  if (PyUnicode_Check(Value) && OneText) {
    if (PyUnicode_GET_LENGTH(Value))
      Out.push_back(toString(Value));
    return Out;
  }
  const char *Wanted = OneText ? "a str or a list of str" : "a list of str";
  if (PyUnicode_Check(Value) || PyBytes_Check(Value))
    return wrongReturn(Call, Wanted, Value);
  PyRef Items = PyRef::steal(PySequence_List(Value));
  if (!Items) {
    clearError();
    return wrongReturn(Call, Wanted, Value);
  }
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Items.get()); ++I) {
    PyObject *Item = PyList_GET_ITEM(Items.get(), I);
    // A folder may be a pathlib.Path.
    PyRef Text = PyRef::steal(PyOS_FSPath(Item));
    if (!Text || !PyUnicode_Check(Text.get())) {
      clearError();
      return wrongReturn(Call, Wanted, Item);
    }
    Out.push_back(toString(Text.get()));
    if (!OneText && Out.back().find('\0') != std::string::npos)
      return Error(Error::Kind::Hook,
                   hookSubject(Call) + " returned text with a NUL character.");
  }
  return Out;
}

Expected<std::string> clinch::callVersionHook(const HookCall &Call) {
  CLINCH_TRY_ASSIGN(HookReturn R, callHook(Call));
  PyObject *Value = R.Value.get();
  if (!Value || Value == Py_None)
    return std::string();
  PyRef Text = PyRef::steal(PyObject_Repr(Value));
  if (!Text)
    return hostError();
  return toString(Text.get());
}

/// Whether a method of the package's own only asks the native.
static bool asksNative(PyObject *Method) {
  if (!PyMethod_Check(Method))
    return false;
  PyRef Mark = attributeOrNull(PyMethod_GET_FUNCTION(Method), "asks_native");
  PyErr_Clear();
  return bool(Mark);
}

bool clinch::definesHook(PyObject *Owner, const char *Hook) {
  PyRef Own = attributeOrNull(Owner, Hook);
  PyErr_Clear();
  return Own && !asksNative(Own.get());
}

Expected<std::string> clinch::callCompilerHook(PyObject *Owner) {
  CLINCH_TRY_ASSIGN(HookReturn R, callHook(HookCall{Owner, "c_compiler"}));
  PyObject *Value = R.Value.get();
  if (!Value || Value == Py_None)
    return std::string();
  // The name of a back end, or the class that stands for one.
  if (PyUnicode_Check(Value))
    return toString(Value);
  PyRef Name = attributeOrNull(Value, "__name__");
  if (!Name && PyErr_Occurred())
    return hostError();
  return Name ? toString(Name.get()) : describe(Value);
}

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
