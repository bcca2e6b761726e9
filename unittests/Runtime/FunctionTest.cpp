// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs called from C++.

#include "clinch/Clinch.h"

#include <gtest/gtest.h>
#include <set>
#include <unistd.h>

using namespace clinch;

namespace {
class FunctionTest : public ::testing::TestWithParam<Form> {
protected:
  static void SetUpTestSuite() {
    Py_InitializeEx(0);
    Session::Options O;
    O.DiskCache = false;
    S = Session::create(O);
  }
  static void TearDownTestSuite() { S = nullptr; }

  /// (x + y) * z of Python floats.
  static Graph expression() {
    Graph G;
    Variable *X = G.addInput(floatType(), "x"),
             *Y = G.addInput(floatType(), "y"),
             *Z = G.addInput(floatType(), "z");
    Expected<Apply *> Sum = G.apply(*scalarOp("add"), {X, Y}, {floatType()});
    EXPECT_TRUE(bool(Sum));
    Expected<Apply *> Product =
        G.apply(*scalarOp("mul"), {(*Sum)->outputs()[0], Z}, {floatType()});
    EXPECT_TRUE(bool(Product));
    Status Set = G.setInterface({X, Y, Z}, {(*Product)->outputs()[0]});
    EXPECT_TRUE(Set);
    return G;
  }

  static Function compiled() {
    Function::Options O;
    O.Shape = GetParam();
    Expected<Function> F = Function::create(*S, expression(), O);
    if (!F) {
      ADD_FAILURE() << F.error().render();
      std::abort();
    }
    return std::move(*F);
  }

  static PyRef number(double D) { return PyRef::steal(PyFloat_FromDouble(D)); }

  static std::shared_ptr<Session> S;
};
std::shared_ptr<Session> FunctionTest::S;
} // namespace

TEST_P(FunctionTest, ComputesAndReturnsNewReferences) {
  Function F = compiled();
  PyRef X = number(1.5), Y = number(2), Z = number(4);
  auto Values = F.call({X.get(), Y.get(), Z.get()});
  ASSERT_TRUE(bool(Values)) << Values.error().render();
  ASSERT_EQ(Values->size(), 1U);
  EXPECT_EQ(PyFloat_AsDouble((*Values)[0].get()), 14.0);
  EXPECT_EQ(Py_REFCNT(X.get()), 1);
  auto Again = F.call({Z.get(), Z.get(), Z.get()});
  ASSERT_TRUE(bool(Again));
  EXPECT_EQ(PyFloat_AsDouble((*Values)[0].get()), 14.0);
  EXPECT_EQ(PyFloat_AsDouble((*Again)[0].get()), 32.0);
}

TEST_P(FunctionTest, SaysWhatAnArgumentShouldBe) {
  Function F = compiled();
  PyRef X = number(1), Text = PyRef::steal(PyUnicode_FromString("two"));
  auto Values = F.call({X.get(), Text.get(), X.get()});
  ASSERT_FALSE(bool(Values));
  EXPECT_EQ(Values.error().kind(), Error::Kind::Host);
  EXPECT_EQ(Values.error().message(),
            "TypeError: expected a float, not str\n"
            "Clinch: block 2, `Double.c_extract` for `y`, input 2 (`y`), "
            "failed.\n  type: Double, a `str` of value 'two'");
  EXPECT_EQ(PyErr_Occurred(), nullptr);
  EXPECT_EQ(Py_REFCNT(X.get()), 1);
  auto Good = F.call({X.get(), X.get(), X.get()});
  ASSERT_TRUE(bool(Good));
  EXPECT_EQ(PyFloat_AsDouble((*Good)[0].get()), 2.0);
}

TEST_P(FunctionTest, CountsItsArguments) {
  Function F = compiled();
  PyRef X = number(1);
  auto Values = F.call({X.get()});
  ASSERT_FALSE(bool(Values));
  EXPECT_EQ(Values.error().message(),
            "The function takes 3 arguments, and 1 was given.");
}

TEST_P(FunctionTest, ConstantsAreReadFromPythonObjects) {
  PyRef Two = number(2);
  Graph G;
  Variable *X = G.addInput(floatType(), "x");
  Variable *C = G.addConstant(floatType(), Two.get());
  Expected<Apply *> Product = G.apply(*scalarOp("mul"), {X, C}, {floatType()});
  ASSERT_TRUE(bool(Product));
  ASSERT_TRUE(G.setInterface({X}, {(*Product)->outputs()[0], C}));
  Function::Options O;
  O.Shape = GetParam();
  Expected<Function> F = Function::create(*S, std::move(G), O);
  ASSERT_TRUE(bool(F)) << F.error().render();
  PyRef Three = number(3);
  auto Values = F->call({Three.get()});
  ASSERT_TRUE(bool(Values)) << Values.error().render();
  EXPECT_EQ(PyFloat_AsDouble((*Values)[0].get()), 6.0);
  EXPECT_EQ(PyFloat_AsDouble((*Values)[1].get()), 2.0);
}

namespace {
/// Empties a list in place.
class Emptied final : public Op {
public:
  std::string className() const override { return "Emptied"; }
  AliasMap destroyMap() const override { return {{0, {0}}}; }
  Text c_code(const Op::Args &A) const override {
    const std::string &X = A.Inputs[0], &Z = A.Outputs[0];
    return HookText("if (PyList_SetSlice(" + X +
                    ", 0, PY_SSIZE_T_MAX, NULL) < 0)\n  %(fail)s\n"
                    "Py_XDECREF(" +
                    Z + ");\n" + Z + " = Py_NewRef(" + X + ");\n");
  }
};

/// Of the graph [emptied(x), c, y, y] of lists.
struct Kept {
  PyRef X = list(1), C = list(2), Y = list(3);
  std::vector<PyRef> Values;

  static PyRef list(int Item) {
    return PyRef::steal(Py_BuildValue("[i]", Item));
  }
  Kept(Session &S, Function::Options O) {
    Graph G;
    Variable *In = G.addInput(genericType(), "x"),
             *Other = G.addInput(genericType(), "y"),
             *Constant = G.addConstant(genericType(), C.get());
    Expected<Apply *> A =
        G.apply(std::make_shared<Emptied>(), {In}, {genericType()});
    EXPECT_TRUE(bool(A));
    EXPECT_TRUE(G.setInterface({In, Other},
                               {(*A)->outputs()[0], Constant, Other, Other}));
    Expected<Function> F = Function::create(S, std::move(G), O);
    EXPECT_TRUE(bool(F)) << F.error().render();
    auto Made = F->call({X.get(), Y.get()});
    EXPECT_TRUE(bool(Made)) << Made.error().render();
    Values = std::move(*Made);
  }
};
} // namespace

TEST_P(FunctionTest, NothingIsSharedWithACaller) {
  Function::Options O;
  O.Shape = GetParam();
  Kept K(*S, O);
  EXPECT_EQ(PyList_GET_SIZE(K.X.get()), 1);
  EXPECT_EQ(PyList_GET_SIZE(K.Values[0].get()), 0);
  const PyObject *Objects[] = {
      K.X.get(),         K.C.get(),         K.Y.get(),        K.Values[0].get(),
      K.Values[1].get(), K.Values[2].get(), K.Values[3].get()};
  EXPECT_EQ(std::set(std::begin(Objects), std::end(Objects)).size(), 7U);
  for (size_t I : {1, 2, 3})
    EXPECT_EQ(PyList_GET_SIZE(K.Values[I].get()), 1);
}

TEST_P(FunctionTest, MemoryIsSharedWhereThatIsAllowed) {
  Function::Options O;
  O.Shape = GetParam();
  O.Borrow = O.Mutable = true;
  Kept K(*S, O);
  EXPECT_EQ(PyList_GET_SIZE(K.X.get()), 0);
  EXPECT_EQ(K.Values[0].get(), K.X.get());
  EXPECT_EQ(K.Values[1].get(), K.C.get());
  EXPECT_EQ(K.Values[2].get(), K.Y.get());
  EXPECT_EQ(K.Values[3].get(), K.Y.get());
}

TEST_P(FunctionTest, WhatCannotBeCopiedIsAnError) {
  Graph G;
  Variable *X = G.addInput(genericType(), "x");
  ASSERT_TRUE(G.setInterface({X}, {X}));
  Function::Options O;
  O.Shape = GetParam();
  Expected<Function> F = Function::create(*S, std::move(G), O);
  ASSERT_TRUE(bool(F));
  PyRef Module = PyRef::steal(PyImport_ImportModule("sys"));
  auto Values = F->call({Module.get()});
  ASSERT_FALSE(bool(Values));
  EXPECT_EQ(Values.error().message(),
            "TypeError: cannot pickle 'module' object");
  EXPECT_EQ(PyErr_Occurred(), nullptr);
  PyRef List = Kept::list(1);
  EXPECT_TRUE(bool(F->call({List.get()})));
}

TEST_P(FunctionTest, ThunksOfOneTextShareItsCode) {
  Function A = compiled();
  Session::Stats One = S->stats();
  Function B = compiled();
  Session::Stats Two = S->stats();
  EXPECT_GT(One.LiveModules, 0U);
  EXPECT_EQ(Two.LiveModules, One.LiveModules);
  EXPECT_EQ(Two.LiveBytes, One.LiveBytes);
  EXPECT_EQ(Two.Compiles, One.Compiles);
}

INSTANTIATE_TEST_SUITE_P(Forms, FunctionTest,
                         ::testing::Values(Form::Struct, Form::Function),
                         [](const auto &Info) {
                           return Info.param == Form::Struct ? "Struct"
                                                             : "Function";
                         });

/// One function, with the text of NumPy's init or without.
static Status callOnce(TypePtr T, PyRef Value) {
  Graph G;
  Variable *X = G.addInput(T, "x");
  Expected<Apply *> Twice = G.apply(*scalarOp("add"), {X, X}, {T});
  EXPECT_TRUE(bool(Twice));
  EXPECT_TRUE(G.setInterface({X}, {(*Twice)->outputs()[0]}));
  Session::Options O;
  O.DiskCache = false;
  std::shared_ptr<Session> S = Session::create(O);
  Expected<Function> F = Function::create(*S, std::move(G));
  if (!F)
    return F.takeError();
  auto Values = F->call({Value.get()});
  return Values ? Status::success() : Status(Values.takeError());
}

static PyRef scalarOne() {
  PyRef NumPy = PyRef::steal(PyImport_ImportModule("numpy"));
  return PyRef::steal(PyObject_CallMethod(NumPy.get(), "int8", "i", 1));
}

/// It leaves what NumPy and Python keep, as every end of theirs does.
static void beginAgain() {
  Py_InitializeEx(0);
  if (!callOnce(*scalarType("int8"), scalarOne()))
    _exit(1);
  Py_Finalize();
  Py_InitializeEx(0);
  if (!callOnce(floatType(), PyRef::steal(PyFloat_FromDouble(2))))
    _exit(2);
  Status S = callOnce(*scalarType("int8"), {});
  if (S)
    _exit(3);
  std::fputs(S.error().message().c_str(), stderr);
  _exit(0);
}

TEST(InterpreterDeathTest, NumPyIsUsedInTheFirstOnly) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      beginAgain(), ::testing::ExitedWithCode(0),
      "Python was finalized and initialized again in this process: a text with "
      "`c_init_code`, such as NumPy's, works only the first time.");
}
