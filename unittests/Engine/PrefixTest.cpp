// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another Python, other options.

#include "EngineTesting.h"
#include "lib/Contract/PythonPrefix.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sstream>
#include <unistd.h>

using namespace clinch;
using namespace clinch::testing;
namespace fs = std::filesystem;

namespace {

/// A Python of which no machine has the like, in a folder of its own.
class PrefixTest : public ::testing::Test {
protected:
  void SetUp() override {
    static int Count = 0;
    Root = fs::temp_directory_path() /
           ("clinch-prefix-" + std::to_string(getpid()) + "-" +
            std::to_string(Count++));
    fs::create_directories(Headers() / "numpy");
    write(Headers() / "patchlevel.h", "#define PY_VERSION \"9.9.9\"\n");
    write(Headers() / "Python.h",
          "#include \"patchlevel.h\"\n#include <stddef.h>\n"
          "#include \"object.h\"\n#define PY_TWIST 42\n");
    write(Headers() / "object.h", "typedef struct { long twist; } PyObject;\n");
    write(Headers() / "pyconfig.h", "\n");
    write(Headers() / "numpy/_numpyconfig.h", "#define NPY_FAKE 1\n");
    write(Headers() / "numpy/arrayobject.h",
          "typedef PyObject PyArrayObject;\n");
    write(Headers() / "numpy/arrayscalars.h", "\n");
    write(Headers() / "numpy/npy_math.h", "\n");
  }
  void TearDown() override { fs::remove_all(Root); }

  static void write(const fs::path &Path, const std::string &Text) {
    std::ofstream(Path, std::ios::binary) << Text;
  }
  static std::string read(const fs::path &Path) {
    std::ostringstream Text;
    Text << std::ifstream(Path, std::ios::binary).rdbuf();
    return Text.str();
  }

  fs::path Headers() const { return Root / "include"; }
  fs::path Cache() const { return Root / "cache"; }
  std::vector<fs::path> kept() const {
    if (!fs::exists(Cache()))
      return {};
    return {fs::directory_iterator(Cache()), fs::directory_iterator()};
  }

  std::unique_ptr<Engine> foreign() const {
    EngineConfig Config;
    Config.PrefixDirs = {Headers()};
    Config.PrefixCacheDir = Cache();
    return std::unique_ptr<Engine>(clinch_engine_create(Config));
  }
  std::unique_ptr<Engine> native() const {
    EngineConfig Config;
    Config.PrefixCacheDir = Cache();
    return std::unique_ptr<Engine>(clinch_engine_create(Config));
  }

  static CompileOptions options(Language Lang = Language::C) {
    CompileOptions O;
    O.Lang = Lang;
    O.Level = Tier::Fast;
    O.Prefix = PythonPrefix;
    return O;
  }
  static Expected<EngineResult> useTwist(Engine &E, Language Lang) {
    return E.compile(
        {"t.c", "long f(PyObject *p) { return p->twist + PY_TWIST; }"},
        options(Lang));
  }

  fs::path Root;
};

TEST_F(PrefixTest, AnotherPythonIsPrecompiledOnceAndKept) {
  for (Language Lang : {Language::C, Language::CXX}) {
    Expected<EngineResult> R = useTwist(*foreign(), Lang);
    ASSERT_TRUE(R) << R.error().render();
    for (const Manifest::Entry &E : R->Inputs.Entries)
      EXPECT_NE(E.K, Manifest::Kind::File) << E.Path;
  }
  ASSERT_EQ(kept().size(), 2u);
  for (const fs::path &File : kept())
    EXPECT_EQ(File.string().substr(File.string().size() - 11), ".pch.clinch");
  // What is kept is enough, and is used: headers that only others name can go.
  fs::remove(Headers() / "object.h");
  for (Language Lang : {Language::C, Language::CXX})
    EXPECT_TRUE(useTwist(*foreign(), Lang));
}

TEST_F(PrefixTest, DamagedFilesAreMadeAgain) {
  ASSERT_TRUE(useTwist(*foreign(), Language::C));
  ASSERT_EQ(kept().size(), 1u);
  fs::path File = kept()[0];
  std::string Good = read(File);
  std::string Flipped = Good;
  Flipped[Good.size() / 2] ^= 1;
  const std::string Damages[] = {"",
                                 "CLINCHA1",
                                 Good.substr(0, 100),
                                 Good.substr(0, Good.size() - 1),
                                 Flipped,
                                 std::string(Good.size(), '\xff')};
  for (const std::string &Damage : Damages) {
    write(File, Damage);
    Expected<EngineResult> R = useTwist(*foreign(), Language::C);
    EXPECT_TRUE(R) << R.error().render();
    EXPECT_EQ(read(File), Good);
  }
}

TEST_F(PrefixTest, FilesOfAnotherKeyAreNotUsed) {
  ASSERT_TRUE(useTwist(*foreign(), Language::C));
  fs::path OfC = kept().at(0);
  std::string C = read(OfC);
  ASSERT_TRUE(useTwist(*foreign(), Language::CXX));
  for (const fs::path &File : kept())
    if (File != OfC)
      write(File, C);
  Expected<EngineResult> R = useTwist(*foreign(), Language::CXX);
  EXPECT_TRUE(R) << R.error().render();
}

TEST_F(PrefixTest, WritableByOthersIsNotTrusted) {
  ASSERT_TRUE(useTwist(*foreign(), Language::C));
  fs::path File = kept().at(0);
  fs::permissions(File, fs::perms::others_write, fs::perm_options::add);
  fs::remove(Headers() / "object.h");
  EXPECT_FALSE(useTwist(*foreign(), Language::C));
}

TEST_F(PrefixTest, AFolderThatCannotBeWrittenIsNoError) {
  write(Cache(), "a file where a folder should be");
  Expected<EngineResult> R = useTwist(*foreign(), Language::C);
  EXPECT_TRUE(R) << R.error().render();
}

TEST_F(PrefixTest, MissingHeadersAreNamed) {
  fs::remove(Headers() / "Python.h");
  Expected<EngineResult> R = useTwist(*foreign(), Language::C);
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().kind(), Error::Kind::Compile);
  EXPECT_EQ(R.error().message(), "The prefix does not compile.");
  EXPECT_EQ(R.error().diagnostics().at(0).Message, "'Python.h' file not found");
}

TEST_F(PrefixTest, WithTheBuildsOwnPythonNothingIsMade) {
  std::unique_ptr<Engine> E = native();
  CompileOptions O = options(Language::CXX);
  O.Flags = {"-O3",
             "-march=x86-64-v3",
             "-fno-math-errno",
             "-g",
             "-fopenmp",
             "-fno-exceptions",
             "-fno-unwind-tables",
             "-Wno-c++11-narrowing",
             "-fno-asynchronous-unwind-tables",
             "-m64",
             "-fPIC",
             "-w"};
  O.Defines = {"NPY_NO_DEPRECATED_API=NPY_1_7_API_VERSION", "MINE=3"};
  Expected<EngineResult> R = E->compile(
      {"t.cpp", "extern \"C\" double f(PyArrayObject *a) {\n"
                "std::vector<double> v(MINE, *(double *)PyArray_DATA(a));\n"
                "return v[2]; }"},
      O);
  ASSERT_TRUE(R) << R.error().render();
  EXPECT_EQ(kept().size(), 0u);
}

TEST_F(PrefixTest, OtherStandardsAndABIsGetTheirOwn) {
  std::unique_ptr<Engine> E = native();
  CompileOptions O = options(Language::CXX);
  O.Flags = {"-std=c++17"};
  Expected<EngineResult> R =
      E->compile({"t.cpp", "static_assert(__cplusplus == 201703L);\n"
                           "PyObject *f() { return PyLong_FromLong(1); }"},
                 O);
  ASSERT_TRUE(R) << R.error().render();
  EXPECT_EQ(kept().size(), 1u);
  O = options(Language::C);
  O.Flags = {"-funsigned-char"};
  R = E->compile({"t.c", "static_assert((char)-1 > 0);"
                         "PyObject *f() { return PyLong_FromLong(1); }"},
                 O);
  ASSERT_TRUE(R) << R.error().render();
  EXPECT_EQ(kept().size(), 2u);
}

TEST_F(PrefixTest, NobodyHasToWaitForOne) {
  std::unique_ptr<Engine> E = native();
  CompileOptions O = options(Language::CXX);
  O.Flags = {"-std=c++17"};
  O.Interrupted = [] { return true; };
  const SourceText Text{"t.cpp", "int f() { return 1; }"};
  Expected<EngineResult> R = E->compile(Text, O);
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().message(), "The compile was interrupted.");
  EXPECT_EQ(R.error().kind(), Error::Kind::Host);
  EXPECT_EQ(kept().size(), 0u);
  O.Interrupted = nullptr;
  EXPECT_TRUE(E->compile(Text, O));
  EXPECT_EQ(kept().size(), 1u);
}

TEST_F(PrefixTest, MacrosThatHeadersLookAtReachThem) {
  std::unique_ptr<Engine> E = native();
  CompileOptions O = options(Language::C);
  O.Defines = {"Py_LIMITED_API_IS_NOT_THIS"};
  const char *Text = "#ifdef PyTuple_SET_ITEM\nint not_limited;\n#endif\n"
                     "int f(void) { return sizeof not_limited; }";
  EXPECT_TRUE(E->compile({"t.c", Text}, O));
  EXPECT_EQ(kept().size(), 0u);
  O.Defines = {"PyMODINIT_FUNC=int"};
  Expected<EngineResult> R =
      E->compile({"t.c", "PyMODINIT_FUNC f(void) { return 1; }"}, O);
  ASSERT_TRUE(R) << R.error().render();
  EXPECT_EQ(kept().size(), 1u);
}

TEST_F(PrefixTest, AnyTextIsPrecompiledOnceForItsOptions) {
  std::unique_ptr<Engine> E = native();
  CompileOptions O = options(Language::C);
  O.Prefix = "#ifndef SIZE\n#define SIZE 7\n#endif\nenum { own = SIZE };\n";
  const SourceText Seven{"t.c", "_Static_assert(own == 7);"};
  for (Tier Level : {Tier::Fast, Tier::Default}) {
    O.Level = Level;
    Expected<EngineResult> R = E->compile(Seven, O);
    ASSERT_TRUE(R) << R.error().render();
  }
  EXPECT_EQ(kept().size(), 1u);
  O.Defines = {"SIZE=8"};
  Expected<EngineResult> R = E->compile(Seven, O);
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().diagnostics().at(0).Message,
            "static assertion failed due to requirement 'own == 7'");
  EXPECT_EQ(kept().size(), 2u);
  // What the text settles itself changes nothing.
  O.Prefix = "#define SIZE 7\nenum { own = SIZE };\n#undef SIZE\n";
  R = E->compile(Seven, O);
  EXPECT_TRUE(R) << R.error().render();
}

/// Programs that tune themselves compile one text with many values of a macro.
TEST_F(PrefixTest, ValuesThatNoHeaderNamesShareOne) {
  std::unique_ptr<Engine> E = native();
  CompileOptions Host = options(Language::CXX), Device = Host;
  Host.Prefix = "#include <vector>\ninline int (*shown)(int);\n";
  Device.Prefix = "";
  Device.Device = "sm_90";
  for (const char *Value : {"1", "2", "3"}) {
    const std::string Define = std::string("N=") + Value;
    const std::string Checks =
        "static_assert(N == " + std::string(Value) + ");";
    for (CompileOptions *O : {&Host, &Device})
      for (bool IsFlag : {false, true}) {
        O->Defines = IsFlag ? std::vector<std::string>() : std::vector{Define};
        O->Flags = IsFlag ? std::vector{"-D" + Define} : O->Defines;
        if (!IsFlag)
          O->Flags.clear();
        Expected<EngineResult> R = E->compile(
            {"t.cpp", Checks + (O == &Host ? "int f() { return N; }"
                                           : "__global__ void k() {}")},
            *O);
        ASSERT_TRUE(R) << R.error().render();
      }
    EXPECT_EQ(kept().size(), 2u) << Define;
  }
  // A macro that the prefix names is another matter.
  Host.Flags.clear();
  Host.Defines = {"shown(x)=other(x)"};
  EXPECT_TRUE(E->compile({"t.cpp", "int f() { return 1; }"}, Host));
  EXPECT_EQ(kept().size(), 3u);
}

TEST_F(PrefixTest, AssertionsAreOffUnlessAskedFor) {
  std::unique_ptr<Engine> E = native();
  CompileOptions O = options(Language::C);
  O.Keep = {Stage::LLVM};
  SourceText Text = {"t.c", "int f(int a) { assert(a); return a; }"};
  Expected<EngineResult> R = E->compile(Text, O);
  ASSERT_TRUE(R) << R.error().render();
  EXPECT_EQ(R->Kept[0].second.find("__assert_fail"), std::string::npos);
  O.Flags = {"-UNDEBUG"};
  R = E->compile(Text, O);
  ASSERT_TRUE(R) << R.error().render();
  EXPECT_NE(R->Kept[0].second.find("__assert_fail"), std::string::npos);
}

/// The first is still being built when the second is done. It would take ten
/// seconds or more, and ends with its process.
TEST_F(PrefixTest, NobodyWaitsForAnotherPrefix) {
  write(Headers() / "slow.h",
        "constexpr unsigned slow(unsigned n) {\n"
        "  for (unsigned i = 0; i != 4000000000; ++i) n = n * 3 + i;\n"
        "  return n;\n}\n"
        "static_assert(slow(1) != slow(2) && slow(3) != slow(4));\n");
  auto Test = [&] {
    const std::unique_ptr<Engine> E = foreign();
    CompileOptions Quick = options(), O = options(Language::CXX);
    Quick.Prefix = "#include \"object.h\"\n";
    O.Prefix = "#include \"slow.h\"\n";
    O.Flags = {"-fconstexpr-steps=4294967295"};
    unsigned Asked = 0;
    O.Interrupted = [&] {
      if (++Asked == 2)
        EXPECT_TRUE(E->compile(
            {"t.c", "long f(PyObject *p) { return p->twist; }"}, Quick));
      return Asked == 3;
    };
    Expected<EngineResult> R = E->compile({"t.cpp", "int a;"}, O);
    ASSERT_FALSE(R);
    EXPECT_EQ(R.error().message(), "The compile was interrupted.");
    EXPECT_EQ(Asked, 3u);
  };
  EXPECT_EXIT((Test(), _exit(HasFailure())), ::testing::ExitedWithCode(0), "");
}

/// Macros that a header names give each value a prefix, here of 16 MB or more.
TEST_F(PrefixTest, MemoryHoldsFewOfThem) {
  write(Headers() / "large.h", "static const char large[] = \"" +
                                   std::string(8 << 20, 'x') +
                                   "\";\nenum { value = VALUE };\n");
  auto Bytes = [] {
    const struct mallinfo2 Now = mallinfo2();
    return Now.uordblks + Now.hblkhd;
  };
  const std::unique_ptr<Engine> E = foreign();
  CompileOptions O = options();
  O.Prefix = "#include \"large.h\"\n";
  const size_t Before = Bytes();
  size_t Most = 0;
  for (int Value = 0; Value < 14; ++Value) {
    O.Defines = {"VALUE=" + std::to_string(Value)};
    Expected<EngineResult> R =
        E->compile({"t.c", "int f(void) { return value; }"}, O);
    ASSERT_TRUE(R) << R.error().render();
    Most = std::max(Most, Bytes() - Before);
  }
  EXPECT_LT(Most, size_t(200) << 20);
}

} // namespace
