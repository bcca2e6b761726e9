// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python's graph as a clinch::Graph.

#pragma once

#include "Native.h"
#include "clinch/Graph/Graph.h"

#include <unordered_map>

namespace clinch {

/// A graph made from Python objects. Variables need `type`, `owner` and `name`;
/// applies need `op`, `inputs` and `outputs`. A variable that has no owner and
/// is no input is a constant with its `data`.
class ImportedGraph {
public:
  /// \p Order holds the applies in running order, or is None to find them. \p
  /// Anonymous leaves names out, so that equal graphs give equal texts.
  static Expected<std::unique_ptr<ImportedGraph>>
  create(PyObject *Inputs, PyObject *Outputs, PyObject *Order, bool Anonymous);

  Graph &graph() { return *G; }
  std::shared_ptr<const Graph> sharedGraph() const { return G; }
  /// Returns null if it is not part of the graph.
  const Variable *find(PyObject *PythonVariable) const;
  /// Returns the Python object of a variable, borrowed; null for params.
  PyObject *pythonVariable(const Variable &V) const;
  /// Returns str() of the Python Type that \p T stands for.
  std::string describeType(const Type &T) const;
  int traverse(visitproc Visit, void *Arg) const;

private:
  ImportedGraph() : G(std::make_shared<Graph>()) {}
  Expected<TypePtr> typeFor(PyObject *PythonVariable);
  Expected<Variable *> variableFor(PyObject *PythonVariable);
  Status addInputs(PyObject *Inputs);
  Status addOutputs(PyObject *Outputs);
  Status addReachable(PyObject *PythonVariable);
  Status addApply(PyObject *Node);
  Expected<Variable *> paramsOf(PyObject *Node, PyObject *Op);
  PyObject *equalParams(PyRef Key);
  Expected<std::shared_ptr<const Op>> opFor(PyObject *Object);
  std::string nameOf(PyObject *PythonVariable) const;
  PyObject *keep(PyRef R);

  std::shared_ptr<Graph> G;
  bool Anonymous = false;
  std::vector<PyRef> Kept;
  std::unordered_map<PyObject *, Variable *> Variables;
  std::unordered_map<PyObject *, TypePtr> Types;
  std::unordered_map<PyObject *, std::shared_ptr<const Op>> Ops;
  std::unordered_map<PyObject *, bool> Applies; ///< True: added.
  std::unordered_map<const Variable *, PyObject *> PythonVariables;
  /// {(type, value): index}: equal params share one. Made when needed.
  PyRef Params, FirstParams;
  std::vector<Variable *> ParamVariables;
  std::vector<Variable *> Ins, Outs;
};

} // namespace clinch
