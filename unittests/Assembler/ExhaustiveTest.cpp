// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every block fails once.
//
// Graphs of a given number of blocks, in both forms, both languages, in one
// function and in many. Every block is made to fail, in init and in run: then
// exactly it and those before it are released, once, in reverse; its number
// comes back; no cell has changed; no reference is lost or kept. After success
// every cleanup has run once and the outputs hold what they must.

#include "Evaluator.h"
#include "Machine.h"

#include <gtest/gtest.h>

using namespace clinch;
using namespace clinch::testing;

namespace {

using TypePtr = std::shared_ptr<const Type>;
long ConstantValue = 41;

/// Makes a graph of exactly \p Blocks blocks.
class GraphMaker {
public:
  explicit GraphMaker(unsigned Blocks) : Left(Blocks) {}
  Graph make();

private:
  TypePtr type() { return Types[Next++ % std::size(Types)]; }
  void addInput() {
    Inputs.push_back(G.addInput(type(), "x" + std::to_string(Left)));
    if (!Last)
      Last = Inputs.back();
    --Left;
  }
  void addApply();

  const TypePtr Types[6] = {
      std::make_shared<CountedType>(CountedType::Kept),
      std::make_shared<CountedType>(CountedType::Silent),
      std::make_shared<CountedType>(CountedType::Heap),
      std::make_shared<CountedType>(CountedType::OnStack),
      std::make_shared<CountedType>(CountedType::Named),
      std::make_shared<CountedType>(CountedType::KeptToo)};
  Graph G;
  unsigned Left, Next = 0, Made = 0;
  std::vector<Variable *> Inputs;
  Variable *Last = nullptr;
};

/// An apply and its output, with what else there is room for.
void GraphMaker::addApply() {
  // The later ones release nothing, so that some functions have no cleanups.
  unsigned Cost = 2, Hooks = Made > 3 ? CountedOp::Quiet : CountedOp::Plain;
  if (Left >= 6 && Made % 3 == 1) {
    Hooks |= CountedOp::Validates;
    ++Cost;
  }
  if (Left >= 6 && Made % 4 == 2) {
    Hooks |= CountedOp::HasStruct;
    ++Cost;
  }
  std::vector<Variable *> Ins = {Last, Inputs[Made % Inputs.size()]};
  if (Left >= 6 && Made % 5 == 3) {
    Ins.push_back(G.addConstant(type(), &ConstantValue));
    ++Cost;
  }
  std::vector<TypePtr> Outs = {type()};
  if (Left >= 6 && Made % 7 == 0) {
    Outs.push_back(type());
    ++Cost;
  }
  Apply *A = *G.apply(std::make_shared<CountedOp>(Hooks), Ins, Outs);
  Last = A->outputs().back();
  Left -= Cost;
  ++Made;
}

Graph GraphMaker::make() {
  addInput();
  while (Left) {
    bool Odd = Left % 2 && Inputs.size() < 3;
    if (Left == 1 || Odd)
      addInput();
    else
      addApply();
  }
  EXPECT_TRUE(G.setInterface(Inputs, {Last}));
  return std::move(G);
}

struct Shape {
  Form F;
  Language L;
  unsigned SplitAbove;
};

std::vector<Shape> allShapes() {
  std::vector<Shape> Shapes;
  for (Form F : {Form::Function, Form::Struct})
    for (Language L : {Language::C, Language::CXX})
      for (unsigned Split : {~0u, 4u})
        Shapes.push_back({F, L, Split});
  return Shapes;
}

std::string describe(const Shape &S, unsigned Blocks) {
  return std::to_string(Blocks) + " blocks, " +
         (S.F == Form::Struct ? "struct" : "function") + " form, " +
         (S.L == Language::CXX ? "C++" : "C") +
         (S.SplitAbove == ~0u ? "" : ", split");
}

class Driver {
public:
  Driver(const Graph &G, const AssembleOptions &O)
      : G(G), Shape(O.Shape), M(G, O) {
    for (const Variable *V : G.inputs()) {
      Given[V] = 5 + long(V->index());
      M.set(V, Given[V]);
    }
    for (const Task &T : M.source().Tasks)
      if (T.Var && T.Var->owner() && !T.InInit &&
          std::count(G.outputs().begin(), G.outputs().end(), T.Var))
        Syncing.push_back(int(T.Number));
  }
  bool ok() const { return M.ok(); }
  void succeed();
  void failInInit(int How);
  void failInRun(int How);
  size_t blocks() const {
    const std::vector<Task> &Tasks = M.source().Tasks;
    return size_t(std::count_if(Tasks.begin(), Tasks.end(), [](const Task &T) {
      return T.What != Task::Kind::Sync;
    }));
  }

private:
  void begin(int FailAt, int How) {
    M.markOutputs();
    Before = M.references();
    TheJournal = {{}, FailAt, How, TheJournal.Buffers};
  }
  /// What has been said since begin() is said now; no reference has moved.
  void expect(const std::vector<Event> &Events) {
    EXPECT_EQ(TheJournal.Events, Events);
    TheJournal.Events.clear();
    TheJournal.FailAt = 0;
    PyErr_Clear();
  }
  void expectNothingHeld() {
    EXPECT_EQ(M.references(), Before);
    EXPECT_EQ(TheJournal.Buffers, 0);
    EXPECT_TRUE(M.untouched());
  }

  const Graph &G;
  Form Shape;
  Machine M;
  std::map<const Variable *, long> Given;
  std::vector<int> Syncing;
  std::vector<Py_ssize_t> Before;
};

/// The cleanups of what init opened, in reverse.
std::vector<Event> closing(const std::vector<int> &Numbers) {
  std::vector<Event> Events;
  for (auto N = Numbers.rbegin(); N != Numbers.rend(); ++N)
    Events.push_back({Closed, *N});
  return Events;
}

std::vector<Event> opening(const std::vector<int> &Numbers) {
  std::vector<Event> Events;
  for (int N : Numbers)
    Events.push_back({Opened, N});
  return Events;
}

void Driver::succeed() {
  begin(0, 1);
  EXPECT_EQ(M.init(), 0);
  expect(opening(M.speaking(true)));
  for (int Round = 1; Round <= 2; ++Round) {
    EXPECT_EQ(M.run(), 0);
    expect(M.expected(false, 0, Syncing));
    auto Values = evaluate(G, Given, Shape == Form::Struct ? Round : 1);
    for (const Variable *V : G.outputs())
      EXPECT_EQ(M.get(V), Values.at(V));
  }
  if (!Syncing.empty()) {
    EXPECT_FALSE(M.untouched());
  }
  M.cleanup();
  expect(closing(M.speaking(true)));
  M.markOutputs();
  expectNothingHeld();
}

void Driver::failInInit(int How) {
  for (int N : M.speaking(true)) {
    begin(N, How);
    EXPECT_EQ(M.init(), N);
    EXPECT_TRUE(PyErr_Occurred());
    expect(M.expected(true, N, {}));
    expectNothingHeld();
  }
}

void Driver::failInRun(int How) {
  begin(0, 1);
  std::vector<Py_ssize_t> Outside = Before;
  ASSERT_EQ(M.init(), 0);
  long Buffers = TheJournal.Buffers;
  for (int N : M.speaking(false)) {
    begin(N, How);
    EXPECT_EQ(M.run(), N);
    EXPECT_TRUE(PyErr_Occurred());
    expect(M.expected(false, N, Syncing));
    EXPECT_EQ(M.references(), Before);
    EXPECT_EQ(TheJournal.Buffers, Buffers);
    EXPECT_TRUE(M.untouched());
  }
  M.cleanup();
  Before = Outside;
  expectNothingHeld();
}

void drive(unsigned Blocks, const Shape &S) {
  SCOPED_TRACE(describe(S, Blocks));
  Graph G = GraphMaker(Blocks).make();
  AssembleOptions O;
  O.Shape = S.F;
  O.Lang = S.L;
  O.SplitAbove = S.SplitAbove;
  O.ChunkSize = 3 + Blocks % 5;
  Driver D(G, O);
  if (!D.ok())
    return;
  ASSERT_EQ(D.blocks(), Blocks);
  D.succeed();
  for (int How = 1; How <= (S.L == Language::CXX ? 2 : 1); ++How) {
    D.failInInit(How);
    D.failInRun(How);
  }
}

} // namespace

TEST(Exhaustive, SmallGraphsInEveryShape) {
  for (unsigned Blocks = 1; Blocks <= 24 && !HasFailure(); ++Blocks)
    for (const Shape &S : allShapes())
      drive(Blocks, S);
}

TEST(Exhaustive, EveryNumberOfBlocks) {
  std::vector<Shape> Shapes = allShapes();
  for (unsigned Blocks = 25; Blocks < 300 && !HasFailure(); ++Blocks)
    drive(Blocks, Shapes[Blocks % Shapes.size()]);
}

TEST(Exhaustive, TheLargestInEveryShape) {
  for (const Shape &S : allShapes())
    drive(300, S);
}
