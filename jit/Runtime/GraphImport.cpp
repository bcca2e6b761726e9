// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python's graph as a clinch::Graph.

#include "GraphImport.h"

#include "PyHook.h"
#include "PyOp.h"
#include "Raise.h"

using namespace clinch;

PyObject *ImportedGraph::keep(PyRef R) {
  Kept.push_back(std::move(R));
  return Kept.back().get();
}

static PyRef listOf(PyObject *O, const char *Name) {
  PyRef Value = attribute(O, Name);
  return PyRef::steal(Value ? PySequence_List(Value.get()) : nullptr);
}

std::string ImportedGraph::nameOf(PyObject *PythonVariable) const {
  if (Anonymous)
    return "";
  PyRef Name = attributeOrNull(PythonVariable, "name");
  PyErr_Clear();
  return toString(Name.get());
}

Expected<TypePtr> ImportedGraph::typeFor(PyObject *PythonVariable) {
  PyRef Object = attribute(PythonVariable, "type");
  if (!Object) {
    addNote("Clinch was looking for the `type` of " + describe(PythonVariable) +
            ", which is to be a Variable.");
    return hostError();
  }
  TypePtr &T = Types[Object.get()];
  if (!T)
    T = typeOf(keep(Object));
  return T;
}

Expected<std::shared_ptr<const Op>> ImportedGraph::opFor(PyObject *Object) {
  std::shared_ptr<const Op> &O = Ops[Object];
  if (O)
    return O;
  CLINCH_TRY(checkAliases(Object));
  O = opOf(keep(PyRef::borrow(Object)));
  return O;
}

Expected<Variable *> ImportedGraph::variableFor(PyObject *PythonVariable) {
  auto It = Variables.find(PythonVariable);
  if (It != Variables.end())
    return It->second;
  CLINCH_TRY_ASSIGN(TypePtr T, typeFor(PythonVariable));
  PyRef Data = attributeOrNull(PythonVariable, "data");
  if (!Data) {
    if (PyErr_Occurred())
      return hostError();
    return Error(Error::Kind::Graph,
                 "`" + describe(PythonVariable) +
                     "` is neither an input, nor a constant, nor made by an "
                     "Op; name it among the inputs of the function.");
  }
  Variable *V =
      G->addConstant(std::move(T), keep(Data), nameOf(PythonVariable));
  Variables.emplace(keep(PyRef::borrow(PythonVariable)), V);
  PythonVariables.emplace(V, PythonVariable);
  return V;
}

Status ImportedGraph::addInputs(PyObject *Inputs) {
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Inputs); ++I) {
    PyObject *Object = PyList_GET_ITEM(Inputs, I);
    auto It = Variables.find(Object);
    if (It != Variables.end()) {
      Ins.push_back(It->second);
      continue;
    }
    CLINCH_TRY_ASSIGN(TypePtr T, typeFor(Object));
    Variable *V = G->addInput(std::move(T), nameOf(Object));
    Variables.emplace(keep(PyRef::borrow(Object)), V);
    PythonVariables.emplace(V, Object);
    Ins.push_back(V);
  }
  return Status::success();
}

/// Returns the `creation` of an Apply, such as "file.py:12 in model", or an
/// empty string.
static std::string creationOf(PyObject *Node) {
  PyRef Creation = attributeOrNull(Node, "creation");
  PyErr_Clear();
  return Creation && Creation.get() != Py_None ? describe(Creation.get()) : "";
}

Expected<Variable *> ImportedGraph::paramsOf(PyObject *Node, PyObject *Op) {
  PyRef ParamsType = attributeOrNull(Op, "params_type");
  if (!ParamsType || ParamsType.get() == Py_None)
    return PyErr_Occurred() ? Expected<Variable *>(hostError()) : nullptr;
  PyRef Value = PyRef::steal(PyObject_CallMethod(Op, "get_params", "O", Node));
  if (!Value && saysNotDefined()) {
    PyErr_Clear();
    return nullptr;
  }
  if (!Value) {
    addNote("Clinch was calling `" + classNameOf(Op) + ".get_params`.");
    return hostError();
  }
  // An enumeration takes names for values.
  if (PyRef Filter = attributeOrNull(ParamsType.get(), "filter")) {
    Value = PyRef::steal(PyObject_CallOneArg(Filter.get(), Value.get()));
    if (!Value) {
      addNote("Clinch was calling `" + classNameOf(ParamsType.get()) +
              ".filter` on what `" + classNameOf(Op) +
              ".get_params` returned.");
      return hostError();
    }
  }
  if (PyObject *Index = equalParams(
          PyRef::steal(PyTuple_Pack(2, ParamsType.get(), Value.get()))))
    return ParamVariables[PyLong_AsSize_t(Index)];
  TypePtr &T = Types[ParamsType.get()];
  if (!T)
    T = typeOf(keep(ParamsType));
  Variable *V = G->addConstant(T, keep(Value), "");
  ParamVariables.push_back(V);
  return V;
}

/// Returns the index of equal params, borrowed, or null for new ones, which get
/// the next. The first are not hashed: most graphs have no others, and hashing
/// an array costs more than all else here. Unhashable params are not shared.
PyObject *ImportedGraph::equalParams(PyRef Key) {
  if (ParamVariables.empty()) {
    FirstParams = std::move(Key);
    return nullptr;
  }
  auto Note = [&](const PyRef &K, size_t Index) {
    PyRef At = PyRef::steal(PyLong_FromSize_t(Index));
    if (!K || !At || PyDict_SetItem(Params.get(), K.get(), At.get()) < 0)
      PyErr_Clear();
  };
  if (!Params) {
    Params = PyRef::steal(PyDict_New());
    Note(FirstParams, 0);
  }
  PyObject *Index =
      Key ? PyDict_GetItemWithError(Params.get(), Key.get()) : nullptr;
  PyErr_Clear();
  if (!Index)
    Note(Key, ParamVariables.size());
  return Index;
}

Status ImportedGraph::addApply(PyObject *Node) {
  PyRef Op = attribute(Node, "op"), Inputs = listOf(Node, "inputs"),
        Outputs = listOf(Node, "outputs");
  if (!Op || !Inputs || !Outputs)
    return hostError();
  CLINCH_TRY_ASSIGN(std::shared_ptr<const clinch::Op> TheOp, opFor(Op.get()));
  std::vector<Variable *> In;
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Inputs.get()); ++I) {
    CLINCH_TRY_ASSIGN(auto *V, variableFor(PyList_GET_ITEM(Inputs.get(), I)));
    In.push_back(V);
  }
  Apply::Info Info;
  std::vector<TypePtr> OutTypes;
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Outputs.get()); ++I) {
    PyObject *Out = PyList_GET_ITEM(Outputs.get(), I);
    CLINCH_TRY_ASSIGN(TypePtr T, typeFor(Out));
    OutTypes.push_back(std::move(T));
    Info.OutputNames.push_back(nameOf(Out));
  }
  CLINCH_TRY_ASSIGN(Info.Params, paramsOf(Node, Op.get()));
  Info.HostNode = keep(PyRef::borrow(Node));
  Info.Creation = Anonymous ? "" : creationOf(Node);
  CLINCH_TRY_ASSIGN(auto *A, G->apply(TheOp, std::move(In), std::move(OutTypes),
                                      std::move(Info)));
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Outputs.get()); ++I) {
    PyObject *Out = PyList_GET_ITEM(Outputs.get(), I);
    Variable *V = A->outputs()[size_t(I)];
    // An input that has an owner stays an input.
    if (Variables.emplace(Out, V).second)
      PythonVariables.emplace(V, keep(PyRef::borrow(Out)));
  }
  return Status::success();
}

/// Returns the apply that makes a variable, or null.
static PyRef ownerOf(PyObject *PythonVariable) {
  PyRef Owner = attributeOrNull(PythonVariable, "owner");
  PyErr_Clear();
  return Owner.get() == Py_None ? PyRef() : Owner;
}

/// Depth first, without recursion: graphs are deeper than stacks.
Status ImportedGraph::addReachable(PyObject *PythonVariable) {
  std::vector<PyRef> Stack;
  auto Push = [&](PyObject *V) {
    PyRef Owner = Variables.count(V) ? PyRef() : ownerOf(V);
    if (Owner)
      Stack.push_back(std::move(Owner));
  };
  Push(PythonVariable);
  while (!Stack.empty()) {
    const PyRef Node = Stack.back();
    auto [It, First] = Applies.emplace(Node.get(), false);
    if (!First) { // Its inputs were added.
      Stack.pop_back();
      if (!std::exchange(It->second, true))
        CLINCH_TRY(addApply(Node.get()));
      continue;
    }
    PyRef Inputs = listOf(Node.get(), "inputs");
    if (!Inputs)
      return hostError();
    // The first input's applies come first in the text.
    for (Py_ssize_t I = PyList_GET_SIZE(Inputs.get()); I-- > 0;)
      Push(PyList_GET_ITEM(Inputs.get(), I));
  }
  return Status::success();
}

Status ImportedGraph::addOutputs(PyObject *Outputs) {
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Outputs); ++I) {
    PyObject *Object = PyList_GET_ITEM(Outputs, I);
    CLINCH_TRY(addReachable(Object));
    CLINCH_TRY_ASSIGN(auto *V, variableFor(Object));
    Outs.push_back(V);
  }
  return Status::success();
}

Expected<std::unique_ptr<ImportedGraph>>
ImportedGraph::create(PyObject *Inputs, PyObject *Outputs, PyObject *Order,
                      bool Anonymous) {
  std::unique_ptr<ImportedGraph> I(new ImportedGraph());
  I->Anonymous = Anonymous;
  PyRef In = PyRef::steal(PySequence_List(Inputs));
  PyRef Out = PyRef::steal(PySequence_List(Outputs));
  if (!In || !Out)
    return hostError();
  CLINCH_TRY(I->addInputs(In.get()));
  if (Order && Order != Py_None) {
    PyRef Nodes = PyRef::steal(PySequence_List(Order));
    if (!Nodes)
      return hostError();
    I->G->trustOrder();
    for (Py_ssize_t N = 0; N < PyList_GET_SIZE(Nodes.get()); ++N) {
      I->Applies.emplace(PyList_GET_ITEM(Nodes.get(), N), true);
      CLINCH_TRY(I->addApply(PyList_GET_ITEM(Nodes.get(), N)));
    }
  }
  CLINCH_TRY(I->addOutputs(Out.get()));
  CLINCH_TRY(I->G->setInterface(I->Ins, I->Outs));
  // The garbage collector does not see these.
  I->Params = I->FirstParams = {};
  return I;
}

const Variable *ImportedGraph::find(PyObject *PythonVariable) const {
  auto It = Variables.find(PythonVariable);
  return It == Variables.end() ? nullptr : It->second;
}

PyObject *ImportedGraph::pythonVariable(const Variable &V) const {
  auto It = PythonVariables.find(&V);
  return It == PythonVariables.end() ? nullptr : It->second;
}

std::string ImportedGraph::describeType(const Type &T) const {
  for (const auto &[Object, Known] : Types)
    if (Known.get() == &T)
      return describe(Object);
  return T.className();
}

int ImportedGraph::traverse(visitproc Visit, void *Arg) const {
  for (const PyRef &R : Kept)
    if (int Stop = Visit(R.get(), Arg))
      return Stop;
  return 0;
}
