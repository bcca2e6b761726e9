// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions called from C++.

#include "clinch/Clinch.h"
#include "lib/Contract/ScalarOpTable.h"
#include "lib/Graph/ExprGraph.h"

#include <fstream>
#include <gtest/gtest.h>
#include <set>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define CLINCH_KEEPS_MEMORY __lsan::ScopedDisabler KeepsMemory
#endif
#endif
#ifndef CLINCH_KEEPS_MEMORY
#define CLINCH_KEEPS_MEMORY static_cast<void>(0)
#endif

using namespace clinch;

/// NumPy never frees what it makes when it is imported.
static void importNumPy() {
  CLINCH_KEEPS_MEMORY;
  PyRef::steal(PyImport_ImportModule("numpy"));
}

namespace {
class ExprTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    if (!Py_IsInitialized())
      Py_InitializeEx(0);
    importNumPy();
    Session::Options O;
    O.DiskCache = false;
    S = Session::create(O);
  }
  static void TearDownTestSuite() { S = nullptr; }

  /// What is wrong with a function of x, y and z.
  std::string wrong(const Expr &E) {
    auto F = function({X, Y, Z}, {E}, S.get());
    return F ? "nothing" : F.error().message();
  }
  template <typename Signature>
  std::string wrongSignature(const std::vector<Expr> &In, const Expr &Out) {
    auto F = function<Signature>(In, {Out}, S.get());
    return F ? "nothing" : F.error().message();
  }
  static TypePtr scalar(const char *Dtype) { return *scalarType(Dtype); }

  static std::shared_ptr<Session> S;
  Expr X = input(floatType(), "x"), Y = input(floatType(), "y"),
       Z = input(floatType(), "z");
};
std::shared_ptr<Session> ExprTest::S;

/// The graph's texts: types of inputs and constants, Ops in order.
std::string shown(const std::vector<Expr> &In, const Expr &Out) {
  auto G = graphOf(
      In, {Out}, [](const Expr::Node &) { return Expected<void *>(nullptr); });
  if (!G)
    return G.error().message();
  std::string Text;
  for (const Variable &V : G->variables())
    if (V.isConstant())
      Text +=
          "constant " + V.type().className() + " " + V.type().dtype() + "; ";
  for (const Apply &A : G->applies())
    Text += A.op().className() + " ";
  return Text + G->outputs()[0]->type().dtype();
}
} // namespace

TEST_F(ExprTest, TakesAndGivesNumbers) {
  auto F = function<double(double, double, double)>({X, Y, Z}, {(X + Y) * Z},
                                                    S.get());
  ASSERT_TRUE(bool(F)) << F.error().render();
  auto Value = (*F)(1.0, 2.0, 3.0);
  ASSERT_TRUE(bool(Value)) << Value.error().render();
  EXPECT_EQ(*Value, 9.0);
  EXPECT_EQ(*(*F)(-1.5, 0.5, 4.0), -4.0);
}

TEST_F(ExprTest, TakesObjectsToo) {
  auto F = function<PyRef(PyObject *, PyRef)>({X, Y}, {X - Y}, S.get());
  ASSERT_TRUE(bool(F)) << F.error().render();
  PyRef Five = PyRef::steal(PyFloat_FromDouble(5)),
        Text = PyRef::steal(PyUnicode_FromString("two"));
  auto Value = (*F)(Five.get(), PyRef::steal(PyFloat_FromDouble(2)));
  ASSERT_TRUE(bool(Value)) << Value.error().render();
  EXPECT_EQ(PyFloat_AsDouble(Value->get()), 3.0);
  auto Wrong = (*F)(Text.get(), Five);
  ASSERT_FALSE(bool(Wrong));
  EXPECT_EQ(Wrong.error().message(),
            "TypeError: expected a float, not str\n"
            "Clinch: block 1, `Double.c_extract` for `x`, input 1 (`x`), "
            "failed.\n  type: Double, a `str` of value 'two'");
  auto Null = (*F)(nullptr, Five);
  ASSERT_FALSE(bool(Null));
  EXPECT_EQ(Null.error().message(), "Argument 1 is a null pointer.");
  EXPECT_EQ(PyErr_Occurred(), nullptr);
}

/// Returns x twice and whether it is equal to itself, of every number type.
template <typename T>
static void roundTrip(Session &S, const char *Dtype, T Value, T Twice) {
  Expr X = input(*scalarType(Dtype), "x");
  auto F = function<std::tuple<T, T, bool>(T)>({X}, {X, X + X, X == X}, &S);
  ASSERT_TRUE(bool(F)) << F.error().render();
  auto R = (*F)(Value);
  ASSERT_TRUE(bool(R)) << R.error().render();
  EXPECT_EQ(*R, std::tuple(Value, Twice, true)) << Dtype;
}

TEST_F(ExprTest, EveryNumberTypeComesBack) {
  roundTrip<int8_t>(*S, "int8", -64, -128);
  roundTrip<int16_t>(*S, "int16", -300, -600);
  roundTrip<int32_t>(*S, "int32", 1 << 30, INT32_MIN);
  roundTrip<int64_t>(*S, "int64", INT64_C(-1) << 40, INT64_C(-1) << 41);
  roundTrip<uint8_t>(*S, "uint8", 200, 144);
  roundTrip<uint16_t>(*S, "uint16", 60000, 54464);
  roundTrip<uint32_t>(*S, "uint32", 5, 10);
  roundTrip<uint64_t>(*S, "uint64", UINT64_MAX, UINT64_MAX - 1);
  roundTrip<float>(*S, "float32", 0.1f, 0.2f);
  roundTrip<double>(*S, "float64", 0.1, 0.2);
  roundTrip<bool>(*S, "bool", true, true);
  roundTrip<std::complex<float>>(*S, "complex64", {1, -2}, {2, -4});
  roundTrip<std::complex<double>>(*S, "complex128", {0.5, 3}, {1, 6});
}

TEST_F(ExprTest, NamedOpsAndConstants) {
  auto F = function<double(double, double, double)>(
      {X, Y, Z}, {where(X > 0, maximum(X, Y) + 1, exp(Z)) - 2.5f}, S.get());
  ASSERT_TRUE(bool(F)) << F.error().render();
  EXPECT_EQ(*(*F)(2, 7, 0), 5.5);
  EXPECT_EQ(*(*F)(-2, 7, 0), -1.5);
  auto C = function<std::complex<double>()>(
      {}, {Expr(std::complex<double>(1, 2)) * std::complex<double>(0, 1)},
      S.get());
  ASSERT_TRUE(bool(C)) << C.error().render();
  EXPECT_EQ(*(*C)(), std::complex<double>(-2, 1));
}

TEST_F(ExprTest, NumbersTakeTheTypeOfTheFirstExpr) {
  Expr Small = input(scalar("int8"), "i"),
       Single = input(scalar("float32"), "f"),
       Flag = input(scalar("bool"), "b"), Big = input(scalar("uint64"), "u"),
       Complex = input(scalar("complex64"), "c");
  EXPECT_EQ(shown({X}, X * 2), "constant Double float64; mul float64");
  EXPECT_EQ(shown({Single}, 0.1 * Single),
            "constant Scalar float32; mul float32");
  EXPECT_EQ(shown({Single}, Single + 1),
            "constant Scalar float32; add float32");
  EXPECT_EQ(shown({Complex}, Complex * 2.0),
            "constant Scalar complex64; mul complex64");
  EXPECT_EQ(shown({Small}, Small + 127), "constant Scalar int8; add int8");
  EXPECT_EQ(shown({Small}, Small + -128), "constant Scalar int8; add int8");
  EXPECT_EQ(shown({Big}, Big + 1), "constant Scalar uint64; add uint64");
  EXPECT_EQ(shown({Flag}, Flag | true), "constant Scalar bool; or_ bool");
  // What the type does not hold has its own.
  EXPECT_EQ(shown({Small}, Small + 128), "constant Scalar int64; add int64");
  EXPECT_EQ(shown({Small}, Small + -129), "constant Scalar int64; add int64");
  EXPECT_EQ(shown({Small}, Small + 0.5),
            "constant Double float64; add float64");
  EXPECT_EQ(shown({Big}, Big + -1), "constant Scalar int64; add float64");
  EXPECT_EQ(shown({Flag}, Flag + 1), "constant Scalar int64; add int64");
  EXPECT_EQ(shown({X}, X + std::complex<double>(0, 1)),
            "constant Scalar complex128; add complex128");
  EXPECT_EQ(shown({Single}, cast(Single, "int16")), "cast_int16 int16");
}

TEST_F(ExprTest, WhatIsWrongIsSaidWithItsExpression) {
  EXPECT_EQ(wrong(exp((X & Y) + Z)),
            "In `and_(x, y)`: `and_` is not defined for float64.");
  EXPECT_EQ(wrong(apply("hypto", {X + 1, Y})),
            "In `hypto(add(x, (1.0)), y)`: There is no scalar Op `hypto`; did "
            "you mean `hypot`?");
  EXPECT_EQ(wrong(apply("exp", {X, Y})),
            "In `exp(x, y)`: `exp` takes 1 input, not 2.");
  EXPECT_EQ(
      wrong(cast(X, "float8")),
      "In `cast_float8(x)`: There is no dtype `float8`: there are bool, "
      "int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, "
      "float64, complex64, complex128, float16.");
  EXPECT_EQ(wrong(X + input(*tensorType({"float64", {-1}}), "v")),
            "In `add(x, v)`: `add` takes scalars, not a `TensorType`; over "
            "arrays it is `Elemwise(add)`.");
  EXPECT_EQ(wrong(X + input(nullptr, "n")), "The input `n` has no type.");
  EXPECT_EQ(wrong(X + input(floatType(), "w")),
            "`w` is needed, but is neither an input of the graph, nor a "
            "constant, nor made by an apply");
  EXPECT_EQ(wrong(apply(nullptr, {X}, {floatType()})[0]),
            "In `?(x)`: an apply needs an Op, and none was given");
  EXPECT_EQ(wrong(apply(*scalarOp("neg"), {X}, {nullptr})[0]),
            "In `neg(x)`: output 0 of `neg` has no type");
  EXPECT_EQ(wrong(X), "nothing");
  auto F = function({X, 1.0}, {X}, S.get());
  ASSERT_FALSE(bool(F));
  EXPECT_EQ(F.error().message(), "input 1 of the graph is a constant; a "
                                 "constant cannot be given by the caller");
}

TEST_F(ExprTest, TheSignatureIsThatOfTheGraph) {
  Expr I = input(scalar("int64"), "i"), O = input(genericType(), "o");
  EXPECT_EQ(wrongSignature<double(double)>({X, Y}, X),
            "The signature has 1 argument, and the graph has 2.");
  EXPECT_EQ((wrongSignature<std::tuple<double, double>(double)>({X}, X)),
            "The signature has 2 results, and the graph has 1.");
  EXPECT_EQ((wrongSignature<double(double, double)>({X, I}, X)),
            "The signature's argument 2 (`i`) is a `Scalar` in the graph: "
            "expected a number of dtype `int64` or `PyObject *`, not a number "
            "of dtype `float64`.");
  EXPECT_EQ(wrongSignature<float(double)>({X}, X * X),
            "The signature's result 1 is a `Double` in the graph: expected a "
            "number of dtype `float64` or `PyRef`, not a number of dtype "
            "`float32`.");
  EXPECT_EQ(wrongSignature<PyRef(int)>({O}, O),
            "The signature's argument 1 (`o`) is a `Generic` in the graph: "
            "expected `PyObject *`, not a number of dtype `int32`.");
  EXPECT_EQ(wrongSignature<PyObject *(double)>({X}, X),
            "The signature's result 1 (`x`) is a `Double` in the graph: "
            "expected a number of dtype `float64` or `PyRef`, not "
            "`PyObject *`.");
  EXPECT_EQ(wrongSignature<PyRef(PyObject *)>({O}, O), "nothing");
}

TEST_F(ExprTest, AnInputMayHaveAnOwner) {
  Expr Sum = X + Y;
  auto F = function<double(double)>({Sum}, {Sum * Sum}, S.get());
  ASSERT_TRUE(bool(F)) << F.error().render();
  EXPECT_EQ(*(*F)(3), 9.0);
}

TEST_F(ExprTest, AnOpInACFileWithParametersAndAChoice) {
  const std::string File = ::testing::TempDir() + "scaled.c";
  std::ofstream(File) << "#section code\n"
                         "if (PARAMS->how == UPWARDS)\n"
                         "  OUTPUT_0 = ceil(INPUT_0 * PARAMS->factor);\n"
                         "else\n"
                         "  OUTPUT_0 = INPUT_0 * PARAMS->factor;\n";
  auto Scaled = cFileOp({.ClassName = "Scaled", .Files = {File}});
  ASSERT_TRUE(bool(Scaled)) << Scaled.error().message();
  EnumSpec How;
  How.What = EnumSpec::List;
  How.Constants = {{"EXACTLY", "", {}}, {"UPWARDS", "", {}}};
  auto P = paramsType({{"factor", floatType()}, {"how", *enumType(How)}});
  ASSERT_TRUE(bool(P)) << P.error().message();
  PyRef Given =
      PyRef::steal(Py_BuildValue("{s:d,s:i}", "factor", 2.5, "how", 1));
  {
    Expr Params = constant(*P, Given);
    Expr Z = apply(*Scaled, {X}, {floatType()}, &Params)[0];
    auto F = function<double(double)>({X}, {Z}, S.get());
    ASSERT_TRUE(bool(F)) << F.error().render();
    EXPECT_EQ(*(*F)(1), 3);
    EXPECT_EQ(wrong(apply(*Scaled, {X}, {floatType()}, &X)[0]),
              "the params of `Scaled` must be a constant of this graph");
  }
  EXPECT_EQ(Py_REFCNT(Given.get()), 1);
  EXPECT_EQ(wrong(constant(nullptr, Given)), "A constant has no type.");
  EXPECT_EQ(wrong(constant(*P, PyRef())), "A constant has no value.");
}

TEST_F(ExprTest, OpsThatTypesGiveTheCodeOf) {
  Expr A = input(*tensorType({.Dtype = "float64", .Shape = {-1, -1}}), "a");
  Expr Rows = apply(genericOp(GenericOp::ShapeI, 0), {A},
                    {*tensorType({"int64", {}})})[0];
  Expr Copy =
      apply(genericOp(GenericOp::DeepCopy), {A}, {A.node()->Types[0]})[0];
  auto F =
      function<std::tuple<PyRef, PyRef>(PyRef)>({A}, {Rows, Copy}, S.get());
  ASSERT_TRUE(bool(F)) << F.error().render();
  PyRef NumPy = PyRef::steal(PyImport_ImportModule("numpy"));
  PyRef Given =
      PyRef::steal(PyObject_CallMethod(NumPy.get(), "ones", "((ii))", 3, 2));
  auto Values = (*F)(Given);
  ASSERT_TRUE(bool(Values)) << Values.error().message();
  EXPECT_EQ(PyLong_AsLong(std::get<0>(*Values).get()), 3);
  EXPECT_NE(std::get<1>(*Values).get(), Given.get());

  class Word final : public Type {
  public:
    std::string className() const override { return "Word"; }
    Text c_declare(const Args &) const override { return "long %(name)s;"; }
    Text c_init(const Args &) const override { return "%(name)s = 0;"; }
    Text c_extract(const Args &) const override {
      return "%(name)s = PyLong_AsLong(py_%(name)s);";
    }
    Text c_sync(const Args &) const override {
      return "Py_XSETREF(py_%(name)s, PyLong_FromLong(%(name)s));";
    }
  };
  auto T = std::make_shared<Word>();
  Expr W = input(T, "w"),
       Copied = apply(genericOp(GenericOp::DeepCopy), {W}, {T})[0];
  auto Without = function<PyRef(PyRef)>({W}, {Copied}, S.get());
  EXPECT_EQ(Without.error().message(),
            "`DeepCopyOp` has no C code for the type `Word`: give it with "
            "`register_deep_copy_op_c_code`.");
  registerCode(GenericOp::DeepCopy, "Word", "%(oname)s = %(iname)s;", "(1,)");
  auto With = function<PyRef(PyRef)>({W}, {Copied}, S.get());
  ASSERT_TRUE(bool(With)) << With.error().render();
  EXPECT_EQ(PyLong_AsLong((*With)(PyRef::steal(PyLong_FromLong(7)))->get()), 7);
}

TEST_F(ExprTest, LongChainsAreNoRecursion) {
  Expr Sum = X;
  for (int I = 0; I < 300'000; ++I)
    Sum = Sum + X;
  auto G = graphOf({X}, {Sum}, {});
  ASSERT_TRUE(bool(G)) << G.error().message();
  EXPECT_EQ(G->applies().size(), 300'000U);
}

TEST_F(ExprTest, EveryScalarOpHasAFunction) {
  std::set<std::string> Here{"clip", "switch"}, There;
#define CLINCH_NAME(NAME)                                                      \
  EXPECT_EQ(NAME(X).node()->OpName, #NAME);                                    \
  Here.insert(#NAME);
  CLINCH_OPS_1(CLINCH_NAME)
#undef CLINCH_NAME
#define CLINCH_NAME(NAME)                                                      \
  EXPECT_EQ(NAME(X, Y).node()->OpName, #NAME);                                 \
  Here.insert(#NAME);
  CLINCH_OPS_2(CLINCH_NAME)
#undef CLINCH_NAME
#define CLINCH_NAME(SIGN, NAME)                                                \
  EXPECT_EQ((X SIGN Y).node()->OpName, NAME);                                  \
  Here.insert(NAME);
  CLINCH_OPERATORS(CLINCH_NAME)
#undef CLINCH_NAME
  for (const ScalarOpInfo &Row : scalarOpTable())
    There.insert(Row.Name);
  EXPECT_EQ(Here, There);
  EXPECT_EQ(clip(X, 0, 1).node()->OpName, "clip");
  EXPECT_EQ(where(X, Y, Z).node()->OpName, "switch");
  EXPECT_EQ((-X).node()->OpName, "neg");
  EXPECT_EQ((~X).node()->OpName, "invert");
  EXPECT_EQ((!X).node()->OpName, "logical_not");
}

/// In a process of its own, where no other test has started Python.
TEST(ExprDeathTest, WithoutAnInterpreterIsAnError) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Expr X = input(floatType(), "x");
        auto ByExpr = function<double(double)>({X}, {X + 1});
        auto ByGraph = Function::create(*Session::create({}), Graph());
        std::fputs(ByExpr.error().message().c_str(), stderr);
        std::_Exit(ByExpr.error().message() == ByGraph.error().message() ? 0
                                                                         : 1);
      },
      ::testing::ExitedWithCode(0),
      "^There is no Python interpreter in this process yet: call "
      "`Py_Initialize\\(\\)` first\\.$");
}
