// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose hook gave a flag or a library.

#include "SeedTypes.h"
#include "lib/Assembler/Globals.h"

#include <gtest/gtest.h>

using namespace clinch;

namespace {

/// Gives a flag with a value, and a library that is called as that value.
class Giving : public SeedBinary {
public:
  Giving() : SeedBinary("Giving", "%(z)s = %(x)s;") {}
  Strings c_compile_args(std::string_view) const override {
    return Strings({"-march=odd"});
  }
  Strings c_libraries(std::string_view) const override {
    return Strings({"odd"});
  }
};

class FlagOriginsTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::shared_ptr<const Type> T = std::make_shared<SeedDouble>();
    Variable *X = G.addInput(T, "x");
    ASSERT_TRUE(G.apply(std::make_shared<Giving>(), {X, X}, {T}));
  }
  Graph G;
};

} // namespace

TEST_F(FlagOriginsTest, ALibrarysNameIsNoFlagsValue) {
  Error E = addFlagOrigins(
      Error(Error::Kind::Link, "`odd` is missing.", {}, {"odd"}), G);
  ASSERT_EQ(E.diagnostics().size(), 1u);
  EXPECT_EQ(E.diagnostics()[0].Origin, "`Giving.c_libraries`");
  EXPECT_EQ(E.diagnostics()[0].Message, "`odd` is given here");
  EXPECT_EQ(E.kind(), Error::Kind::Link);
}

TEST_F(FlagOriginsTest, ClangNamesTheValueOfAFlag) {
  Error E = addFlagOrigins(
      Error(Error::Kind::InvalidArgument, "'odd' is unknown.", {}, {"odd"}), G);
  ASSERT_EQ(E.diagnostics().size(), 1u);
  EXPECT_EQ(E.diagnostics()[0].Hook, "c_compile_args");
  EXPECT_EQ(E.diagnostics()[0].Message, "`-march=odd` is given here");
  EXPECT_EQ(E.kind(), Error::Kind::Compile);
}

TEST_F(FlagOriginsTest, WhatAMessageQuotesIsNotWhatItIsAbout) {
  Error E = addFlagOrigins(
      Error(Error::Kind::InvalidArgument, "`-march=odd` stands by."), G);
  EXPECT_TRUE(E.diagnostics().empty());
  EXPECT_EQ(E.kind(), Error::Kind::InvalidArgument);
}
