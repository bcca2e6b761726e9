// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections of C files.

#include "lib/Contract/COpFile.h"
#include "OpCode.h"
#include "clinch/Contract/Op.h"
#include "lib/Contract/Params.h"

#include <cstdio>
#include <fstream>

using namespace clinch;

namespace {
COpFile parsed(const std::vector<std::pair<std::string, std::string>> &Texts) {
  Expected<COpFile> F = COpFile::parse(Texts);
  EXPECT_TRUE(F) << F.error().message();
  return F ? *F : COpFile();
}

Error parseError(const std::string &Text) {
  Expected<COpFile> F = COpFile::parse({{"op.c", Text}});
  EXPECT_FALSE(F);
  return F ? Error(Error::Kind::Compile, "no error") : F.takeError();
}

COpContext context() {
  COpContext C;
  C.ClassName = "Mul";
  C.Name = "node_3";
  C.InputDtypes = {"float32", ""};
  C.OutputDtypes = {"float64"};
  C.Inputs = {"V1", "V2"};
  C.Outputs = {"V3"};
  C.Fail = "{failure = 3; goto label_3;}";
  return C;
}

/// A file that goes with the test.
class TempFile {
public:
  explicit TempFile(const std::string &Text)
      : Path(testing::TempDir() + "clinch_op_" +
             testing::UnitTest::GetInstance()->current_test_info()->name() +
             ".c") {
    std::ofstream(Path, std::ios::binary) << Text;
  }
  ~TempFile() { std::remove(Path.c_str()); }
  std::string Path;
};
} // namespace

TEST(COpFile, SectionWithAllItsMacros) {
  COpFile F = parsed({{"op.c", "// mine\n#section code\nOUTPUT_0 = 1;\n"}});
  HookText H = F.text(Section::Code, context());
  EXPECT_TRUE(H.Filled);
  EXPECT_EQ(H.File, "op.c");
  EXPECT_EQ(H.Line, 3u);
  EXPECT_EQ(H.Text, "#define APPLY_SPECIFIC(str) str##_node_3\n"
                    "#define DTYPE_INPUT_0 npy_float32\n"
                    "#define TYPENUM_INPUT_0 NPY_FLOAT32\n"
                    "#define ITEMSIZE_INPUT_0 4\n"
                    "#define DTYPE_OUTPUT_0 npy_float64\n"
                    "#define TYPENUM_OUTPUT_0 NPY_FLOAT64\n"
                    "#define ITEMSIZE_OUTPUT_0 8\n"
                    "#define FAIL {failure = 3; goto label_3;}\n"
                    "#define INPUT_0 V1\n"
                    "#define INPUT_1 V2\n"
                    "#define OUTPUT_0 V3\n"
                    "#line 3 \"`Mul.c_code` for `node_3` in op.c\"\n"
                    "OUTPUT_0 = 1;\n"
                    "#undef OUTPUT_0\n"
                    "#undef INPUT_1\n"
                    "#undef INPUT_0\n"
                    "#undef FAIL\n"
                    "#undef ITEMSIZE_OUTPUT_0\n"
                    "#undef TYPENUM_OUTPUT_0\n"
                    "#undef DTYPE_OUTPUT_0\n"
                    "#undef ITEMSIZE_INPUT_0\n"
                    "#undef TYPENUM_INPUT_0\n"
                    "#undef DTYPE_INPUT_0\n"
                    "#undef APPLY_SPECIFIC\n");
  EXPECT_EQ(H.LineNames,
            std::vector<std::string>{"`Mul.c_code` for `node_3` in op.c"});
}

// Which macros each section has: the seeds' table.
TEST(COpFile, EachSectionHasItsMacros) {
  COpContext C = context();
  C.Params = "V4";
  C.ParamsType = "struct p";
  C.ParamDtypes = {{"a", "npy_int8"}, {"b", ""}};
  struct Row {
    Section S;
    bool Dtypes, Fail, Names;
  };
  const Row Rows[] = {{Section::SupportCode, false, false, false},
                      {Section::InitCode, false, false, false},
                      {Section::SupportCodeApply, true, false, false},
                      {Section::InitCodeApply, true, false, false},
                      {Section::CleanupCodeStruct, true, false, false},
                      {Section::InitCodeStruct, true, true, false},
                      {Section::Code, true, true, true},
                      {Section::CodeCleanup, true, true, true}};
  for (const Row &R : Rows) {
    std::string Tag = sectionTag(R.S);
    COpFile F = parsed({{"op.c", "#section " + Tag + "\nx;\n"}});
    std::string Text = F.text(R.S, C).Text;
    auto Has = [&](const char *What) {
      return Text.find(What) != std::string::npos;
    };
    EXPECT_EQ(Has("#define APPLY_SPECIFIC(str) "), R.Dtypes) << Tag;
    EXPECT_EQ(Has("#define DTYPE_INPUT_0 "), R.Dtypes) << Tag;
    EXPECT_EQ(Has("#define PARAMS_TYPE struct p\n"), R.Dtypes) << Tag;
    EXPECT_EQ(Has("#define DTYPE_PARAM_a npy_int8\n"), R.Dtypes) << Tag;
    EXPECT_FALSE(Has("DTYPE_PARAM_b")) << Tag;
    EXPECT_FALSE(Has("DTYPE_INPUT_1")) << Tag;
    EXPECT_EQ(Has("#define FAIL "), R.Fail) << Tag;
    EXPECT_EQ(Has("#define PARAMS V4\n"), R.Fail) << Tag;
    EXPECT_EQ(Has("#define INPUT_1 V2\n"), R.Names) << Tag;
    EXPECT_EQ(Has("#define OUTPUT_0 V3\n"), R.Names) << Tag;
  }
}

// Its members are named before a preprocessor could name them.
TEST(COpFile, StructSupportIsExpanded) {
  COpFile F = parsed({{"op.c", "#section support_code_struct\n"
                               "DTYPE_INPUT_0 APPLY_SPECIFIC(sum), "
                               "MY_DTYPE_INPUT_0[ITEMSIZE_INPUT_0];\n"
                               "#section code\n;\n"
                               "#section support_code_struct\nint b;\n"}});
  HookText H = F.text(Section::SupportCodeStruct, context());
  EXPECT_EQ(H.Text, "npy_float32 sum_node_3, MY_DTYPE_INPUT_0[4];\n\n\n\n"
                    "int b;\n");
  EXPECT_EQ(H.Line, 2u);
  EXPECT_EQ(H.File, "op.c");
}

TEST(COpFile, ATagTwiceIsJoinedInOrderOverAllFiles) {
  COpFile F = parsed({{"a.c", "#section support_code\nint a;\n"
                              "#section init_code\n"
                              "  #  section  support_code  \nint b;\n"},
                      {"b.c", "#section support_code\nint c;"}});
  HookText H = F.text(Section::SupportCode, {});
  EXPECT_EQ(H.Text, "#line 2 \"a.c\"\nint a;\n"
                    "#line 5 \"a.c\"\nint b;\n"
                    "#line 2 \"b.c\"\nint c;\n");
  EXPECT_TRUE(F.has(Section::InitCode));
  EXPECT_FALSE(F.has(Section::Code));
  EXPECT_TRUE(F.text(Section::Code, context()).empty());
}

TEST(COpFile, CarriageReturnsAndByteOrderMarkAreNotSeen) {
  COpFile F = parsed(
      {{"op.c", "\xEF\xBB\xBF// a\r\n#section support_code\r\nint a;\r\n"}});
  EXPECT_EQ(F.text(Section::SupportCode, {}).Text,
            "#line 3 \"op.c\"\nint a;\n");
}

TEST(COpFile, CommentsMayStandBeforeTheFirstSection) {
  COpFile F = parsed({{"op.c", "/* one\n two */ // three\n\n"
                               "#section support_code\nint a;\n"}});
  EXPECT_EQ(F.text(Section::SupportCode, {}).Line, 5u);
}

TEST(COpFile, UnknownSection) {
  Error E = parseError("#section code\n#section c_code\n");
  EXPECT_EQ(E.kind(), Error::Kind::Compile);
  EXPECT_EQ(E.message(),
            "`op.c`, line 2: there is no section `c_code`: there are "
            "`support_code`, `support_code_apply`, `support_code_struct`, "
            "`init_code`, `init_code_apply`, `init_code_struct`, "
            "`cleanup_code_struct`, `code`, `code_cleanup`.");
  ASSERT_EQ(E.diagnostics().size(), 1u);
  EXPECT_EQ(E.diagnostics()[0].Origin, "op.c");
  EXPECT_EQ(E.diagnostics()[0].Line, 2u);
  EXPECT_EQ(E.diagnostics()[0].SourceLine, "#section c_code");
  EXPECT_EQ(parseError("#section\n").message().substr(0, 40),
            "`op.c`, line 1: there is no section ``: ");
  EXPECT_EQ(parseError("#section code x\n").message().substr(0, 46),
            "`op.c`, line 1: there is no section `code x`: ");
}

TEST(COpFile, TextBeforeTheFirstSection) {
  const std::string Message = ": text before the first `#section` line belongs "
                              "to no hook; there may be comments only.";
  EXPECT_EQ(parseError("// a\n#include <math.h>\n#section code\n").message(),
            "`op.c`, line 2" + Message);
  EXPECT_EQ(parseError("/* a\n*/ int b;\n#section code\n").message(),
            "`op.c`, line 2" + Message);
}

TEST(COpFile, NoSectionAtAll) {
  for (const char *Text : {"", "\n\n", "// only this\n", "#sections code\n"})
    if (std::string(Text) != "#sections code\n")
      EXPECT_EQ(parseError(Text).message(),
                "`op.c` has no `#section` line, such as `#section code`.");
    else
      EXPECT_EQ(parseError(Text).diagnostics()[0].Line, 1u);
}

TEST(COpFile, Utf16) {
  EXPECT_EQ(parseError(std::string("\xFF\xFE#\0", 4)).message(),
            "`op.c` is in UTF-16: save it as UTF-8.");
}

TEST(COpFile, MissingFile) {
  Expected<COpFile> F = COpFile::read({"/nowhere/op.c"});
  ASSERT_FALSE(F);
  EXPECT_EQ(F.error().kind(), Error::Kind::IO);
  EXPECT_EQ(F.error().message(),
            "The C file `/nowhere/op.c` of an Op cannot be read: No such file "
            "or directory.");
}

TEST(COpFile, HashChangesWithTheText) {
  EXPECT_EQ(parsed({{"a", "#section code\n1"}}).hash(),
            parsed({{"b", "#section code\n1"}}).hash());
  EXPECT_NE(parsed({{"a", "#section code\n1"}}).hash(),
            parsed({{"a", "#section code\n2"}}).hash());
}

TEST(COpFile, NewlinesInFailDoNotEndTheMacro) {
  COpContext C = context();
  C.Fail = "{failure = 3;\ngoto label_3;}";
  COpFile F = parsed({{"op.c", "#section code\nFAIL\n"}});
  EXPECT_NE(F.text(Section::Code, C)
                .Text.find("#define FAIL {failure = 3; goto label_3;}\n"),
            std::string::npos);
}

TEST(CFileOp, UsesDtypesOfTheApply) {
  TempFile File("#section code\nOUTPUT_0 = (DTYPE_OUTPUT_0)INPUT_0;\n");
  COpSpec Spec;
  Spec.ClassName = "Copy";
  Spec.Files = {File.Path};
  auto O = cFileOp(Spec);
  ASSERT_TRUE(O);
  std::string Text = codeOf(**O, {*scalarType("int8")}, *scalarType("int16"));
  EXPECT_NE(Text.find("#define DTYPE_INPUT_0 npy_int8\n"), std::string::npos);
  EXPECT_NE(Text.find("#define DTYPE_OUTPUT_0 npy_int16\n"), std::string::npos);
  EXPECT_NE(Text.find("#define INPUT_0 a\n"), std::string::npos);
  EXPECT_NE(Text.find("#line 2 \"`Copy.c_code` for `node_1` in " + File.Path +
                      "\"\nOUTPUT_0 = "),
            std::string::npos);
  Spec.CheckInput = false;
  Text = codeOf(**cFileOp(Spec), {*scalarType("int8")}, *scalarType("int16"));
  EXPECT_EQ(Text.find("DTYPE_INPUT_0"), std::string::npos);
  EXPECT_NE(Text.find("#define INPUT_0 a\n"), std::string::npos);
}

TEST(CFileOp, NeedsCodeOrAFunctionAndNotBoth) {
  TempFile File("#section support_code\nint f(void);\n");
  COpSpec Spec;
  Spec.ClassName = "Nothing";
  Spec.Files = {File.Path};
  EXPECT_TRUE(cFileOp(Spec)); // A subclass may have the code.
  Spec.Function = "f";
  EXPECT_TRUE(cFileOp(Spec));
  std::ofstream(File.Path, std::ios::app) << "#section code\n;\n";
  EXPECT_EQ(cFileOp(Spec).error().message(),
            "The C files of `Nothing` have a `#section code`, and `f` is named "
            "to be called instead of it.");
}
