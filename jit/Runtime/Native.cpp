// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shipped Types and Ops as Python objects.

#include "Native.h"

#include "Border.h"
#include "CriticalSection.h"
#include "NativeHooks.h"
#include "PyHook.h"
#include "PyOp.h"
#include "PyType.h"
#include "Raise.h"
#include "clinch/Graph/Graph.h"
#include "lib/Contract/Params.h"
#include "lib/Contract/Scalar.h"

#include <new>

using namespace clinch;

namespace {
struct NativeTypeObject {
  PyObject_HEAD TypePtr T;
};
struct NativeOpObject {
  PyObject_HEAD std::shared_ptr<const Op> O;
};
} // namespace

static TypePtr &held(NativeTypeObject *Self) { return Self->T; }
static std::shared_ptr<const Op> &held(NativeOpObject *Self) { return Self->O; }

template <typename Object> static void destroy(PyObject *Self) {
  PyTypeObject *Class = Py_TYPE(Self);
  std::destroy_at(&held(reinterpret_cast<Object *>(Self)));
  Class->tp_free(Self);
  Py_DECREF(Class);
}

template <typename Object, typename Held>
static PyRef wrap(PyTypeObject *Class, Held Value) {
  if (!Class)
    return {};
  PyObject *Self = Class->tp_alloc(Class, 0);
  if (Self)
    new (&held(reinterpret_cast<Object *>(Self))) Held(std::move(Value));
  return PyRef::steal(Self);
}

using TypeHook = Type::Text (Type::*)(const Type::Args &) const;

struct NamedTypeHook {
  const char *Name;
  TypeHook Hook;
};
static const NamedTypeHook TypeHooks[] = {
    {"c_extract_out", &Type::c_extract_out},
#define TYPE_TEXT(Name, TellsCheckInput, Optional) {#Name, &Type::Name},
#include "lib/Contract/Hooks.def"
};

/// native.text(hook, name, sub, check_input) returns the filled text of a hook
/// of a Type, such as c_declare.
static PyObject *typeText(PyObject *Self, PyObject *Args) {
  const char *Hook = nullptr, *Name = nullptr;
  PyObject *Dict = nullptr;
  int CheckInput = 1;
  if (!PyArg_ParseTuple(Args, "ssO!|p", &Hook, &Name, &PyDict_Type, &Dict,
                        &CheckInput))
    return nullptr;
  const Type &T = *held(reinterpret_cast<NativeTypeObject *>(Self));
  for (const NamedTypeHook &H : TypeHooks) {
    if (std::string_view(H.Name) != Hook)
      continue;
    std::string NameText = Name;
    Substitutions Sub = substitutionsOf(NameText, Dict);
    return filledText((T.*H.Hook)({NameText, Sub, CheckInput != 0}), Sub,
                      "`" + T.className() + "." + Hook + "`");
  }
  return PyErr_Format(PyExc_AttributeError, "a Type has no hook `%s`", Hook);
}

static PyObject *listToPython(const CodeProvider::Strings &Items) {
  if (!Items)
    return raiseNull(Items.error());
  PyRef List = PyRef::steal(PyList_New(0));
  for (const std::string &Item : *Items) {
    PyRef Text = fromString(Item);
    if (!List || !Text || PyList_Append(List.get(), Text.get()) < 0)
      return nullptr;
  }
  return List.release();
}

using ListHook =
    CodeProvider::Strings (CodeProvider::*)(std::string_view) const;
struct NamedListHook {
  const char *Name;
  ListHook Hook;
};
static const NamedListHook ListHooks[] = {
#define LIST(Name) {#Name, &CodeProvider::Name},
#include "lib/Contract/Hooks.def"
};

/// native.list(hook, c_compiler="") returns the list of c_headers and the like,
/// c_support_code or c_init_code.
static PyObject *providerList(const CodeProvider &P, PyObject *Args) {
  const char *Hook = nullptr, *Compiler = "";
  if (!PyArg_ParseTuple(Args, "s|z", &Hook, &Compiler))
    return nullptr;
  std::string_view Name = Hook;
  if (Name == "c_support_code")
    return listToPython(P.c_support_code());
  if (Name == "c_init_code")
    return listToPython(P.c_init_code());
  for (const NamedListHook &H : ListHooks)
    if (Name == H.Name)
      return listToPython((P.*H.Hook)(Compiler ? Compiler : ""));
  return PyErr_Format(PyExc_AttributeError, "there is no hook `%s`", Hook);
}

static PyObject *typeList(PyObject *Self, PyObject *Args) {
  return providerList(*held(reinterpret_cast<NativeTypeObject *>(Self)), Args);
}

static PyObject *textOrRaise(const Expected<std::string> &Text) {
  return Text ? fromString(*Text).release() : raiseNull(Text.error());
}

/// native.literal(value) returns the constant as C text, or "".
static PyObject *typeLiteral(PyObject *Self, PyObject *Value) {
  TypePtr &T = held(reinterpret_cast<NativeTypeObject *>(Self));
  Graph G;
  return textOrRaise(T->c_literal(*G.addConstant(T, Value)));
}

static PyObject *toPython(const std::string &Text) {
  return fromString(Text).release();
}
static PyObject *toPython(int Number) { return PyLong_FromLong(Number); }
static PyObject *toPython(const Expected<std::string> &Text) {
  return textOrRaise(Text);
}
static PyObject *toPython(const Expected<bool> &Is) {
  return Is ? PyBool_FromLong(*Is) : raiseNull(Is.error());
}

/// Gets the attribute that \p Member says.
template <typename Object, auto Member>
static PyObject *get(PyObject *Self, void *) {
  const auto &Held = *held(reinterpret_cast<Object *>(Self));
  return toPython((Held.*Member)());
}

static PyObject *typeStruct(PyObject *Self, void *) {
  const auto *Params = dynamic_cast<const ParamsType *>(
      held(reinterpret_cast<NativeTypeObject *>(Self)).get());
  return toPython(Params ? Params->structType() : std::string());
}

static PyObject *opText(PyObject *Self, PyObject *Args) {
  return opHookText(*held(reinterpret_cast<NativeOpObject *>(Self)), Args);
}
static PyObject *opList(PyObject *Self, PyObject *Args) {
  return providerList(*held(reinterpret_cast<NativeOpObject *>(Self)), Args);
}

/// native.result_type(types) returns one of them, or a NativeType.
static PyObject *opResultType(PyObject *Self, PyObject *Types) {
  PyRef Items = PyRef::steal(PySequence_List(Types));
  if (!Items)
    return nullptr;
  std::vector<TypePtr> In;
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Items.get()); ++I) {
    In.push_back(typeOf(PyList_GET_ITEM(Items.get(), I)));
    if (!In.back())
      return nullptr;
  }
  Expected<TypePtr> Result =
      resultType(*held(reinterpret_cast<NativeOpObject *>(Self)), In);
  if (!Result)
    return raiseNull(Result.error());
  for (size_t I = 0; I < In.size(); ++I)
    if (In[I] == *Result)
      return Py_NewRef(PyList_GET_ITEM(Items.get(), Py_ssize_t(I)));
  return wrapNative(std::move(*Result)).release();
}

static PyMethodDef TypeMethods[] = {
    {"text", border<typeText>, METH_VARARGS, "The text of a hook, filled."},
    {"list", border<typeList>, METH_VARARGS, "The list of a hook."},
    {"literal", border<typeLiteral>, METH_O, "A constant as C text."},
    {nullptr, nullptr, 0, nullptr}};
static constexpr const char *VersionDoc = "Its version tuple, as text.",
                            *CompilerDoc = "c, c++, or none in particular.",
                            *NameDoc = "As messages call it.";
static PyGetSetDef TypeGetSet[] = {
    {"dtype", border<get<NativeTypeObject, &Type::dtype>>, nullptr,
     "NumPy's name of the item type.", nullptr},
    {"ndim", border<get<NativeTypeObject, &Type::ndim>>, nullptr,
     "Dimensions; -1 for no array.", nullptr},
    {"element_type", border<get<NativeTypeObject, &Type::c_element_type>>,
     nullptr, "The C type of an item.", nullptr},
    {"is_simple", border<get<NativeTypeObject, &Type::c_is_simple>>, nullptr,
     "Whether it fits on the stack.", nullptr},
    {"version", border<get<NativeTypeObject, &Type::c_code_cache_version>>,
     nullptr, VersionDoc, nullptr},
    {"compiler", border<get<NativeTypeObject, &Type::c_compiler>>, nullptr,
     CompilerDoc, nullptr},
    {"struct_type", border<typeStruct>, nullptr, "Of a ParamsType.", nullptr},
    {"class_name", border<get<NativeTypeObject, &Type::className>>, nullptr,
     NameDoc, nullptr},
    {}};
static PyMethodDef OpMethods[] = {
    {"result_type", border<opResultType>, METH_O, "The Type of the output."},
    {"text", border<opText>, METH_VARARGS, "The text of a hook, filled."},
    {"list", border<opList>, METH_VARARGS, "The list of a hook."},
    {nullptr, nullptr, 0, nullptr}};
static PyGetSetDef OpGetSet[] = {
    {"compiler", border<get<NativeOpObject, &Op::c_compiler>>, nullptr,
     CompilerDoc, nullptr},
    {"name", border<get<NativeOpObject, &Op::className>>, nullptr, NameDoc,
     nullptr},
    {"version", border<get<NativeOpObject, &Op::c_code_cache_version>>, nullptr,
     VersionDoc, nullptr},
    {}};

template <typename Object>
static PyTypeObject *makeClass(const char *Name, PyMethodDef *Methods,
                               PyGetSetDef *GetSet) {
  PyType_Slot Slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void *>(&destroy<Object>)},
      {Py_tp_methods, Methods},
      {Py_tp_getset, GetSet},
      {0, nullptr}};
  PyType_Spec Spec = {Name, sizeof(Object), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                      Slots};
  return reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&Spec));
}

PyTypeObject *clinch::nativeTypeClass() {
  static PyTypeObject *Class = makeClass<NativeTypeObject>(
      "clinch._clinch.NativeType", TypeMethods, TypeGetSet);
  return Class;
}
PyTypeObject *clinch::nativeOpClass() {
  static PyTypeObject *Class =
      makeClass<NativeOpObject>("clinch._clinch.NativeOp", OpMethods, OpGetSet);
  return Class;
}
PyRef clinch::wrapNative(TypePtr T) {
  return wrap<NativeTypeObject>(nativeTypeClass(), std::move(T));
}
PyRef clinch::wrapNative(std::shared_ptr<const Op> O) {
  return wrap<NativeOpObject>(nativeOpClass(), std::move(O));
}

/// Whether an instance's own `c_declare = ...` shadows a hook of its class.
static bool overridesHooks(PyObject *Object) {
  PyRef Dict = attributeOrNull(Object, "__dict__");
  PyErr_Clear();
  if (!Dict || !PyDict_Check(Dict.get()))
    return false;
  CriticalSection Turn(Dict.get());
  PyObject *Key = nullptr;
  for (Py_ssize_t At = 0; PyDict_Next(Dict.get(), &At, &Key, nullptr);)
    if (std::string_view(toString(Key)).starts_with("c_"))
      return true;
  return false;
}

static PyRef nativeOf(PyObject *Object) {
  PyRef Native = attributeOrNull(Object, "_native");
  PyErr_Clear();
  return Native;
}

/// Whether the object is one of the package's own, with nothing overridden.
static bool isShipped(PyObject *Object) {
  auto *Class = reinterpret_cast<PyObject *>(Py_TYPE(Object));
  PyRef Shipped = attributeOrNull(Class, "_shipped");
  PyErr_Clear();
  return Shipped.get() == Class && !overridesHooks(Object);
}

TypePtr clinch::typeOf(PyObject *Object) {
  if (PyObject_TypeCheck(Object, nativeTypeClass()))
    return held(reinterpret_cast<NativeTypeObject *>(Object));
  PyRef Native = isShipped(Object) ? nativeOf(Object) : PyRef();
  if (Native && PyObject_TypeCheck(Native.get(), nativeTypeClass()))
    return held(reinterpret_cast<NativeTypeObject *>(Native.get()));
  return std::make_shared<PyType>(Object);
}

std::shared_ptr<const Op> clinch::opOf(PyObject *Object) {
  PyRef Native = nativeOf(Object);
  if (!Native || !PyObject_TypeCheck(Native.get(), nativeOpClass()))
    return std::make_shared<PyOp>(Object);
  auto &Default = held(reinterpret_cast<NativeOpObject *>(Native.get()));
  return isShipped(Object) ? Default : std::make_shared<PyOp>(Object, Default);
}
