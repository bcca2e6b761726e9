// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Temporaries that go when used last.

#include "CountingTypes.h"
#include "Machine.h"

#include <gtest/gtest.h>

using namespace clinch;
using namespace clinch::testing;

namespace {

/// A long that holds a buffer while it has a value.
class Held : public CountedType {
public:
  Held() : CountedType(Heap) {}
  Expected<bool> c_is_simple() const override { return true; }
  Text c_init(const Type::Args &) const override {
    return HookText("%(name)s = 0; %(name)s_buffer = NULL;");
  }
  Text c_extract(const Type::Args &) const override {
    return HookText("%(name)s = PyLong_AsLong(py_%(name)s);\n"
                    "%(name)s_buffer = clinch_test_buffer(NULL);");
  }
  Text c_cleanup(const Type::Args &) const override {
    return HookText("if (%(name)s_buffer)\n"
                    "  clinch_test_buffer(%(name)s_buffer);");
  }
};

/// The sum of its inputs, and one. It fails where one of these has no buffer.
class HoldingSum : public Op {
public:
  /// \p Cleans: it looks at its inputs once more when it is closed.
  explicit HoldingSum(bool Cleans) : Cleans(Cleans) {}
  std::string className() const override { return "HoldingSum"; }
  Text c_code(const Op::Args &A) const override {
    std::string Code, Sum = "1";
    for (const std::string &In : A.Inputs) {
      Code += "if (!" + In + "_buffer)\n  %(fail)s\n";
      Sum += " + " + In;
    }
    const std::string &Out = A.Outputs[0];
    return HookText(Code + Out + " = " + Sum + ";\n" + Out +
                    "_buffer = clinch_test_buffer(NULL);\n");
  }
  /// A buffer too many is found at the end.
  Text c_code_cleanup(const Op::Args &A) const override {
    return HookText(Cleans ? "if (!failure && !" + A.Inputs[0] +
                                 "_buffer)\n  clinch_test_buffer(NULL);"
                           : "");
  }

private:
  bool Cleans;
};

struct Outcome {
  long Value, MostBuffers;
};

class LastUsesTest
    : public ::testing::TestWithParam<std::tuple<Form, Language, unsigned>> {
protected:
  /// Each of \p Length sums has the two before it as inputs.
  Outcome runChain(unsigned Length, bool Cleans, bool Early) {
    auto T = std::make_shared<Held>();
    auto O = std::make_shared<HoldingSum>(Cleans);
    Graph G;
    Variable *X = G.addInput(T, "x"), *Before = X, *Last = X;
    for (unsigned I = 0; I < Length; ++I) {
      Variable *Sum = (*G.apply(O, {Before, Last}, {T}))->outputs()[0];
      Before = std::exchange(Last, Sum);
    }
    EXPECT_TRUE(G.setInterface({X}, {Last}));
    AssembleOptions Options;
    Options.Shape = std::get<0>(GetParam());
    Options.Lang = std::get<1>(GetParam());
    Options.SplitAbove = std::get<2>(GetParam());
    Options.ChunkSize = 3;
    Options.ReleaseEarly = Early;
    Machine M(G, Options);
    if (!M.ok())
      return {};
    TheJournal = {};
    M.set(X, 1);
    EXPECT_EQ(M.init(), 0);
    EXPECT_EQ(M.run(), 0);
    EXPECT_EQ(TheJournal.Buffers, 0);
    EXPECT_EQ(M.run(), 0);
    Outcome Result{M.get(Last), TheJournal.MostBuffers};
    M.cleanup();
    EXPECT_EQ(TheJournal.Buffers, 0);
    return Result;
  }
};

/// Machine::set() adds a million.
long evaluate(unsigned Length) {
  long Before = 1000001, Last = Before;
  for (unsigned I = 0; I < Length; ++I)
    Before = std::exchange(Last, Before + Last + 1);
  return Last;
}

} // namespace

TEST_P(LastUsesTest, FewAreThereAtOnce) {
  for (unsigned Length : {1u, 2u, 3u, 4u, 17u, 25u}) {
    Outcome Early = runChain(Length, false, true);
    EXPECT_EQ(Early.Value, evaluate(Length)) << Length;
    // The input, two sums and the new one.
    EXPECT_EQ(Early.MostBuffers, std::min(Length + 1, 4u)) << Length;
    Outcome Late = runChain(Length, false, false);
    EXPECT_EQ(Late.Value, Early.Value) << Length;
    EXPECT_EQ(Late.MostBuffers, Length + 1) << Length;
  }
}

TEST_P(LastUsesTest, WhatACleanupMayLookAtStays) {
  Outcome Early = runChain(9, true, true);
  EXPECT_EQ(Early.Value, evaluate(9));
  EXPECT_EQ(Early.MostBuffers, 10);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, LastUsesTest,
    ::testing::Combine(::testing::Values(Form::Function, Form::Struct),
                       ::testing::Values(Language::C, Language::CXX),
                       ::testing::Values(4u, 11u, 200u)));
