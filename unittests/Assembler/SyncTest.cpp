// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From C back to Python.

#include "SeedTypes.h"

#include <gtest/gtest.h>

using namespace clinch;

namespace {

/// Fails in c_sync when it is told how.
class FailingSync : public SeedDouble {
public:
  Text c_sync(const Type::Args &A) const override {
    return HookText(A.Sub.find("fail") ? "may %(fail)s" : "may not");
  }
};

/// Three applies in a row; the text of the second is the caller's.
ThunkSource assembleThree(const std::shared_ptr<const Type> &T,
                          std::string Second, bool SyncMayFail) {
  Graph G;
  Variable *X = G.addInput(T, "x");
  auto Plain = std::make_shared<SeedBinary>("Plain", "%(z)s = %(x)s;");
  auto Middle = std::make_shared<SeedBinary>("Middle", std::move(Second));
  Variable *A = (*G.apply(Plain, {X, X}, {T}))->outputs()[0];
  Variable *B = (*G.apply(Middle, {A, X}, {T}))->outputs()[0];
  Variable *C = (*G.apply(Plain, {B, B}, {T}))->outputs()[0];
  EXPECT_TRUE(G.setInterface({X}, {C}));
  AssembleOptions O;
  O.SyncMayFail = SyncMayFail;
  Expected<ThunkSource> S = assemble(G, O);
  EXPECT_TRUE(bool(S)) << (S ? "" : S.error().render());
  return S ? *S : ThunkSource();
}

size_t count(const std::string &Text, const std::string &What) {
  size_t N = 0;
  for (size_t At = Text.find(What); At != std::string::npos;
       At = Text.find(What, At + 1))
    ++N;
  return N;
}

} // namespace

TEST(Sync, FailIsForThoseWhoAskForIt) {
  auto T = std::make_shared<FailingSync>();
  ThunkSource No = assembleThree(T, "%(z)s = %(x)s;", false);
  EXPECT_EQ(count(No.Source.Text, "may not"), 1u);
  EXPECT_EQ(count(No.Source.Text, "may {"), 0u);
  ThunkSource Yes = assembleThree(T, "%(z)s = %(x)s;", true);
  EXPECT_EQ(count(Yes.Source.Text, "may {failure = 4; goto label_4_synced;}"),
            1u);
  // Jumping forward: nothing in the text comes back to where it was.
  EXPECT_LT(Yes.Source.Text.find("goto label_4_synced"),
            Yes.Source.Text.find("label_4_synced:;"));
}

TEST(Sync, PythonNameOfAComputedInputIsMadeFirst) {
  auto T = std::make_shared<SeedDouble>();
  std::string Sync = "py_V2 = PyFloat_FromDouble(V2);";
  ThunkSource Unnamed = assembleThree(T, "%(z)s = %(x)s;", false);
  EXPECT_EQ(count(Unnamed.Source.Text, Sync), 0u);
  ThunkSource Named =
      assembleThree(T, "use(py_%(x)s, py_%(x)s, py_%(y)s);", false);
  const std::string &Text = Named.Source.Text;
  ASSERT_EQ(count(Text, Sync), 1u);
  // Of the input only what it always has: the cell's object.
  EXPECT_EQ(count(Text, "PyFloat_FromDouble(V1)"), 0u);
  EXPECT_LT(Text.find(Sync), Text.find("use(py_V2"));
  EXPECT_GT(Text.find(Sync), Text.find("`Middle`"));
}

namespace {

/// Its variable is the object itself.
class SeedObject : public SeedDouble {
public:
  Text c_declare(const Type::Args &) const override {
    return HookText("PyObject *%(name)s;");
  }
};

class CleanupSeesPython : public SeedDouble {
public:
  Text c_cleanup(const Type::Args &) const override {
    return HookText("look(py_%(name)s);");
  }
};

} // namespace

TEST(Sync, ReleasedInputIsHeldByItsPythonObject) {
  auto T = std::make_shared<SeedObject>();
  std::string Sync = "py_V2 = PyFloat_FromDouble(V2);";
  ThunkSource Read =
      assembleThree(T, "Py_DECREF(%(z)s); Py_INCREF(%(x)s);", false);
  EXPECT_EQ(count(Read.Source.Text, Sync), 0u);
  ThunkSource Used = assembleThree(T, "use(%(x)s);", false);
  EXPECT_EQ(count(Used.Source.Text, Sync), 1u);
  ThunkSource Number =
      assembleThree(std::make_shared<SeedDouble>(), "use(%(x)s);", false);
  EXPECT_EQ(count(Number.Source.Text, Sync), 0u);
  ThunkSource Freed = assembleThree(T, "Py_XDECREF( %(x)s); %(x)s = 1;", false);
  EXPECT_EQ(count(Freed.Source.Text, Sync), 1u);
}

TEST(Sync, EarlySyncFailsAsTheBlockThatNeedsIt) {
  auto T = std::make_shared<FailingSync>();
  ThunkSource S = assembleThree(T, "use(py_%(x)s);", true);
  EXPECT_EQ(count(S.Source.Text, "may {failure = 6; goto label_6_synced;}"),
            1u);
}

namespace {

/// With the names of NumPy's types, as PyTensor's scalars have.
class NumPyDouble : public SeedDouble {
public:
  Text c_declare(const Type::Args &) const override {
    return HookText("typedef npy_float64 dtype_%(name)s; "
                    "npy_float64 %(name)s;");
  }
};

} // namespace

TEST(Sync, NumPysTypesAreNoPythonObjects) {
  ThunkSource S = assembleThree(std::make_shared<NumPyDouble>(), "", false);
  EXPECT_EQ(count(S.Source.Text, "npy_float64 V2;"), 1u);
  EXPECT_EQ(count(S.Source.Text, " py_V2"), 0u);
}

TEST(Sync, TemporaryHasAPythonObjectOnlyIfItIsNamed) {
  std::string Held = "Py_INCREF(py_V2);";
  ThunkSource Unnamed =
      assembleThree(std::make_shared<SeedDouble>(), "", false);
  EXPECT_EQ(count(Unnamed.Source.Text, "py_V2"), 0u);
  ThunkSource ByOp =
      assembleThree(std::make_shared<SeedDouble>(), "use(py_%(x)s);", false);
  EXPECT_EQ(count(ByOp.Source.Text, Held), 1u);
  ThunkSource ByType =
      assembleThree(std::make_shared<CleanupSeesPython>(), "", false);
  EXPECT_EQ(count(ByType.Source.Text, Held), 1u);
}

namespace {

/// Says in comments whether it is checked.
class Checked : public SeedDouble {
public:
  Text c_declare(const Type::Args &A) const override {
    return HookText("double %(name)s; /* declare " +
                    std::to_string(A.CheckInput) + " */");
  }
  Text c_extract(const Type::Args &A) const override {
    return HookText("/* extract " + std::to_string(A.CheckInput) + " */");
  }
};

class Careless : public SeedBinary {
public:
  using SeedBinary::SeedBinary;
  bool checkInput() const override { return false; }
};

} // namespace

TEST(Sync, DeclarationsServeTheMakerToo) {
  Graph G;
  auto T = std::make_shared<Checked>();
  Variable *X = G.addInput(T, "x");
  auto Careful = std::make_shared<SeedBinary>("Careful", "");
  auto Not = std::make_shared<Careless>("Careless", "");
  Variable *A = (*G.apply(Not, {X, X}, {T}))->outputs()[0];
  Variable *B = (*G.apply(Careful, {A, A}, {T}))->outputs()[0];
  Variable *C = (*G.apply(Not, {B, B}, {T}))->outputs()[0];
  ASSERT_TRUE(G.setInterface({X}, {C}));
  AssembleOptions O;
  O.Shape = Form::Function;
  Expected<ThunkSource> S = assemble(G, O);
  ASSERT_TRUE(bool(S)) << S.error().render();
  const std::string &Text = S->Source.Text;
  // x: only a careless reader. A: a careful reader. B: a careful maker, whose
  // text may use what c_declare adds. C: careless all round.
  EXPECT_EQ(count(Text, "double V1; /* declare 0 */"), 1u);
  EXPECT_EQ(count(Text, "/* extract 0 */"), 2u);
  EXPECT_EQ(count(Text, "double V2; /* declare 1 */"), 1u);
  EXPECT_EQ(count(Text, "double V3; /* declare 1 */"), 1u);
}
