// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which storage may be reused.

#include "Recycling.h"

#include <algorithm>
#include <unordered_set>

using namespace clinch;

namespace {
struct Alias {
  const Variable *Output, *Input;
};
} // namespace

static void addAliases(const Apply &A, const AliasMap &Map,
                       std::vector<Alias> &Out) {
  for (const auto &[Output, Inputs] : Map)
    for (unsigned Input : Inputs)
      if (Output < A.outputs().size() && Input < A.inputs().size())
        Out.push_back({A.outputs()[Output], A.inputs()[Input]});
}

std::vector<const Variable *> clinch::aliasedVariables(const Graph &G) {
  std::vector<Alias> Aliases;
  for (const Apply &A : G.applies()) {
    addAliases(A, A.op().viewMap(), Aliases);
    addAliases(A, A.op().destroyMap(), Aliases);
  }
  std::vector<const Variable *> Out;
  std::unordered_set<const Variable *> Seen;
  for (const Alias &A : Aliases)
    for (const Variable *V : {A.Output, A.Input})
      if (Seen.insert(V).second)
        Out.push_back(V);
  return Out;
}

/// Adds \p V and everything that it aliases.
static void addRoots(const Variable *V,
                     std::unordered_set<const Variable *> &Roots) {
  std::vector<const Variable *> Stack = {V};
  while (!Stack.empty()) {
    const Variable *Top = Stack.back();
    Stack.pop_back();
    if (!Roots.insert(Top).second || !Top->owner())
      continue;
    std::vector<Alias> Aliases;
    addAliases(*Top->owner(), Top->owner()->op().viewMap(), Aliases);
    addAliases(*Top->owner(), Top->owner()->op().destroyMap(), Aliases);
    for (const Alias &A : Aliases)
      if (A.Output == Top)
        Stack.push_back(A.Input);
  }
}

std::vector<bool> clinch::destroyedInputs(const Graph &G) {
  std::unordered_set<const Variable *> Roots;
  for (const Apply &A : G.applies()) {
    std::vector<Alias> Destroyed;
    addAliases(A, A.op().destroyMap(), Destroyed);
    for (const Alias &D : Destroyed)
      addRoots(D.Input, Roots);
  }
  std::vector<bool> Out;
  Out.reserve(G.inputs().size());
  for (const Variable *V : G.inputs())
    Out.push_back(Roots.count(V));
  return Out;
}

static bool isSimple(const Variable &V) {
  Expected<bool> Simple = V.type().c_is_simple();
  return Simple && *Simple;
}

std::vector<bool> clinch::sharedOutputs(const Graph &G) {
  std::unordered_set<const Variable *> Taken; // By others than an output.
  const std::vector<bool> Destroyed = destroyedInputs(G);
  for (size_t I = 0; I < Destroyed.size(); ++I)
    if (!Destroyed[I])
      Taken.insert(G.inputs()[I]);
  std::vector<bool> Out;
  Out.reserve(G.outputs().size());
  for (const Variable *V : G.outputs()) {
    std::unordered_set<const Variable *> Roots;
    addRoots(V, Roots);
    Out.push_back(!isSimple(*V) &&
                  std::any_of(Roots.begin(), Roots.end(), [&](auto *R) {
                    return R->isConstant() || Taken.count(R);
                  }));
    if (!Out.back())
      Taken.insert(Roots.begin(), Roots.end());
  }
  return Out;
}

std::vector<bool>
clinch::recycledOutputs(const Graph &G,
                        const std::vector<const Variable *> &NotThese) {
  std::vector<bool> Out;
  Out.reserve(G.outputs().size());
  for (const Variable *V : G.outputs()) {
    bool Input =
        std::find(G.inputs().begin(), G.inputs().end(), V) != G.inputs().end();
    Out.push_back(V->owner() && !Input && !isSimple(*V) &&
                  std::find(NotThese.begin(), NotThese.end(), V) ==
                      NotThese.end());
  }
  return Out;
}
