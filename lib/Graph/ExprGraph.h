// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions as a graph.

#pragma once

#include "clinch/Graph/Expr.h"
#include "clinch/Graph/Graph.h"
#include "lib/Contract/Scalar.h"

#include <array>
#include <functional>
#include <optional>

namespace clinch {

/// Returns the item type of floatType() and scalarType(), null for all others:
/// their values are only known to their own code.
const ScalarInfo *numberOf(const Type &T);

/// The bytes of a number of any dtype.
struct alignas(16) NumberBytes : std::array<unsigned char, 16> {};

/// An input, a constant or an apply. Unchanged once it is made.
struct Expr::Node {
  std::vector<TypePtr> Types; ///< Of the outputs; empty if it is wrong.
  std::string Name;           ///< Of an input.
  std::optional<NumberBytes> Number;
  std::shared_ptr<void> HostValue; ///< Of a constant that is no Number.
  std::shared_ptr<const Op> O;     ///< Null if no apply, or if it is wrong.
  std::string OpName;
  std::vector<Expr> Inputs; ///< And the params, if it has any.
  bool HasParams = false;
  std::optional<Error> Wrong; ///< Unless an input is wrong.

  bool isConstant() const { return Number || HostValue; }

  Node() = default;
  Node(Node &&) = default;
  ~Node(); ///< Does not recurse: expressions may be long.
};

/// Returns the host's value of a constant, which outlives the graph.
using HostValueMaker = std::function<Expected<void *>(const Expr::Node &N)>;

/// Returns the graph of \p Outputs, or what is wrong with it.
Expected<Graph> graphOf(const std::vector<Expr> &Inputs,
                        const std::vector<Expr> &Outputs,
                        const HostValueMaker &HostValue);

} // namespace clinch
