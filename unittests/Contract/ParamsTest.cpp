// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs of parameters, enumerations.

#include "lib/Contract/Params.h"

#include <gtest/gtest.h>

using namespace clinch;

namespace {
template <typename T> std::string messageOf(const Expected<T> &E) {
  return E ? "no error" : E.error().message();
}

std::string all(CodeProvider::Strings S) {
  std::string Text;
  for (const std::string &One : *S)
    Text += One + "|";
  return Text;
}

const ParamsType &paramsOf(const Expected<TypePtr> &T) {
  return dynamic_cast<const ParamsType &>(**T);
}

EnumSpec choice(EnumSpec::Kind What,
                std::vector<EnumSpec::Constant> Constants) {
  EnumSpec Spec;
  Spec.What = What;
  Spec.CType = "int";
  Spec.Constants = std::move(Constants);
  return Spec;
}
} // namespace

TEST(ParamsType, EqualFieldsAreOneType) {
  auto A = paramsType({{"b", floatType()}, {"a", *scalarType("int8")}});
  auto B = paramsType({{"a", *scalarType("int8")}, {"b", floatType()}});
  auto C = paramsType({{"a", *scalarType("int8")}, {"c", floatType()}});
  auto D = paramsType({{"a", *scalarType("int16")}, {"b", floatType()}});
  EXPECT_TRUE((*A)->equals(**B));
  EXPECT_EQ(paramsOf(A).structType(), paramsOf(B).structType());
  EXPECT_FALSE((*A)->equals(**C));
  EXPECT_NE(paramsOf(A).structType(), paramsOf(C).structType());
  EXPECT_FALSE((*A)->equals(**D));
  EXPECT_NE(paramsOf(A).structType(), paramsOf(D).structType());
  EXPECT_FALSE((*A)->equals(*floatType()));
}

TEST(ParamsType, NeedsWhatItsFieldsNeedOnce) {
  auto P = paramsType(
      {{"a", *scalarType("int8")}, {"b", *tensorType({"int8", {-1}})}});
  EXPECT_EQ(all((*P)->c_headers("c")),
            "<numpy/arrayobject.h>|<numpy/arrayscalars.h>|");
  EXPECT_EQ(all((*P)->c_init_code()), "import_array();|");
  EXPECT_EQ(*(*P)->c_code_cache_version(), "(1, 'a', (1,), 'b', (1,))");
}

TEST(ParamsType, OneFieldWithoutVersionLeavesItWithout) {
  CDataSpec Spec;
  Spec.CType = "struct t *";
  Spec.SupportCode = "struct t;";
  auto P = paramsType({{"a", floatType()}, {"b", *cdataType(Spec)}});
  EXPECT_TRUE((*P)->c_code_cache_version()->empty());
}

TEST(ParamsType, BadNames) {
  EXPECT_EQ(messageOf(paramsType({})),
            "A ParamsType needs at least one parameter.");
  EXPECT_EQ(messageOf(paramsType({{"int", floatType()}})),
            "The parameter `int` is a word of C or C++; rename it.");
  EXPECT_EQ(messageOf(paramsType({{"template", floatType()}})),
            "The parameter `template` is a word of C or C++; rename it.");
  EXPECT_EQ(messageOf(paramsType({{"1st", floatType()}})),
            "The parameter `1st` is no name in C; rename it.");
  EXPECT_EQ(messageOf(paramsType({{"größe", floatType()}})),
            "The parameter `größe` is no name in C; rename it.");
  EXPECT_EQ(messageOf(paramsType({{"clinch_done", floatType()}})),
            "The parameter `clinch_done` belongs to Clinch; rename it.");
  EXPECT_EQ(messageOf(paramsType({{"a", floatType()}, {"a", floatType()}})),
            "The parameters `a` and `a` both need the name `a`; rename one.");
  EXPECT_EQ(
      messageOf(paramsType({{"py_a", floatType()}, {"a", floatType()}})),
      "The parameters `a` and `py_a` both need the name `py_a`; rename one.");
}

TEST(EnumType, EqualByConstants) {
  EnumSpec Spec = choice(EnumSpec::Values, {{"A", "", int64_t(1)}});
  TypePtr A = *enumType(Spec);
  EXPECT_TRUE(A->equals(**enumType(Spec)));
  std::string Version = *A->c_code_cache_version();
  Spec.Constants[0].Value = int64_t(2);
  EXPECT_FALSE(A->equals(**enumType(Spec)));
  EXPECT_NE(*(*enumType(Spec))->c_code_cache_version(), Version);
}

TEST(EnumType, BadSpecs) {
  EXPECT_EQ(messageOf(enumType(choice(EnumSpec::List, {}))),
            "An enumeration needs at least one constant.");
  EXPECT_EQ(messageOf(enumType(choice(EnumSpec::List, {{"Add", "", {}}}))),
            "The constant `Add` of an enumeration must be of capitals, digits "
            "and underscores, with a capital first.");
  EXPECT_EQ(messageOf(enumType(choice(EnumSpec::CNames, {{"a b", "", {}}}))),
            "The constant `a b` of an enumeration must be a name in C.");
  EXPECT_EQ(messageOf(enumType(
                choice(EnumSpec::List, {{"A", "", {}}, {"B", "A", {}}}))),
            "An enumeration has the name `A` twice.");
}

TEST(EnumType, CannotBeAnOutput) {
  TypePtr T = *enumType(choice(EnumSpec::List, {{"A", "", {}}}));
  Substitutions Sub;
  std::string Name = "V";
  Type::Args Args{Name, Sub};
  EXPECT_EQ(messageOf(T->c_sync(Args)), "An enumeration cannot be an output.");
  EXPECT_EQ(messageOf((*paramsType({{"a", T}}))->c_sync(Args)),
            "Parameters cannot be an output.");
}
