// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the maker of a graph is trusted with.

#include "SeedTypes.h"

#include <gtest/gtest.h>

using namespace clinch;

namespace {

/// Works in place on its first input.
class InPlace : public SeedBinary {
public:
  using SeedBinary::SeedBinary;
  AliasMap destroyMap() const override { return {{0, {0}}}; }
};

/// Has a version only for each apply, as PyTensor's Elemwise.
class VersionedByApply : public SeedBinary {
public:
  using SeedBinary::SeedBinary;
  Expected<std::string> c_code_cache_version() const override {
    return std::string();
  }
  Expected<std::string>
  c_code_cache_version_apply(const Apply &) const override {
    return "(7,)";
  }
};

class VersionedDouble : public SeedDouble {
public:
  Expected<std::string> c_code_cache_version() const override { return "(1,)"; }
};

/// An apply that destroys an output of the graph, and one that reads it.
Graph makeDestroyer() {
  Graph G;
  auto T = std::make_shared<SeedDouble>();
  auto Destroy = std::make_shared<InPlace>("Destroy", "");
  auto Read = std::make_shared<SeedBinary>("Read", "");
  Variable *X = G.addInput(T, "x");
  Variable *A = (*G.apply(Destroy, {X, X}, {T}))->outputs()[0];
  Variable *B = (*G.apply(Destroy, {A, A}, {T}))->outputs()[0];
  Variable *C = (*G.apply(Read, {A, B}, {T}))->outputs()[0];
  EXPECT_TRUE(G.setInterface({X}, {A, C}));
  return G;
}

} // namespace

TEST(Trust, DestroyedOutputIsAnErrorUnlessTheOrderIsTrusted) {
  Graph G = makeDestroyer();
  EXPECT_FALSE(bool(G.order()));
  G.trustOrder();
  auto Order = G.order();
  ASSERT_TRUE(bool(Order));
  ASSERT_EQ(Order->size(), 3u);
  for (unsigned I = 0; I < 3; ++I)
    EXPECT_EQ((*Order)[I]->index(), I);
}

TEST(Trust, VersionOfAnOpIsThatOfItsApplies) {
  Graph G;
  auto T = std::make_shared<VersionedDouble>();
  auto Op = std::make_shared<VersionedByApply>("Op", "%(z)s = %(x)s;");
  Variable *X = G.addInput(T, "x");
  Variable *A = (*G.apply(Op, {X, X}, {T}))->outputs()[0];
  ASSERT_TRUE(G.setInterface({X}, {A}));
  Expected<ThunkSource> S = assemble(G, {});
  ASSERT_TRUE(bool(S));
  EXPECT_TRUE(S->Options.UseDiskCache);
}
