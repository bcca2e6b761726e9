// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a graph must give.

#pragma once

#include "CountingTypes.h"

#include "clinch/Graph/Graph.h"

#include <map>

namespace clinch::testing {

/// What stands in the cells of all variables after a run of a graph of
/// CountedOps, computed without any C; \p Runs counts for Ops that count.
inline std::map<const Variable *, long>
evaluate(const Graph &G, const std::map<const Variable *, long> &Given,
         long Runs) {
  std::map<const Variable *, long> V = Given;
  for (const Variable &Each : G.variables())
    if (Each.isConstant())
      V[&Each] = *static_cast<long *>(Each.hostValue());
  // What is not a literal comes from a cell, where Machine::set() has put more.
  for (auto &[Of, Value] : V)
    if (!Of->isConstant() || Of->type().c_literal(*Of)->empty())
      Value += 1000000;
  auto Order = G.order();
  for (const Apply *A : *Order) {
    long Sum = 0;
    for (const Variable *In : A->inputs())
      Sum += V.at(In);
    bool Counts = static_cast<const CountedOp &>(A->op()).countsRuns();
    for (const Variable *Out : A->outputs())
      if (!Given.count(Out))
        V[Out] = Sum % 1000003 + Out->ownerOutput() + (Counts ? Runs : 0);
  }
  return V;
}

} // namespace clinch::testing
