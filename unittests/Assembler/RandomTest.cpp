// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any graph computes what it says.
//
// Random graphs: types, fan-in, fan-out, constants, literals, several outputs,
// outputs that are inputs or constants or that are asked for twice, unused
// inputs. What comes out is compared with an evaluator that walks the graph.

#include "Evaluator.h"
#include "Machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace clinch;
using namespace clinch::testing;

namespace {

using TypePtr = std::shared_ptr<const Type>;

class RandomGraph {
public:
  explicit RandomGraph(unsigned Seed) : R(Seed) {}
  Graph make();
  std::map<const Variable *, long> Values; ///< Of the inputs.

private:
  unsigned below(unsigned N) { return R() % N; }
  TypePtr type() { return Types[below(std::size(Types))]; }
  Variable *source(Graph &G);
  /// In two graphs of three, Ops that release nothing follow the others.
  unsigned hooks() {
    return below(4) | (All.size() > QuietFrom ? CountedOp::Quiet : 0);
  }
  void addApply(Graph &G);

  const TypePtr Types[8] = {
      std::make_shared<CountedType>(CountedType::Kept),
      std::make_shared<CountedType>(CountedType::Silent),
      std::make_shared<CountedType>(CountedType::Silent, true),
      std::make_shared<CountedType>(CountedType::Heap),
      std::make_shared<CountedType>(CountedType::OnStack),
      std::make_shared<CountedType>(CountedType::OnStack, true),
      std::make_shared<CountedType>(CountedType::Named),
      std::make_shared<CountedType>(CountedType::KeptToo)};
  std::mt19937 R;
  size_t QuietFrom = ~size_t(0);
  std::vector<Variable *> All;
};

long Constants[] = {3, 1001, 77, 500000};

} // namespace

/// An old variable, or a new constant.
Variable *RandomGraph::source(Graph &G) {
  if (below(6) == 0)
    All.push_back(G.addConstant(type(), &Constants[below(4)]));
  else if (below(2))
    return All[All.size() - 1 - below(std::min<size_t>(All.size(), 4))];
  return below(4) ? All[below(All.size())] : All.back();
}

void RandomGraph::addApply(Graph &G) {
  std::vector<Variable *> Ins;
  for (unsigned I = below(5); I > 0; --I)
    Ins.push_back(source(G));
  std::vector<TypePtr> Outs;
  for (unsigned I = below(5) ? 1 : 3; I > 0; --I)
    Outs.push_back(type());
  Apply *A = *G.apply(std::make_shared<CountedOp>(hooks()), Ins, Outs);
  All.insert(All.end(), A->outputs().begin(), A->outputs().end());
}

Graph RandomGraph::make() {
  Graph G;
  std::vector<Variable *> Ins;
  for (unsigned I = 0; I < 1 + below(4); ++I) {
    Ins.push_back(G.addInput(type(), below(2) ? "x" : ""));
    Values[Ins.back()] = long(below(1000));
  }
  All = Ins;
  if (below(3))
    QuietFrom = below(12);
  for (unsigned I = 1 + below(40); I > 0; --I)
    addApply(G);
  // Some inputs are computed by the graph as well, and given all the same.
  if (below(3) == 0) {
    Variable *V = All[below(All.size())];
    if (V->owner()) {
      Ins.push_back(V);
      Values[V] = long(below(1000));
    }
  }
  if (below(4) == 0)
    Ins.push_back(Ins.front());
  std::vector<Variable *> Outs;
  for (unsigned I = 1 + below(4); I > 0; --I)
    Outs.push_back(All[below(All.size())]);
  if (below(3) == 0)
    Outs.push_back(Outs.front());
  EXPECT_TRUE(G.setInterface(Ins, Outs));
  return G;
}

namespace {

class Comparison {
public:
  Comparison(unsigned Seed, const AssembleOptions &O)
      : Random(Seed), G(Random.make()), Shape(O.Shape), M(G, O), Pick(Seed) {
    for (const auto &[Input, Value] : Random.Values)
      M.set(Input, Value);
    for (const Task &T : M.source().Tasks)
      if (!T.InInit && T.Var && T.What != Task::Kind::Extract &&
          !Random.Values.count(T.Var) &&
          T.Var->type().className() != "Silent" &&
          std::count(G.outputs().begin(), G.outputs().end(), T.Var))
        Syncing.push_back(int(T.Number));
  }
  void run();

private:
  void compareRun(long Runs);
  void failSomewhere();

  RandomGraph Random;
  Graph G;
  Form Shape;
  Machine M;
  std::mt19937 Pick;
  std::vector<int> Syncing;
};

} // namespace

void Comparison::compareRun(long Runs) {
  TheJournal = {{}, 0, 1, TheJournal.Buffers};
  ASSERT_EQ(M.run(), 0);
  EXPECT_EQ(TheJournal.Events, M.expected(false, 0, Syncing));
  auto Expected = evaluate(G, Random.Values, Shape == Form::Struct ? Runs : 1);
  for (const Variable *V : G.outputs()) {
    // A literal that is an output has a cell all the same.
    bool Literal = V->isConstant() && !V->type().c_literal(*V)->empty();
    EXPECT_EQ(M.get(V), Expected.at(V) + (Literal ? 1000000 : 0));
  }
}

void Comparison::failSomewhere() {
  const std::vector<int> Numbers = M.speaking(false);
  if (Numbers.empty())
    return;
  int N = Numbers[Pick() % Numbers.size()];
  M.markOutputs();
  TheJournal = {{}, N, 1, TheJournal.Buffers};
  EXPECT_EQ(M.run(), N);
  EXPECT_EQ(TheJournal.Events, M.expected(false, N, {}));
  EXPECT_TRUE(M.untouched());
  PyErr_Clear();
}

void Comparison::run() {
  if (!M.ok())
    return;
  TheJournal = {{}, 0, 1, 0};
  M.markOutputs();
  std::vector<Py_ssize_t> Before = M.references();
  ASSERT_EQ(M.init(), 0);
  for (long Runs = 1; Runs <= 3; ++Runs)
    compareRun(Runs);
  failSomewhere();
  M.cleanup();
  M.markOutputs();
  EXPECT_EQ(TheJournal.Buffers, 0);
  EXPECT_EQ(M.references(), Before);
}

TEST(Random, GraphsComputeWhatTheySay) {
  for (unsigned Seed = 0; Seed < 160 && !HasFailure(); ++Seed) {
    AssembleOptions O;
    O.Shape = Seed % 2 ? Form::Struct : Form::Function;
    O.Lang = Seed / 2 % 2 ? Language::CXX : Language::C;
    O.SplitAbove = Seed / 4 % 2 ? 5 : 200;
    O.ChunkSize = 3 + Seed % 9;
    SCOPED_TRACE("seed " + std::to_string(Seed));
    Comparison(Seed, O).run();
  }
}
