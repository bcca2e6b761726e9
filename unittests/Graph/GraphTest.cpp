// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may be a graph, and its order.

#include "../Assembler/SeedTypes.h"

#include <gtest/gtest.h>

using namespace clinch;

namespace {

/// An Op that says which memory it shares or destroys.
class AliasOp : public SeedBinary {
public:
  AliasOp(std::string Name, AliasMap Views, AliasMap Destroys)
      : SeedBinary(std::move(Name), "%(z)s = %(x)s;"), Views(std::move(Views)),
        Destroys(std::move(Destroys)) {}
  AliasMap viewMap() const override { return Views; }
  AliasMap destroyMap() const override { return Destroys; }

private:
  AliasMap Views, Destroys;
};

class GraphTest : public ::testing::Test {
protected:
  Variable *apply(std::shared_ptr<const Op> O, std::vector<Variable *> Ins) {
    Expected<Apply *> A = G.apply(std::move(O), std::move(Ins), {T});
    EXPECT_TRUE(bool(A)) << (A ? "" : A.error().message());
    return A ? (*A)->outputs()[0] : nullptr;
  }
  std::string order() {
    auto Order = G.order();
    if (!Order)
      return Order.error().message();
    std::string Out;
    for (const Apply *A : *Order)
      Out += (Out.empty() ? "" : " ") + std::to_string(A->index());
    return Out;
  }

  Graph G;
  std::shared_ptr<const Type> T = std::make_shared<SeedDouble>();
  std::shared_ptr<const Op> Add = std::make_shared<SeedBinary>("Add", ""),
                            View = std::make_shared<AliasOp>(
                                "View", AliasMap{{0, {0}}}, AliasMap{}),
                            InPlace = std::make_shared<AliasOp>(
                                "InPlace", AliasMap{}, AliasMap{{0, {0}}});
  Variable *X = G.addInput(T, "x"), *Y = G.addInput(T, "y");
};

} // namespace

TEST_F(GraphTest, OnlyWhatIsNeededRunsInOrderOfCreation) {
  Variable *A = apply(Add, {X, Y});
  apply(Add, {A, Y});
  Variable *C = apply(Add, {A, A});
  ASSERT_TRUE(G.setInterface({X, Y}, {C, X, C}));
  EXPECT_EQ(order(), "0 2");
}

TEST_F(GraphTest, AnInputThatHasAnOwnerStopsThere) {
  Variable *A = apply(Add, {X, Y}), *B = apply(Add, {A, A});
  ASSERT_TRUE(G.setInterface({A}, {B}));
  EXPECT_EQ(order(), "1");
}

TEST_F(GraphTest, ReadersComeBeforeWhoDestroys) {
  Variable *A = apply(Add, {X, Y});      // 0
  Variable *V = apply(View, {A, Y});     // 1
  Variable *D = apply(InPlace, {A, Y});  // 2
  Variable *Late = apply(Add, {V, Y});   // 3 reads A's memory
  Variable *Sum = apply(Add, {D, Late}); // 4
  ASSERT_TRUE(G.setInterface({X, Y}, {Sum}));
  EXPECT_EQ(order(), "0 1 3 2 4");
}

TEST_F(GraphTest, TwoWhoDestroyTheSameAreACycle) {
  Variable *A = apply(Add, {X, Y});
  Variable *B = apply(InPlace, {A, Y}), *C = apply(InPlace, {A, Y});
  Variable *Sum = apply(Add, {B, C});
  ASSERT_TRUE(G.setInterface({X, Y}, {Sum}));
  EXPECT_EQ(order(),
            "the graph has a cycle: each of these must run before the next: "
            "`InPlace` (apply 1), `InPlace` (apply 2), `InPlace` (apply 1); a "
            "destroy_map asks for what cannot be");
}

TEST_F(GraphTest, ConstantsAndOutputsAreNotDestroyed) {
  Variable *C = G.addConstant(T, nullptr, "c");
  Variable *D = apply(InPlace, {C, Y});
  ASSERT_TRUE(G.setInterface({Y}, {D}));
  EXPECT_EQ(order(), "`InPlace` (apply 0) destroys the constant `c`; give it a "
                     "copy");
  Variable *A = apply(Add, {X, Y}), *E = apply(InPlace, {A, Y});
  ASSERT_TRUE(G.setInterface({X, Y}, {A, E}));
  EXPECT_EQ(order(),
            "`InPlace` (apply 2) destroys output 0 of `Add` (apply 1), which "
            "is an output of the graph; give it a copy");
  Variable *F = apply(InPlace, {X, Y});
  ASSERT_TRUE(G.setInterface({X, Y}, {F, X}));
  EXPECT_EQ(order(), "`InPlace` (apply 3) destroys `x`, which is an output of "
                     "the graph; give it a copy");
}

TEST_F(GraphTest, WhatNobodyGives) {
  Variable *A = apply(Add, {X, Y});
  ASSERT_TRUE(G.setInterface({X}, {A}));
  EXPECT_EQ(order(), "`y` is needed, but is neither an input of the graph, nor "
                     "a constant, nor made by an apply");
}

TEST_F(GraphTest, ForeignAndMissingVariables) {
  Graph Other;
  Variable *Foreign = Other.addInput(T, "f");
  Expected<Apply *> A = G.apply(Add, {X, Foreign}, {T});
  ASSERT_FALSE(bool(A));
  EXPECT_EQ(A.error().message(), "variable 1 given to `Add` belongs to another "
                                 "graph; add it to this one first");
  Expected<Apply *> B = G.apply(Add, {nullptr}, {T});
  ASSERT_FALSE(bool(B));
  EXPECT_EQ(B.error().message(), "variable 0 given to `Add` is null; a "
                                 "variable of this graph was expected");
  Expected<Apply *> C = G.apply(Add, {X}, {nullptr});
  ASSERT_FALSE(bool(C));
  EXPECT_EQ(C.error().message(), "output 0 of `Add` has no type");
  Expected<Apply *> D = G.apply(nullptr, {X}, {T});
  ASSERT_FALSE(bool(D));
  EXPECT_EQ(D.error().message(), "an apply needs an Op, and none was given");
  EXPECT_EQ(G.setInterface({X}, {Foreign}).error().message(),
            "variable 0 given to the graph as an output belongs to another "
            "graph; add it to this one first");
  Variable *Constant = G.addConstant(T, nullptr);
  EXPECT_EQ(G.setInterface({Constant}, {}).error().message(),
            "input 0 of the graph is a constant; a constant cannot be given by "
            "the caller");
}

TEST_F(GraphTest, WrongNumbers) {
  auto Bad = std::make_shared<AliasOp>("Bad", AliasMap{{1, {0}}}, AliasMap{});
  EXPECT_EQ(G.apply(Bad, {X}, {T}).error().message(),
            "`Bad.view_map` names output 1, but the apply has 1 output");
  auto Worse =
      std::make_shared<AliasOp>("Worse", AliasMap{}, AliasMap{{0, {2}}});
  EXPECT_EQ(G.apply(Worse, {X, Y}, {T}).error().message(),
            "`Worse.destroy_map` names input 2, but the apply has 2 inputs");
  Apply::Info Named;
  Named.OutputNames = {"a", "b"};
  EXPECT_EQ(G.apply(Add, {X, Y}, {T}, Named).error().message(),
            "`Add` has 1 output, but 2 names for them");
  Apply::Info Params;
  Params.Params = X;
  EXPECT_EQ(G.apply(Add, {X, Y}, {T}, Params).error().message(),
            "the params of `Add` must be a constant of this graph");
}

TEST_F(GraphTest, DepthIsNoLimit) {
  Variable *Last = X;
  for (unsigned I = 0; I < 200000; ++I)
    Last = apply(Add, {Last, Y});
  ASSERT_TRUE(G.setInterface({X, Y}, {Last}));
  auto Order = G.order();
  ASSERT_TRUE(bool(Order));
  EXPECT_EQ(Order->size(), 200000u);
}
