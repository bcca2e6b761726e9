//===- StagesTest.cpp - What can be looked at -------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineTesting.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

using namespace clinch;
using namespace clinch::testing;

namespace {

bool contains(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != Text.npos;
}

TEST(Stages, EachIsKeptOnRequestInTheirOrder) {
  CompileOptions O;
  O.Keep = {Stage::Asm, Stage::LLVM, Stage::LLVMOpt, Stage::Obj};
  Expected<EngineResult> R =
      compile("int f(int a) { int b = a + 1; if (a) goto label_3; b = 2;\n"
              "label_3: return b; }",
              O);
  ASSERT_TRUE(R) << R.error().render();
  ASSERT_EQ(R->Kept.size(), 4u);
  EXPECT_EQ(R->Kept[0].first, Stage::LLVM);
  EXPECT_TRUE(contains(R->Kept[0].second, "%b = alloca i32")); // Names stay.
  EXPECT_TRUE(contains(R->Kept[0].second, "label_3:"));
  EXPECT_EQ(R->Kept[1].first, Stage::LLVMOpt);
  EXPECT_FALSE(contains(R->Kept[1].second, "alloca"));
  EXPECT_EQ(R->Kept[2].first, Stage::Asm);
  EXPECT_TRUE(contains(R->Kept[2].second, "f:"));
  EXPECT_TRUE(contains(R->Kept[2].second, "retq"));
  EXPECT_EQ(R->Kept[3].first, Stage::Obj);
  EXPECT_EQ(R->Kept[3].second, R->Object);
}

TEST(Stages, EachHasATime) {
  Expected<EngineResult> R = compile("int f(int a) { return a; }", {});
  ASSERT_TRUE(R);
  ASSERT_EQ(R->Times.size(), 4u);
  const char *Names[] = {"parse", "irgen", "opt", "codegen"};
  for (size_t I = 0; I != 4; ++I) {
    EXPECT_EQ(R->Times[I].Name, Names[I]);
    EXPECT_GT(R->Times[I].Milliseconds, 0);
  }
}

TEST(Stages, CallsGoThroughAddressesAndCHasNoUnwindTables) {
  CompileOptions O;
  O.Keep = {Stage::Asm};
  Expected<EngineResult> R =
      compile("void g(void); int f(void) { g(); return 1; }", O);
  ASSERT_TRUE(R);
  EXPECT_TRUE(contains(R->Kept[0].second, "callq\t*g@GOTPCREL(%rip)"));
  EXPECT_FALSE(contains(R->Kept[0].second, ".cfi"));
}

TEST(Stages, CXXTextMayThrowAndCatch) {
  CompileOptions O;
  O.Lang = Language::CXX;
  O.Keep = {Stage::Asm};
  Expected<EngineResult> R = compile("void g(); extern \"C\" int f() {\n"
                                     "try { g(); } catch (...) { return 1; }\n"
                                     "return 0; }",
                                     O);
  ASSERT_TRUE(R) << R.error().render();
  EXPECT_TRUE(contains(R->Kept[0].second, "__cxa_begin_catch"));
  EXPECT_TRUE(contains(R->Kept[0].second, ".cfi_lsda"));
}

TEST(Stages, DebuggersGetTheTextAsAFileWithItsOwnLines) {
  namespace fs = std::filesystem;
  fs::path Folder =
      fs::temp_directory_path() / ("clinch-stages-" + std::to_string(getpid()));
  EngineConfig Config;
  Config.PrefixCacheDir = Folder;
  std::unique_ptr<Engine> E(clinch_engine_create(Config));
  CompileOptions O;
  O.Debug = true;
  O.Keep = {Stage::LLVM};
  SourceText Text = {"thunk.c", "int f(int a) {\n"
                                "#line 7 \"`Add.c_code`\"\n"
                                "  return a + 1;\n}\n"};
  Expected<EngineResult> R = E->compile(Text, O);
  ASSERT_TRUE(R) << R.error().render();
  std::vector<fs::path> Files(fs::directory_iterator(Folder / "debug"), {});
  ASSERT_EQ(Files.size(), 1u);
  Files[0] /= "thunk.c";
  std::stringstream Written;
  Written << std::ifstream(Files[0]).rdbuf();
  EXPECT_EQ(Written.str(), "int f(int a) {\n\n  return a + 1;\n}\n");
  const std::string &IR = R->Kept[0].second;
  EXPECT_TRUE(contains(IR, "!DIFile(filename: \"" + Files[0].string() + "\""));
  EXPECT_TRUE(contains(IR, "!DILocation(line: 3,"));
  EXPECT_FALSE(contains(IR, "c_code"));
  // Messages still name the author's lines.
  Text.Text = "int f(int a) {\n#line 7 \"`Add.c_code`\"\n  return b;\n}\n";
  R = E->compile(Text, O);
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().diagnostics().at(0).Origin, "`Add.c_code`");
  fs::remove_all(Folder);
}

} // namespace
