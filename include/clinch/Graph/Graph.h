// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables, applies, and their order.

#pragma once

#include "clinch/Contract/Op.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace clinch {

/// A value in a graph: an input, a constant, or an output of an apply.
class Variable {
public:
  const Type &type() const { return *T; }
  const std::string &name() const { return Name; } ///< The user's; may be "".
  unsigned index() const { return Index; }         ///< In order of creation.

  const Apply *owner() const { return Owner; } ///< Null: input or constant.
  unsigned ownerOutput() const { return OwnerOutput; }
  bool isConstant() const { return Constant; }
  /// The host's value of a constant, borrowed from the creator (for the runtime
  /// a PyObject*). lib/ only passes it to c_literal.
  void *hostValue() const { return HostValue; }

private:
  friend class Graph;
  TypePtr T;
  std::string Name;
  unsigned Index = 0, OwnerOutput = 0;
  const Apply *Owner = nullptr;
  bool Constant = false;
  void *HostValue = nullptr;
};

/// An Op applied to inputs, giving outputs.
class Apply {
public:
  /// What the host attaches to an apply.
  struct Info {
    Variable *Params = nullptr; ///< A constant, or null. See ParamsType.
    void *HostNode = nullptr;   ///< Borrowed (for the runtime a PyObject*).
    std::string Creation;       ///< "file.py:12 in model"; may be empty.
    std::vector<std::string> OutputNames;
  };

  const Op &op() const { return *O; }
  const std::vector<Variable *> &inputs() const { return Inputs; }
  const std::vector<Variable *> &outputs() const { return Outputs; }
  unsigned index() const { return Index; } ///< In order of creation.
  const Info &info() const { return About; }

private:
  friend class Graph;
  std::shared_ptr<const Op> O;
  std::vector<Variable *> Inputs, Outputs;
  unsigned Index = 0;
  Info About;
};

/// The shape of the compiled code.
enum class Form {
  Function, ///< Everything in one call.
  Struct    ///< State is kept from run to run.
};

/// Owns variables and applies. Pointers are valid for as long as the graph.
class Graph {
public:
  Graph() = default;
  Graph(Graph &&) noexcept = default;
  Graph &operator=(Graph &&) noexcept = default;

  Variable *addInput(TypePtr T, std::string Name = "");
  Variable *addConstant(TypePtr T, void *HostValue, std::string Name = "");
  /// Adds an apply with these outputs. Inputs of other graphs are an error.
  Expected<Apply *> apply(std::shared_ptr<const Op> O,
                          std::vector<Variable *> Inputs,
                          std::vector<TypePtr> OutputTypes,
                          Apply::Info Info = {});
  /// Sets what the callable takes and returns. Both may repeat variables, and
  /// an output may be an input or a constant. A variable with an owner may be
  /// an input too; then its owner is not run for it.
  Status setInterface(std::vector<Variable *> Inputs,
                      std::vector<Variable *> Outputs);

  /// Makes order() keep the order of creation: the caller has taken care of
  /// what the Ops destroy.
  void trustOrder() { OrderIsTrusted = true; }
  bool orderIsTrusted() const { return OrderIsTrusted; }

  const std::vector<Variable *> &inputs() const { return Inputs; }
  const std::vector<Variable *> &outputs() const { return Outputs; }
  const std::deque<Variable> &variables() const { return Variables; }
  const std::deque<Apply> &applies() const { return Applies; }

  /// Returns the applies that the outputs need, in a stable topological order.
  /// An apply that destroys a variable (or a view of it) comes after all that
  /// read it. A cycle is an error that names its applies.
  Expected<std::vector<const Apply *>> order() const;

private:
  struct Checks;

  std::deque<Variable> Variables;
  std::deque<Apply> Applies;
  std::vector<Variable *> Inputs, Outputs;
  bool OrderIsTrusted = false;
};

} // namespace clinch
