// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders of headers.

#include "EngineTesting.h"

#include "lib/Contract/PythonPrefix.h"
#include "lib/Support/Hash.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace clinch;
using namespace clinch::testing;
namespace fs = std::filesystem;

namespace {

/// A folder of headers that goes with the test.
class Folders : public ::testing::Test {
protected:
  void SetUp() override {
    Root = fs::temp_directory_path() /
           ("clinch-folders-" + std::to_string(getpid()));
    fs::create_directories(Root / "a");
    fs::create_directories(Root / "b");
    std::ofstream(Root / "b/mine.h") << "#define MINE 1\n";
    O.Level = Tier::Fast;
    O.IncludeDirs = {Root / "a", Root / "b"};
  }
  void TearDown() override { fs::remove_all(Root); }

  fs::path Root;
  CompileOptions O;
};

TEST_F(Folders, AreSearchedAndWhatWasReadOrMissedIsSaid) {
  Expected<EngineResult> R =
      compile("#include <stdio.h>\n#include \"mine.h\"\nint a = MINE;", O);
  ASSERT_TRUE(R) << R.error().render();
  auto Find = [&](const fs::path &Path) -> const Manifest::Entry * {
    for (const Manifest::Entry &E : R->Inputs.Entries)
      if (E.Path == Path)
        return &E;
    return nullptr;
  };
  ASSERT_TRUE(Find(Root / "b/mine.h"));
  EXPECT_EQ(Find(Root / "b/mine.h")->K, Manifest::Kind::File);
  EXPECT_EQ(Find(Root / "b/mine.h")->Hash, contentHash("#define MINE 1\n"));
  ASSERT_TRUE(Find(Root / "a/mine.h"));
  EXPECT_EQ(Find(Root / "a/mine.h")->K, Manifest::Kind::Absent);
}

/// No key knows the environment.
TEST_F(Folders, OfTheEnvironmentAreNotSearched) {
  for (const char *Name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) {
    setenv(Name, (Root / "b").c_str(), 1);
    for (Language Lang : {Language::C, Language::CXX})
      for (const char *Flag :
           {"-DOTHER", "-I/usr/share", "-isystem/usr/share"}) {
        CompileOptions Now = withFlags({Flag});
        Now.Lang = Lang;
        EXPECT_FALSE(compile("#include <mine.h>\n", Now)) << Name << Flag;
        Now.Flags.push_back("-I" + (Root / "b").string());
        EXPECT_TRUE(compile("#include <mine.h>\n", Now)) << Name << Flag;
      }
    unsetenv(Name);
  }
  setenv("SOURCE_DATE_EPOCH", "0", 1);
  Expected<EngineResult> R = compile(
      "_Static_assert(__DATE__[10] != '0' || __DATE__[9] != '7', \"\");",
      withFlags({"-DOTHER"}));
  EXPECT_TRUE(R) << R.error().render();
  unsetenv("SOURCE_DATE_EPOCH");
}

TEST_F(Folders, AreReadAnewEachTime) {
  const char *Text = "#include \"mine.h\"\nstatic_assert(MINE == 2);";
  EXPECT_FALSE(compile(Text, O));
  std::ofstream(Root / "a/mine.h") << "#define MINE 2\n";
  EXPECT_TRUE(compile(Text, O));
}

TEST(Headers, TheCommonOnesNeedNoFolder) {
  std::string C, CXX;
  for (const char *H :
       {"assert", "complex", "ctype", "errno", "float", "inttypes", "limits",
        "math", "stdbool", "stddef", "stdint", "stdio", "stdlib", "string",
        "time", "immintrin"})
    C += std::string("#include <") + H + ".h>\n";
  for (const char *H :
       {"algorithm", "array", "cmath", "complex", "cstdio", "iostream",
        "limits", "map", "memory", "numeric", "random", "sstream", "string",
        "unordered_map", "vector"})
    CXX += std::string("#include <") + H + ">\n";
  CompileOptions O;
  O.Level = Tier::Fast;
  Expected<EngineResult> R = compile(C + "int f(void) { return 1; }", O);
  ASSERT_TRUE(R) << R.error().render();
  auto IsFile = [](const Manifest::Entry &E) {
    return E.K == Manifest::Kind::File;
  };
  EXPECT_TRUE(std::ranges::none_of(R->Inputs.Entries, IsFile));
  O.Lang = Language::CXX;
  R = compile(CXX + "int f() { return std::vector<int>(3, 1)[2]; }", O);
  ASSERT_TRUE(R) << R.error().render();
  EXPECT_TRUE(std::ranges::none_of(R->Inputs.Entries, IsFile));
}

/// libstdc++ uses TBB where it finds its headers, as in a folder of the system.
TEST_F(Folders, AreNoPartOfTheStandardHeaders) {
  std::filesystem::create_directories(Root / "tbb");
  std::ofstream(Root / "tbb/tbb.h") << "\n";
  std::ofstream(Root / "tbb/blocked_range.h") << "#error of this folder\n";
  CompileOptions Now = withFlags({"-I" + Root.string()});
  Now.Lang = Language::CXX;
  const char *Text = "#include <algorithm>\n#include <execution>\n"
                     "#include <memory>\n#include <numeric>\n";
  for (const char *Prefix : {"", PythonPrefix}) {
    Now.Prefix = Prefix;
    Expected<EngineResult> R = compile(Text, Now);
    ASSERT_TRUE(R) << R.error().render();
    for (const Manifest::Entry &E : R->Inputs.Entries)
      EXPECT_EQ(E.Path.find("tbb"), std::string::npos) << E.Path;
  }
  // Who wants TBB says so.
  Now.Prefix = "";
  Now.Flags.push_back("-U_GLIBCXX_USE_TBB_PAR_BACKEND");
  Expected<EngineResult> R = compile(Text, Now);
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().diagnostics().at(0).Message, "of this folder");
}

TEST(Headers, AMissingOneIsNamed) {
  Expected<EngineResult> R = compile("#include <nonesuch.h>\n", {});
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().diagnostics().at(0).Message,
            "'nonesuch.h' file not found");
}

} // namespace
