// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions as a graph.

#include "ExprGraph.h"

#include <unordered_map>

using namespace clinch;

namespace {
/// Adds nodes to a graph, each after its inputs, without recursion.
class GraphBuilder {
public:
  explicit GraphBuilder(const HostValueMaker &HostValue)
      : HostValue(HostValue) {}

  /// Makes \p E an input, whatever computes it.
  Expected<Variable *> addInput(const Expr &E);
  Expected<Variable *> add(const Expr &E);

  Graph G;

private:
  using Variables = std::vector<Variable *>; ///< One for each output.
  Status addNode(const Expr::Node &N);
  Variable *found(const Expr &E) const;

  const HostValueMaker &HostValue;
  std::unordered_map<const Expr::Node *, Variables> Inputs, Made;
};
} // namespace

static Status check(const Expr::Node &N) {
  return N.Wrong ? Status(*N.Wrong) : Status::success();
}

Variable *GraphBuilder::found(const Expr &E) const {
  for (const auto *Map : {&Inputs, &Made})
    if (auto It = Map->find(E.node().get()); It != Map->end())
      if (Variable *V = It->second[E.output()])
        return V;
  return nullptr;
}

Expected<Variable *> GraphBuilder::addInput(const Expr &E) {
  const Expr::Node &N = *E.node();
  if (N.Types.empty()) {
    CLINCH_TRY(add(E)); // Fails with the reason.
  }
  if (N.isConstant())
    return add(E); // Graph::setInterface() says why it may not be.
  Variables &Of = Inputs[&N];
  Of.resize(N.Types.size());
  Variable *&V = Of[E.output()];
  if (!V)
    V = G.addInput(N.Types[E.output()], N.Name);
  return V;
}

/// Adds a node whose inputs are in the graph.
Status GraphBuilder::addNode(const Expr::Node &N) {
  CLINCH_TRY(check(N));
  Variables &Of = Made[&N];
  if (N.isConstant()) {
    CLINCH_TRY_ASSIGN(void *Value, HostValue(N));
    Of = {G.addConstant(N.Types[0], Value)};
  } else if (!N.O) {
    Of = {G.addInput(N.Types[0], N.Name)}; // Nobody gives it; order() says so.
  } else {
    Variables Given;
    for (const Expr &E : N.Inputs)
      Given.push_back(found(E));
    Apply::Info Info;
    if (N.HasParams) {
      Info.Params = Given.back();
      Given.pop_back();
    }
    CLINCH_TRY_ASSIGN(const Apply *A,
                      G.apply(N.O, std::move(Given), N.Types, std::move(Info)));
    Of = A->outputs();
  }
  return Status::success();
}

Expected<Variable *> GraphBuilder::add(const Expr &Of) {
  std::vector<std::pair<Expr, bool>> Waiting{{Of, false}};
  while (!Waiting.empty()) {
    auto [E, HasInputs] = Waiting.back();
    Waiting.pop_back();
    if (found(E))
      continue;
    if (HasInputs || E.node()->Inputs.empty()) {
      CLINCH_TRY(addNode(*E.node()));
      continue;
    }
    Waiting.emplace_back(E, true);
    for (size_t I = E.node()->Inputs.size(); I-- > 0;)
      Waiting.emplace_back(E.node()->Inputs[I], false);
  }
  return found(Of);
}

Expected<Graph> clinch::graphOf(const std::vector<Expr> &Inputs,
                                const std::vector<Expr> &Outputs,
                                const HostValueMaker &HostValue) {
  GraphBuilder B(HostValue);
  std::vector<Variable *> In, Out;
  for (const Expr &E : Inputs) {
    CLINCH_TRY_ASSIGN(Variable * V, B.addInput(E));
    In.push_back(V);
  }
  for (const Expr &E : Outputs) {
    CLINCH_TRY_ASSIGN(Variable * V, B.add(E));
    Out.push_back(V);
  }
  CLINCH_TRY(B.G.setInterface(std::move(In), std::move(Out)));
  return std::move(B.G);
}
