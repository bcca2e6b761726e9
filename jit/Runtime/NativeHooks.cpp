// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hooks of shipped Ops, from Python.

#include "NativeHooks.h"
#include "CriticalSection.h"
#include "GraphImport.h"
#include "PyHook.h"
#include "clinch/Graph/Graph.h"
#include "jit/Runtime/PyRef.h"
#include "lib/Contract/CNames.h"
#include "lib/Contract/Scalar.h"

#include <cctype>
#include <cstring>

using namespace clinch;

PyObject *clinch::filledText(Expected<HookText> Text, const Substitutions &Sub,
                             const std::string &Hook) {
  if (!Text)
    return raiseNull(Text.error());
  if (Text->Filled)
    return fromString(Text->Text).release();
  Expected<std::string> Out = fillTemplate(Text->Text, Sub, Hook);
  return Out ? fromString(*Out).release() : raiseNull(Out.error());
}

static void addItems(PyObject *Dict, Substitutions &Sub) {
  CriticalSection Turn(Dict);
  PyObject *Key = nullptr, *Value = nullptr;
  for (Py_ssize_t At = 0; PyDict_Next(Dict, &At, &Key, &Value);)
    Sub.set(toString(Key), toString(Value));
}

Substitutions clinch::substitutionsOf(const std::string &Name, PyObject *Dict) {
  Substitutions Sub;
  Sub.set("py_ptr", "py_" + Name);
  Sub.set("stor_ptr", "storage_" + Name);
  if (Dict)
    addItems(Dict, Sub);
  Sub.set("name", Name); // Last, since \p Dict may name an Op.
  return Sub;
}

namespace {
using CodeHook = Op::Text (Op::*)(const Op::Args &) const;
using NodeHook = Op::Text (Op::*)(const Apply &, const std::string &) const;
struct NamedHook {
  const char *Name;
  CodeHook Code;
  NodeHook Node;
};
} // namespace

static const NamedHook Hooks[] = {
    {"c_code", &Op::c_code, nullptr},
    {"c_init_code_struct", &Op::c_init_code_struct, nullptr},
#define OP_CODE(Name) {#Name, &Op::Name, nullptr},
#define OP_NODE(Name) {#Name, nullptr, &Op::Name},
#include "lib/Contract/Hooks.def"
};

/// Returns the inputs of an apply that are not constants.
static PyRef givenInputs(PyObject *Node) {
  PyRef All = attribute(Node, "inputs"), Given = PyRef::steal(PyList_New(0));
  PyRef Items = PyRef::steal(All ? PySequence_List(All.get()) : nullptr);
  if (!Items || !Given)
    return {};
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Items.get()); ++I) {
    PyObject *Item = PyList_GET_ITEM(Items.get(), I);
    if (!attributeOrNull(Item, "data") &&
        (clearError(), PyList_Append(Given.get(), Item) < 0))
      return {};
  }
  return Given;
}

/// Returns a graph of this one apply, for hooks that look at its Types.
static Expected<std::unique_ptr<ImportedGraph>> graphOf(PyObject *Node) {
  PyRef Inputs = givenInputs(Node), Outputs = attribute(Node, "outputs"),
        Order = PyRef::steal(PyList_New(0));
  if (!Inputs || !Outputs || !Order || PyList_Append(Order.get(), Node) < 0)
    return hostError();
  return ImportedGraph::create(Inputs.get(), Outputs.get(), Order.get(),
                               /*Anonymous=*/true);
}

PyObject *clinch::opHookText(const Op &O, PyObject *Args) {
  const char *Hook = nullptr, *Name = nullptr;
  PyObject *Node = nullptr, *Inputs = nullptr, *Outputs = nullptr,
           *Dict = nullptr;
  if (!PyArg_ParseTuple(Args, "sOs|OOO!", &Hook, &Node, &Name, &Inputs,
                        &Outputs, &PyDict_Type, &Dict))
    return nullptr;
  std::vector<std::string> In, Out;
  if ((Inputs && !readNames(Inputs, In)) ||
      (Outputs && !readNames(Outputs, Out)))
    return nullptr;
  Expected<std::unique_ptr<ImportedGraph>> Graph = graphOf(Node);
  if (!Graph)
    return raiseNull(Graph.error());
  const Apply &A = (*Graph)->graph().applies().front();
  const std::string NameText = Name;
  const Substitutions Sub = substitutionsOf(NameText, Dict);
  for (const NamedHook &H : Hooks) {
    if (std::string_view(H.Name) != Hook)
      continue;
    return filledText(H.Code ? (O.*H.Code)({A, NameText, In, Out, Sub})
                             : (O.*H.Node)(A, NameText),
                      Sub, "`" + O.className() + "." + Hook + "`");
  }
  return PyErr_Format(PyExc_AttributeError, "an Op has no hook `%s`", Hook);
}

/// Returns the format of Python's module `struct` for a C type.
static std::string formatOf(const ScalarInfo &Dtype) {
  const char Whole =
      " bh i   q"[Dtype.Kind <= ScalarKind::UInt ? Dtype.Size : 0];
  switch (Dtype.Kind) {
  case ScalarKind::Bool:
    return "?";
  case ScalarKind::Int:
    return {Whole};
  case ScalarKind::UInt:
    return {char(std::toupper(Whole))};
  case ScalarKind::Float:
    return Dtype.Size == 2 ? "e" : Dtype.Size == 4 ? "f" : "d";
  case ScalarKind::Complex:
    break;
  }
  return Dtype.Size == 8 ? "ff" : "dd";
}

static bool readScalar(void *HostValue, const ScalarInfo &Dtype, void *Bytes) {
  auto *Value = static_cast<PyObject *>(HostValue);
  PyRef Struct = PyRef::steal(PyImport_ImportModule("struct")), Packed;
  bool Complex = Dtype.Kind == ScalarKind::Complex;
  Py_complex C = Complex ? PyComplex_AsCComplex(Value) : Py_complex{};
  if (Struct && !PyErr_Occurred())
    Packed = PyRef::steal(
        Complex ? PyObject_CallMethod(Struct.get(), "pack", "sdd",
                                      formatOf(Dtype).c_str(), C.real, C.imag)
                : PyObject_CallMethod(Struct.get(), "pack", "sO",
                                      formatOf(Dtype).c_str(), Value));
  clearError();
  if (Packed)
    std::memcpy(Bytes, PyBytes_AS_STRING(Packed.get()), Dtype.Size);
  return bool(Packed);
}

void clinch::installScalarReader() { setScalarReader(readScalar); }
