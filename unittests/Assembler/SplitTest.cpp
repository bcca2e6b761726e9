// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What crosses from function to function.

#include "Machine.h"

#include <gtest/gtest.h>

using namespace clinch;
using namespace clinch::testing;

namespace {

/// Adds one to its first input, which it reads from the Python object.
class ThroughPython : public CountedOp {
public:
  ThroughPython() : CountedOp(Plain) {}
  Text c_code(const Op::Args &A) const override {
    return HookText(openText() + A.Outputs[0] + " = PyLong_AsLong(py_" +
                    A.Inputs[0] + ") + 1;");
  }
};

/// Changes its input as well: the readers after it see that.
class ChangesInput : public CountedOp {
public:
  ChangesInput() : CountedOp(Plain) {}
  Text c_code(const Op::Args &A) const override {
    return HookText(openText() + A.Inputs[0] + " += 10;\n" + A.Outputs[0] +
                    " = " + A.Inputs[0] + ";");
  }
  AliasMap destroyMap() const override { return {{0, {0}}}; }
};

/// An object of C++ that counts on being new in each run.
class ObjectType : public CountedType {
public:
  ObjectType() : CountedType(OnStack) {}
  Text c_declare(const Type::Args &) const override {
    return HookText("clinch_test_object %(name)s;");
  }
  Strings c_support_code() const override {
    auto All = *supportText();
    All.push_back("struct clinch_test_object {\n"
                  "  long Value = 0;\n"
                  "  operator long() const { return Value; }\n"
                  "  void operator=(long New) { Value += New; }\n"
                  "  ~clinch_test_object() {}\n"
                  "};\n");
    return All;
  }
  Text c_init(const Type::Args &) const override {
    return HookText(openText());
  }
  Text c_extract(const Type::Args &) const override {
    return HookText(openText() + "%(name)s = PyLong_AsLong(py_%(name)s);");
  }
  Expected<std::string> c_compiler() const override { return "c++"; }
};

class SplitTest
    : public ::testing::TestWithParam<std::tuple<Form, Language, unsigned>> {
protected:
  AssembleOptions options() const {
    AssembleOptions O;
    O.Shape = std::get<0>(GetParam());
    O.Lang = std::get<1>(GetParam());
    O.SplitAbove = std::get<2>(GetParam());
    O.ChunkSize = 3;
    return O;
  }
  /// A chain of \p Length, made of \p O, on types of all kinds.
  long runChain(const std::shared_ptr<const Op> &O, unsigned Length,
                const std::shared_ptr<const Type> &Only = nullptr) {
    Graph G;
    Variable *X = G.addInput(Only ? Only : type(0), "x"), *Last = X;
    for (unsigned I = 0; I < Length; ++I)
      Last = (*G.apply(O, {Last}, {Only ? Only : type(I)}))->outputs()[0];
    EXPECT_TRUE(G.setInterface({X}, {Last}));
    Machine M(G, options());
    if (!M.ok())
      return -1;
    TheJournal = {};
    M.set(X, 0);
    EXPECT_EQ(M.init(), 0);
    EXPECT_EQ(M.run(), 0);
    long First = M.get(Last);
    EXPECT_EQ(M.run(), 0);
    EXPECT_EQ(M.get(Last), First);
    M.cleanup();
    EXPECT_EQ(TheJournal.Buffers, 0);
    return First - 1000000;
  }

private:
  static std::shared_ptr<const Type> type(unsigned I) {
    using T = CountedType;
    static const T::Flavour All[] = {T::Silent, T::Kept, T::OnStack, T::Heap,
                                     T::Named};
    return std::make_shared<T>(All[I % 5]);
  }
};

} // namespace

TEST_P(SplitTest, PythonObjectsOfComputedInputs) {
  EXPECT_EQ(runChain(std::make_shared<ThroughPython>(), 25), 25);
}

TEST_P(SplitTest, InputsThatAnOpChanges) {
  EXPECT_EQ(runChain(std::make_shared<ChangesInput>(), 25), 250);
}

TEST_P(SplitTest, OpsThatReleaseNothing) {
  EXPECT_EQ(runChain(std::make_shared<CountedOp>(CountedOp::Quiet), 40), 0);
}

TEST_P(SplitTest, ObjectsBeginAnew) {
  auto Sum = std::make_shared<CountedOp>(CountedOp::Plain);
  EXPECT_EQ(runChain(Sum, 12, std::make_shared<ObjectType>()), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, SplitTest,
    ::testing::Combine(::testing::Values(Form::Function, Form::Struct),
                       ::testing::Values(Language::C, Language::CXX),
                       ::testing::Values(4u, 30u, 200u)));
