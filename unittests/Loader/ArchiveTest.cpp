// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static libraries that a text names.

#include "LoadHelpers.h"

using namespace clinch;
using namespace clinch::test;

namespace {
struct Archives : testing::Test {
  /// Makes `libNAME.a` of one object for each text.
  void makeArchive(const std::string &Name,
                   const std::vector<std::string> &Texts,
                   const std::string &Flags = "-xc") {
    std::string Command =
        CLINCH_TEST_AR " rcs " + (Folder / ("lib" + Name)) + ".a";
    for (const std::string &Text : Texts) {
      std::string File = Folder / (Name + std::to_string(++Members) + ".o");
      writeFile(File, makeObject(Text, Flags));
      Command += " " + File;
    }
    ASSERT_EQ(system(Command.c_str()), 0);
  }
  CompileOptions request(std::vector<std::string> Names) {
    CompileOptions R;
    R.Libraries = std::move(Names);
    R.LibraryDirs = {Folder.Path};
    return R;
  }
  std::string failure(const std::string &File) {
    return "A library is missing: `" + File +
           "`: found, but it does not load: "
           "`" +
           (Folder / ("lib" + File + ".a")) +
           "` is no archive of object files: ";
  }
  const std::string Object =
      makeObject("int value(void); int f(void) { return value() + 1; }");
  TemporaryFolder Folder;
  int Members = 0;
};
} // namespace

TEST_F(Archives, AreFoundByNameFolderAndPath) {
  makeArchive("one", {"int value(void) { return 10; }"});
  for (std::string Name :
       {std::string("one"), std::string(":libone.a"), Folder / "libone.a"}) {
    auto Code = load(Object, request({Name}));
    ASSERT_TRUE(Code) << Name;
    EXPECT_EQ(find<int()>(Code, "f")(), 11) << Name;
  }
}

TEST_F(Archives, GiveEachModuleItsOwnVariables) {
  makeArchive("count", {"static int n; int value(void) { return ++n; }"});
  auto A = load(Object, request({"count"}));
  auto B = load(Object, request({"count"}));
  EXPECT_EQ(find<int()>(A, "f")(), 2);
  EXPECT_EQ(find<int()>(A, "f")(), 3);
  EXPECT_EQ(find<int()>(B, "f")(), 2);
  A.reset();
  EXPECT_EQ(find<int()>(B, "f")(), 3);
}

TEST_F(Archives, CallOneAnotherAndTheModule) {
  makeArchive("first", {"int second(int); int mine(void);"
                        "int value(void) { return second(mine()); }",
                        "int unused(void) { return 1; }"});
  makeArchive("second", {"int third(int);"
                         "int second(int x) { return third(x) * 2; }",
                         "int third(int x) { return x + 1; }"});
  auto Code = load(makeObject("int value(void); int mine(void) { return 4; }"
                              "int f(void) { return value(); }"),
                   request({"first", "second"}));
  EXPECT_EQ(find<int()>(Code, "f")(), 10);
  EXPECT_EQ(Code->lookup("third"), nullptr);
}

TEST_F(Archives, MissingSymbolsOfTheirsAreNamed) {
  makeArchive("lacks", {"int nowhere(void);"
                        "int value(void) { return nowhere(); }"});
  EXPECT_EQ(errorOf(Object, request({"lacks"})),
            "A symbol is missing: expected the host, a named library or the "
            "process to define `nowhere`.");
}

TEST_F(Archives, TheFirstThatDefinesASymbolWins) {
  makeArchive("a", {"int value(void) { return 1; }"});
  makeArchive("b", {"int value(void) { return 2; }"});
  EXPECT_EQ(find<int()>(load(Object, request({"b", "a"})), "f")(), 3);
  // Before the process, as in a program that is linked with it.
  makeArchive("own", {"unsigned long strlen(const char *s) { return 77; }"});
  auto Code = load(makeObject("unsigned long strlen(const char *);"
                              "int f(const char *s) { return strlen(s); }",
                              "-xc -fno-builtin"),
                   request({"own"}));
  EXPECT_EQ(find<int(const char *)>(Code, "f")("abc"), 77);
}

TEST_F(Archives, WhatIsOnlyWantedWeaklyBringsNothing) {
  makeArchive("weak", {"int value(void) { return 1; }"});
  auto Code = load(makeObject("__attribute__((weak)) int value(void);"
                              "int f(void) { return value ? value() : -1; }"),
                   request({"weak"}));
  EXPECT_EQ(find<int()>(Code, "f")(), -1);
}

TEST_F(Archives, TheirConstructorsRunBeforeTheModules) {
  makeArchive("log",
              {"char log_[9]; int n; void note(char c) { log_[n++] = c; }"
               "__attribute__((constructor)) static void c(void)"
               "  { note('a'); } const char *value(void)"
               "  { return log_; }"});
  auto Code = load(makeObject("void note(char); const char *value(void);"
                              "__attribute__((constructor)) static void c(void)"
                              "  { note('m'); }"
                              "const char *f(void) { return value(); }"),
                   request({"log"}));
  EXPECT_STREQ(find<const char *()>(Code, "f")(), "am");
}

TEST_F(Archives, ExceptionsOfCxxCrossThem) {
  makeArchive("throws", {"int value() { throw 5; }"}, "-xc++ -fno-plt");
  CompileOptions R = request({"throws"});
  R.Lang = Language::CXX;
  auto Code = load(makeObject("int value(); extern \"C\" int f() {"
                              "  try { return value(); }"
                              "  catch (int i) { return i; } }",
                              "-xc++"),
                   R);
  EXPECT_EQ(find<int()>(Code, "f")(), 5);
}

TEST_F(Archives, ThatAreNoneSayWhy) {
  writeFile(Folder / "libempty.a", "!<arch>\n");
  EXPECT_EQ(errorOf(Object, request({"empty"})),
            failure("empty") + "it has no index (see ranlib).");
  writeFile(Folder / "libtext.a", "this is no archive, whatever its name is");
  EXPECT_EQ(errorOf(Object, request({"text"})).find(failure("text")), 0U);
  makeArchive("thin", {"int value(void) { return 1; }"});
  ASSERT_EQ(system(("cd " + Folder.Path +
                    " && rm libthin.a && " CLINCH_TEST_AR
                    " rcs --thin libthin.a thin1.o")
                       .c_str()),
            0);
  EXPECT_EQ(errorOf(Object, request({"thin"})),
            failure("thin") + "it has names of files in it, no files.");
}

TEST_F(Archives, OfAnotherProcessorAreAnError) {
  makeArchive("arm", {"int value(void) { return 1; }"},
              "-xc --target=aarch64-linux-gnu");
  EXPECT_EQ(errorOf(Object, request({"arm"})),
            failure("arm") + "it has objects for another processor.");
}

TEST_F(Archives, DamageIsAnErrorOrHarmless) {
  makeArchive("whole", {"int value(void) { return 10; }"});
  const std::string Whole = readFile(Folder / "libwhole.a");
  for (size_t Size = 0; Size < Whole.size() - 8; Size += 7) {
    writeFile(Folder / "libcut.a", Whole.substr(0, Size));
    EXPECT_EQ(errorOf(Object, request({"cut"})).find(failure("cut")), 0U)
        << Size;
  }
}
