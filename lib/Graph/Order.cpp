// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The execution order of applies.
//
// An apply can only be made of existing variables, so the order of creation is
// topological and is kept. Only an apply that destroys memory may have to move:
// it runs after all that read that memory.

#include "clinch/Graph/Graph.h"

#include <functional>
#include <queue>

using namespace clinch;

namespace {

class Orderer {
public:
  explicit Orderer(const Graph &G) : G(G) {}
  Expected<std::vector<const Apply *>> run();

private:
  Status findNeeded();
  Status visit(const Variable *V);
  void findRoots();
  Status addDestroyers();
  Status destroy(const Apply &A, unsigned Input,
                 const std::vector<std::vector<const Apply *>> &Readers);
  Expected<std::vector<const Apply *>> sort();
  Error cycle(const std::vector<unsigned> &Waiting) const;
  void before(const Apply &First, const Apply &Then) {
    After[First.index()].push_back(Then.index());
  }

  const Graph &G;
  std::vector<bool> IsInput, Needed;
  std::vector<const Variable *> Pending;
  /// The variables whose memory each variable shares, or itself.
  std::vector<std::vector<unsigned>> Roots;
  std::vector<std::vector<unsigned>> After; ///< The applies that wait for each.
  /// Some needed apply destroys memory; if none does, the order is kept.
  bool Destroys = false;
};

std::string describe(const Variable &V) {
  if (!V.name().empty())
    return "`" + V.name() + "`";
  if (V.owner())
    return "output " + std::to_string(V.ownerOutput()) + " of `" +
           V.owner()->op().className() + "` (apply " +
           std::to_string(V.owner()->index()) + ")";
  return "variable " + std::to_string(V.index());
}

std::string describe(const Apply &A) {
  return "`" + A.op().className() + "` (apply " + std::to_string(A.index()) +
         (A.info().Creation.empty() ? ")" : ", " + A.info().Creation + ")");
}

} // namespace

/// Notes that the owner of \p V is needed, if it must run.
Status Orderer::visit(const Variable *V) {
  if (IsInput[V->index()] || V->isConstant())
    return Status::success();
  const Apply *A = V->owner();
  if (!A)
    return Error(Error::Kind::Graph,
                 describe(*V) + " is needed, but is neither an input of the "
                                "graph, nor a constant, nor made by an apply");
  if (!Needed[A->index()]) {
    Needed[A->index()] = true;
    // A trusted order needs no destroy maps, and reading one may call Python.
    Destroys |= !G.orderIsTrusted() && !A->op().destroyMap().empty();
    Pending.insert(Pending.end(), A->inputs().begin(), A->inputs().end());
  }
  return Status::success();
}

Status Orderer::findNeeded() {
  IsInput.assign(G.variables().size(), false);
  Needed.assign(G.applies().size(), false);
  for (const Variable *V : G.inputs())
    IsInput[V->index()] = true;
  Pending.assign(G.outputs().begin(), G.outputs().end());
  while (!Pending.empty()) {
    const Variable *V = Pending.back();
    Pending.pop_back();
    CLINCH_TRY(visit(V));
  }
  return Status::success();
}

/// Follows views to the variables that own the memory.
void Orderer::findRoots() {
  Roots.resize(G.variables().size());
  for (const Variable &V : G.variables()) {
    std::vector<unsigned> &Mine = Roots[V.index()];
    if (V.owner() && !IsInput[V.index()]) {
      AliasMap Views = V.owner()->op().viewMap();
      if (auto It = Views.find(V.ownerOutput()); It != Views.end())
        for (unsigned I : It->second) {
          const auto &Of = Roots[V.owner()->inputs()[I]->index()];
          Mine.insert(Mine.end(), Of.begin(), Of.end());
        }
    }
    if (Mine.empty())
      Mine.push_back(V.index());
  }
}

Status
Orderer::destroy(const Apply &A, unsigned Input,
                 const std::vector<std::vector<const Apply *>> &Readers) {
  const Variable &V = *A.inputs()[Input];
  for (unsigned Root : Roots[V.index()]) {
    const Variable &Memory = G.variables()[Root];
    if (Memory.isConstant())
      return Error(Error::Kind::Graph, describe(A) + " destroys the constant " +
                                           describe(Memory) +
                                           "; give it a copy");
    for (const Variable *Out : G.outputs())
      for (unsigned R : Roots[Out->index()])
        if (R == Root)
          return Error(Error::Kind::Graph, describe(A) + " destroys " +
                                               describe(*Out) +
                                               ", which is an output of the "
                                               "graph; give it a copy");
    for (const Apply *Reader : Readers[Root])
      if (Reader != &A)
        before(*Reader, A);
  }
  return Status::success();
}

Status Orderer::addDestroyers() {
  std::vector<std::vector<const Apply *>> Readers(G.variables().size());
  for (const Apply &A : G.applies())
    if (Needed[A.index()])
      for (const Variable *V : A.inputs())
        for (unsigned Root : Roots[V->index()])
          Readers[Root].push_back(&A);
  for (const Apply &A : G.applies())
    if (Needed[A.index()])
      for (const auto &[Output, Inputs] : A.op().destroyMap())
        for (unsigned I : Inputs)
          CLINCH_TRY(destroy(A, I, Readers));
  return Status::success();
}

Error Orderer::cycle(const std::vector<unsigned> &Waiting) const {
  // Walk backwards from any apply that still waits, always to one that waits
  // too; the first apply met twice is on the cycle.
  std::vector<std::vector<unsigned>> Before(Waiting.size());
  for (unsigned I = 0; I < Waiting.size(); ++I)
    if (Waiting[I])
      for (unsigned J : After[I])
        Before[J].push_back(I);
  unsigned At = 0;
  while (!Waiting[At])
    ++At;
  std::vector<unsigned> Seen(Waiting.size(), 0), Path;
  while (!Seen[At]) {
    Path.push_back(At);
    Seen[At] = unsigned(Path.size());
    At = Before[At].front();
  }
  std::string Text = "the graph has a cycle: each of these must run before "
                     "the next: ";
  Text += describe(G.applies()[At]);
  for (size_t I = Path.size(); I-- > Seen[At] - 1;)
    Text += ", " + describe(G.applies()[Path[I]]);
  return Error(Error::Kind::Graph,
               Text + "; a destroy_map asks for what cannot be");
}

/// Kahn's algorithm; of the applies that are ready, the oldest goes first.
Expected<std::vector<const Apply *>> Orderer::sort() {
  std::vector<unsigned> Waiting(G.applies().size(), 0);
  for (const Apply &A : G.applies())
    if (Needed[A.index()])
      for (const Variable *V : A.inputs())
        if (V->owner() && !IsInput[V->index()])
          before(*V->owner(), A);
  for (const auto &List : After)
    for (unsigned I : List)
      ++Waiting[I];
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> Ready;
  std::vector<const Apply *> Sorted;
  size_t Count = 0;
  for (unsigned I = 0; I < Waiting.size(); ++I) {
    Count += Needed[I];
    if (Needed[I] && !Waiting[I])
      Ready.push(I);
  }
  while (!Ready.empty()) {
    unsigned I = Ready.top();
    Ready.pop();
    Sorted.push_back(&G.applies()[I]);
    for (unsigned J : After[I])
      if (!--Waiting[J])
        Ready.push(J);
  }
  if (Sorted.size() != Count)
    return cycle(Waiting);
  return Sorted;
}

Expected<std::vector<const Apply *>> Orderer::run() {
  CLINCH_TRY(findNeeded());
  if (!Destroys) {
    std::vector<const Apply *> Sorted;
    Sorted.reserve(Needed.size());
    auto At = Needed.begin(); // Avoids reading each apply's index.
    for (const Apply &A : G.applies())
      if (*At++)
        Sorted.push_back(&A);
    return Sorted;
  }
  findRoots();
  After.resize(G.applies().size());
  CLINCH_TRY(addDestroyers());
  return sort();
}

Expected<std::vector<const Apply *>> Graph::order() const {
  return Orderer(*this).run();
}
