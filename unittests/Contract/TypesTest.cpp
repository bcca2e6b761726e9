// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types that come with Clinch.

#include "clinch/Contract/Type.h"
#include "lib/Contract/CNames.h"
#include "lib/Contract/Scalar.h"

#include <gtest/gtest.h>

using namespace clinch;

namespace {
/// A hook's text as the assembler would fill it for a variable V1.
struct Filler {
  std::string Name = "V1";
  Substitutions Sub;
  Type::Args Args{Name, Sub};

  Filler() {
    Sub.set("name", Name);
    Sub.set("fail", "FAIL");
  }
  std::string operator()(Type::Text H) const {
    if (!H)
      return "error: " + H.error().message();
    if (H->Filled)
      return H->Text;
    Expected<std::string> Text = fillTemplate(H->Text, Sub, "a hook");
    return Text ? *Text : "error: " + Text.error().message();
  }
};

TypePtr tensor(std::string Dtype, std::vector<int64_t> Shape) {
  Expected<TypePtr> T = tensorType({std::move(Dtype), std::move(Shape)});
  EXPECT_TRUE(T);
  return *T;
}

std::string messageOf(const Expected<TypePtr> &T) {
  return T ? "no error" : T.error().message();
}
} // namespace

TEST(FloatType, ReadsAsTheSeedsWriteIt) {
  Filler Fill;
  TypePtr T = floatType();
  EXPECT_EQ(T->className(), "Double");
  EXPECT_EQ(Fill(T->c_declare(Fill.Args)), "double V1;");
  EXPECT_EQ(Fill(T->c_init(Fill.Args)), "V1 = 0.0;");
  EXPECT_EQ(
      Fill(T->c_extract(Fill.Args)),
      "if (!PyFloat_Check(py_V1)) {\n"
      "  PyErr_Format(PyExc_TypeError, \"expected a float, not %.200s\",\n"
      "               Py_TYPE(py_V1)->tp_name);\n"
      "  FAIL\n"
      "}\n"
      "V1 = PyFloat_AS_DOUBLE(py_V1);");
  EXPECT_EQ(Fill(T->c_cleanup(Fill.Args)), "");
  EXPECT_TRUE(*T->c_is_simple());
  EXPECT_EQ(T->ndim(), -1);
}

TEST(FloatType, UncheckedAsksPython) {
  Filler Fill;
  Type::Args Unchecked{Fill.Name, Fill.Sub, false};
  EXPECT_EQ(Fill(floatType()->c_extract(Unchecked)),
            "V1 = PyFloat_AsDouble(py_V1);");
}

TEST(Type, ExtractOutChoosesByTheCellAndNamesBothHooks) {
  Filler Fill;
  Type::Text H = genericType()->c_extract_out(Fill.Args);
  EXPECT_EQ(H->LineNames,
            (std::vector<std::string>{"`Generic.c_init` for `V1`",
                                      "`Generic.c_extract` for `V1`"}));
  EXPECT_EQ(Fill(std::move(H)), "if (py_V1 == Py_None) {\n"
                                "#line 1 \"`Generic.c_init` for `V1`\"\n"
                                "V1 = NULL;\n"
                                "} else {\n"
                                "#line 1 \"`Generic.c_extract` for `V1`\"\n"
                                "Py_INCREF(py_V1);\nV1 = py_V1;\n"
                                "}\n");
}

TEST(ScalarType, OneForEachDtype) {
  for (const ScalarInfo &S : allScalars()) {
    Expected<TypePtr> T = scalarType(S.Name);
    ASSERT_TRUE(T);
    EXPECT_EQ((*T)->dtype(), S.Name);
    EXPECT_EQ(*(*T)->c_element_type(), S.CType);
    EXPECT_EQ(*T, *scalarType(S.Name));
    EXPECT_TRUE((*T)->equals(**T));
    EXPECT_FALSE((*T)->equals(*floatType()));
  }
  EXPECT_FALSE((*scalarType("int32"))->equals(**scalarType("uint32")));
}

TEST(ScalarType, DeclaresATypedefToo) {
  Filler Fill;
  EXPECT_EQ(Fill((*scalarType("uint8"))->c_declare(Fill.Args)),
            "typedef npy_uint8 dtype_V1;\nnpy_uint8 V1;");
}

TEST(TensorType, EqualByDtypeShapeAndLayout) {
  TypePtr A = tensor("float64", {TensorSpec::AnyLength, 1});
  EXPECT_TRUE(A->equals(*tensor("float64", {-1, 1})));
  EXPECT_FALSE(A->equals(*tensor("float32", {-1, 1})));
  EXPECT_FALSE(A->equals(*tensor("float64", {-1, -1})));
  EXPECT_FALSE(A->equals(*tensor("float64", {-1})));
  EXPECT_FALSE(A->equals(**tensorType({"float64", {-1, 1}, true})));
  EXPECT_FALSE(A->equals(**tensorType({"float64", {-1, 1}, false, false})));
  EXPECT_FALSE(A->equals(*genericType()));
  EXPECT_EQ(A->ndim(), 2);
  EXPECT_EQ(tensor("int8", {})->ndim(), 0);
}

TEST(TensorType, UncheckedExtractOnlyTakesTheReference) {
  Filler Fill;
  Type::Args Unchecked{Fill.Name, Fill.Sub, false};
  EXPECT_EQ(Fill(tensor("float64", {-1})->c_extract(Unchecked)),
            "V1 = NULL;\nV1 = (PyArrayObject *)Py_NewRef(py_V1);");
}

TEST(TensorType, BadSpecs) {
  EXPECT_EQ(messageOf(tensorType({"complex256", {}})).substr(0, 30),
            "There is no dtype `complex256`");
  EXPECT_EQ(messageOf(tensorType({"int8", {3, -2}})),
            "Dimension 1 of an array cannot have the length -2.");
  EXPECT_EQ(messageOf(tensorType({"int8", std::vector<int64_t>(65, -1)})),
            "An array has at most 64 dimensions, not 65.");
  EXPECT_EQ(messageOf(tensorType({"int8", std::vector<int64_t>(64, -1)})),
            "no error");
}

TEST(CDataType, BadSpecs) {
  CDataSpec Spec;
  EXPECT_EQ(messageOf(cdataType(Spec)),
            "A CDataType needs the C type of its pointer, such as `struct "
            "table *`.");
  Spec.CType = "FILE *";
  Spec.FreeFunction = "fclose(";
  EXPECT_EQ(messageOf(cdataType(Spec)),
            "The free function of a CDataType must be the name of a function, "
            "not `fclose(`.");
}

TEST(CDataType, OwnSupportCodeNeedsAVersionToBeKeptOnDisk) {
  CDataSpec Spec;
  Spec.CType = "struct t *";
  Spec.SupportCode = "struct t { int i; };";
  EXPECT_TRUE((*cdataType(Spec))->c_code_cache_version()->empty());
  Spec.Version = "(2,)";
  EXPECT_EQ(*(*cdataType(Spec))->c_code_cache_version(), "(2,)");
}
