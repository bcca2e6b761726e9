//===- GenericOpsTest.cpp - Ops whose code Types bring -----------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Contract/GenericOps.h"
#include "OpCode.h"

using namespace clinch;

namespace {
/// A class of Types of its own name, so that tests do not meet.
class Named : public Type {
public:
  explicit Named(std::string Key) : Key(std::move(Key)) {}
  std::string className() const override { return "Named"; }
  std::string registryKey() const override { return Key; }
  Text c_declare(const Type::Args &) const override { return HookText(); }
  Text c_init(const Type::Args &) const override { return HookText(); }
  Text c_extract(const Type::Args &) const override { return HookText(); }
  Text c_sync(const Type::Args &) const override { return HookText(); }

private:
  std::string Key;
};

TypePtr named(const char *Key) { return std::make_shared<Named>(Key); }
} // namespace

TEST(GenericOps, FillsNamesOfTheApply) {
  TypePtr T = named("fills");
  registerCode(GenericOp::View, "fills", "%(oname)s = %(iname)s; /* 100%% */",
               "(1,)");
  EXPECT_EQ(codeOf(*genericOp(GenericOp::View), {T}, T), "z = a; /* 100% */");
  registerCode(GenericOp::View, "fills", "again", "(1,)");
  EXPECT_EQ(codeOf(*genericOp(GenericOp::View), {T}, T), "again");
}

TEST(GenericOps, ShapeIChecksBeforeItReads) {
  TypePtr T = named("shape_i");
  registerCode(GenericOp::ShapeI, "shape_i", "%(oname)s = %(iname)s[%(i)s];",
               "(1,)", "check %(i)s %(fail)s");
  EXPECT_EQ(codeOf(*genericOp(GenericOp::ShapeI, 3), {T}, T),
            "check 3 FAIL\nz = a[3];");
}

TEST(GenericOps, WithoutAnEntrySaysHowToGiveOne) {
  TypePtr T = named("nothing");
  EXPECT_EQ(codeOf(*genericOp(GenericOp::DeepCopy), {T}, T),
            "error: `DeepCopyOp` has no C code for the type `Named`: give it "
            "with `register_deep_copy_op_c_code`.");
  EXPECT_EQ(codeOf(*genericOp(GenericOp::ShapeI, 0), {floatType()}, T),
            "error: `Shape_i` has no C code for the type `Double`: give it "
            "with `register_shape_i_c_code`.");
}

TEST(GenericOps, UnknownKeyNamesTheRegisteredCode) {
  TypePtr T = named("bad");
  registerCode(GenericOp::Shape, "bad", "%(x)s", "(1,)");
  EXPECT_EQ(codeOf(*genericOp(GenericOp::Shape), {T}, T),
            "error: In the code of `Shape` for `Named`, the key of `%(x)s` is "
            "unknown: there are `fail`, `iname` and `oname`.");
}

// Last of DeepCopy here: the entry stays.
TEST(GenericOps, OneWithoutVersionLeavesTheOpWithout) {
  std::string Before = *genericOp(GenericOp::DeepCopy)->c_code_cache_version();
  registerCode(GenericOp::DeepCopy, "versioned", "", "(7,)");
  std::string With = *genericOp(GenericOp::DeepCopy)->c_code_cache_version();
  EXPECT_NE(With, Before);
  EXPECT_NE(With.find("'versioned', (7,)"), std::string::npos) << With;
  registerCode(GenericOp::DeepCopy, "unversioned", "", "()");
  EXPECT_TRUE(genericOp(GenericOp::DeepCopy)->c_code_cache_version()->empty());
  EXPECT_FALSE(
      genericOp(GenericOp::ShapeI, 0)->c_code_cache_version()->empty());
}

TEST(GenericOps, ViewSharesMemoryAndCopyDoesNot) {
  EXPECT_EQ(genericOp(GenericOp::View)->viewMap(), (AliasMap{{0, {0}}}));
  EXPECT_TRUE(genericOp(GenericOp::DeepCopy)->viewMap().empty());
}
