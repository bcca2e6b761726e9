// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries that a text names.

#include "LoadHelpers.h"

using namespace clinch;
using namespace clinch::test;

namespace {
struct Libraries : testing::Test {
  void makeLibrary(const std::string &File, int Value) {
    writeFile(Folder / "l.c",
              "int value(void) { return " + std::to_string(Value) + "; }");
    ASSERT_EQ(system((CLINCH_TEST_CLANG " -shared -fPIC -o " + (Folder / File) +
                      " " + (Folder / "l.c"))
                         .c_str()),
              0);
  }
  CompileOptions request(std::vector<std::string> Names) {
    CompileOptions R;
    R.Libraries = std::move(Names);
    R.LibraryDirs = {Folder.Path};
    return R;
  }
  const std::string Object =
      makeObject("int value(void); int f(void) { return value() + 1; }");
  TemporaryFolder Folder;
};
} // namespace

TEST_F(Libraries, AreFoundByNameFolderAndPath) {
  makeLibrary("libone.so", 10);
  for (std::string Name :
       {std::string("one"), std::string(":libone.so"), Folder / "libone.so"}) {
    auto Code = load(Object, request({Name}));
    ASSERT_TRUE(Code);
    EXPECT_EQ(find<int()>(Code, "f")(), 11);
  }
}

TEST_F(Libraries, TheFirstFolderAndTheFirstLibraryWin) {
  makeLibrary("libone.so", 10);
  makeLibrary("libtwo.so", 20);
  EXPECT_EQ(find<int()>(load(Object, request({"two", "one"})), "f")(), 21);
}

TEST_F(Libraries, AVersionIsEnough) {
  makeLibrary("libver.so.1.9", 19);
  makeLibrary("libver.so.1.10", 110);
  EXPECT_EQ(find<int()>(load(Object, request({"ver"})), "f")(), 111);
}

TEST_F(Libraries, OfTheSystemNeedNoFolder) {
  auto Code = load(makeObject("double tanh(double); double f(double x)"
                              "  { return tanh(x); }"),
                   request({"m", "c", "pthread", "dl", "stdc++"}));
  EXPECT_EQ(find<double(double)>(Code, "f")(0), 0);
}

TEST_F(Libraries, EachMissingOneIsNamedWithItsFolders) {
  EXPECT_EQ(errorOf(Object, request({"nope"})),
            "A library is missing: `nope`: expected `libnope.so` in `" +
                Folder.Path + "`, or the folders of the system.");
  CompileOptions R = request({"zz", "aa"});
  R.LibraryDirs.clear();
  EXPECT_EQ(errorOf(Object, R),
            "Libraries are missing: `aa`: expected `libaa.so` in the folders "
            "of the system. `zz`: expected `libzz.so` in the folders of the "
            "system.");
}

TEST_F(Libraries, ThatAreNoneSayWhatTheyAre) {
  writeFile(Folder / "libbad.so", "this is no library, whatever its name is");
  EXPECT_EQ(errorOf(Object, request({"bad"})),
            "A library is missing: `bad`: found, but it does not load: " +
                (Folder / "libbad.so") + ": file too short.");
  EXPECT_EQ(errorOf(Object, request({""})),
            "A library is missing: ``: expected `lib.so` in `" + Folder.Path +
                "`, or the folders of the system.");
}
