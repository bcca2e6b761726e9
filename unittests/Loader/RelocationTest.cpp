// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every address that clang leaves open.

#include "LoadHelpers.h"

#include <cmath>
#include <cstring>
#include <iostream>
#include <sys/mman.h>
#include <unistd.h>

using namespace clinch;
using namespace clinch::test;

namespace {

/// `int g(int x) { return x + Added; }` at an address that no 32-bit distance
/// from the code reaches.
class FarFunction {
public:
  explicit FarFunction(char Added) {
    Page =
        mmap(reinterpret_cast<void *>(0x10000000), 4096, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    const char Code[] = {char(0x8d), 0x47, Added, char(0xc3)};
    std::memcpy(Page, Code, sizeof Code);
    mprotect(Page, 4096, PROT_READ | PROT_EXEC);
  }
  ~FarFunction() { munmap(Page, 4096); }
  void *Page;
};

} // namespace

TEST(Relocation, CallsFarFunctionsThroughTableAndStub) {
  FarFunction Far(5);
  CompileOptions R;
  R.Symbols = {{"g", Far.Page}};
  const std::string Text = "int g(int); int f(int x) { return g(x) * 2; }"
                           "int t(int x) { return g(x); }"
                           "int (*p(void))(int) { return g; }"
                           "int (*q)(int) = g;";
  // -fno-plt calls through the table; -fplt through a stub of ours.
  for (const char *Flags : {"-xc", "-xc -fplt", "-xc -fno-pic -fplt"}) {
    auto Code = load(makeObject(Text, Flags), R);
    ASSERT_TRUE(Code);
    EXPECT_EQ(find<int(int)>(Code, "f")(1), 12) << Flags;
    EXPECT_EQ(find<int(int)>(Code, "t")(1), 6) << Flags;
    EXPECT_EQ(find<void *()>(Code, "p")(), Far.Page) << Flags;
    EXPECT_EQ(*find<void *>(Code, "q"), Far.Page) << Flags;
  }
}

extern "C" int clinchTestNear(int X) { return X + 7; }
int clinchTestVariable = 3;

TEST(Relocation, ReachesWhatIsNearWithoutTheTable) {
  auto Target = load(makeObject("int g(int x) { return x + 7; } int v = 3;"));
  CompileOptions R;
  R.Symbols = {{"g", Target->lookup("g")}, {"v", Target->lookup("v")}};
  auto Code = load(makeObject("int g(int); extern int v;"
                              "int f(int x) { return g(x) + v; }"
                              "int t(int x) { return g(x); }"
                              "int w(int x) { return v += x; }",
                              "-xc -fplt"),
                   R);
  EXPECT_EQ(find<int(int)>(Code, "f")(1), 11);
  EXPECT_EQ(find<int(int)>(Code, "t")(1), 8);
  EXPECT_EQ(find<int(int)>(Code, "w")(2), 5);
  // The jump is direct: no stub, no table.
  EXPECT_EQ(*find<unsigned char>(Code, "t"), 0xe9);
}

/// What \p Text computes where `v` is at \p Address.
static int64_t withAddress(const std::string &Text, uint64_t Address) {
  CompileOptions R;
  R.Symbols = {{"v", reinterpret_cast<void *>(Address)}};
  auto Code = load(makeObject("extern char v[]; long f(long r12) {"
                              "  register long x asm(\"r12\") = r12; " +
                              Text + " return x; }"),
                   R);
  return Code ? find<long(long)>(Code, "f")(1000) : -1;
}

TEST(Relocation, ComparesAndAddsAddressesThatAreSmallNumbers) {
  constexpr uint64_t Low = 0x7ffffff0, High = 0x80000000;
  struct {
    std::string Op;
    int64_t AtLow, AtHigh;
  } const Cases[] = {{"addq", 1000 + int64_t(Low), 1000 + int64_t(High)},
                     {"orq", 1000 | int64_t(Low), 1000 | int64_t(High)},
                     {"andq", 1000 & int64_t(Low), 1000 & int64_t(High)},
                     {"subq", 1000 - int64_t(Low), 1000 - int64_t(High)},
                     {"xorq", 1000 ^ int64_t(Low), 1000 ^ int64_t(High)}};
  for (const auto &C : Cases) {
    std::string Text =
        "asm(\"" + C.Op + " v@GOTPCREL(%%rip), %0\" : \"+r\"(x));";
    EXPECT_EQ(withAddress(Text, Low), C.AtLow) << C.Op;
    EXPECT_EQ(withAddress(Text, High), C.AtHigh) << C.Op;
  }
  const char *Compare = "long r = 0; asm(\"cmpq v@GOTPCREL(%%rip), %1\\n"
                        "sete %b0\" : \"+r\"(r) : \"r\"(x)); x = r;";
  EXPECT_EQ(withAddress(Compare, 1000), 1);
  EXPECT_EQ(withAddress(Compare, 1001), 0);
  EXPECT_EQ(withAddress(Compare, (uint64_t(1) << 32) + 1000), 0);
}

TEST(Relocation, KnowsEveryCodeModel) {
  CompileOptions R;
  R.Symbols = {{"g", reinterpret_cast<void *>(&clinchTestNear)},
               {"v", &clinchTestVariable}};
  const std::string Text =
      "int g(int); extern int v; static int s[1000] = {1}; int u = 10;"
      "const char *h(void) { return \"text\"; }"
      "int f(int x) { s[x] += v; return g(x) + s[x] + u + h()[0]; }";
  for (const char *Flags :
       {"-xc", "-xc -mcmodel=medium", "-xc -mcmodel=large",
        "-xc -mcmodel=large -fno-pic", "-xc -O0", "-xc -O3 -march=native",
        "-xc -ffunction-sections -fdata-sections", "-xc -fvisibility=hidden",
        "-xc -fsemantic-interposition", "-xc -g",
        "-xc -Wa,-mrelax-relocations=no"}) {
    auto Code = load(makeObject(Text, Flags), R);
    ASSERT_TRUE(Code) << Flags;
    EXPECT_EQ(find<int(int)>(Code, "f")(1), 8 + 3 + 10 + 't') << Flags;
  }
}

/// In a child, whose memory for code is its own: that of the other tests may
/// be so low that all addresses are in reach.
TEST(Relocation, CodeForFixedAddressesIsRefused) {
  const std::string Object =
      makeObject("int v; int *f(void) { return &v; }", "-xc -fno-pic");
  auto Refuse = [&] {
    std::cerr << errorOf(Object);
    _exit(0);
  };
  EXPECT_EXIT(Refuse(), testing::ExitedWithCode(0),
              "^The address of `v` is out of reach: expected code that can "
              "stand at any address \\(-fPIC, -mcmodel=small\\)\\.$");
}

TEST(Relocation, WeakSymbolsMayBeAbsentOrPresent) {
  const std::string Object =
      makeObject("__attribute__((weak)) int g(int); extern int w "
                 "__attribute__((weak));"
                 "int f(int x) { return g ? g(x) : -1; }"
                 "int *p(void) { return &w; }"
                 "__attribute__((weak)) int own(void) { return 6; }");
  auto Without = load(Object);
  EXPECT_EQ(find<int(int)>(Without, "f")(1), -1);
  EXPECT_EQ(find<int *()>(Without, "p")(), nullptr);
  EXPECT_EQ(find<int()>(Without, "own")(), 6);
  CompileOptions R;
  R.Symbols = {{"g", reinterpret_cast<void *>(&clinchTestNear)}};
  auto With = load(Object, R);
  EXPECT_EQ(find<int(int)>(With, "f")(1), 8);
}

TEST(Relocation, FunctionsThatChooseTheirAddressAreRefused) {
  const char *Message =
      "An ifunc, which chooses its address when it is loaded, cannot be "
      "linked: "
      "`g` is one (target_clones makes them); expected a plain function.";
  EXPECT_EQ(errorOf(makeObject("static int one(int x) { return x + 1; }"
                               "static int (*choose(void))(int) { return one; }"
                               "int g(int) __attribute__((ifunc(\"choose\")));"
                               "int f(int x) { return g(x); }")),
            Message);
  EXPECT_EQ(errorOf(makeObject("__attribute__((target_clones(\"avx2\","
                               "  \"default\"))) int g(int x) { return x; }"
                               "int f(int x) { return g(x); }")),
            Message);
}

TEST(Relocation, ConstructorsThatNobodyWouldRunAreRefused) {
  EXPECT_EQ(errorOf(makeObject("void g(void); __attribute__((constructor))"
                               "void f(void) { g(); }",
                               "-xc -fno-use-init-array")),
            "Functions of the section `.ctors` would not be run: expected them "
            "in `.init_array` and `.fini_array` (-fuse-init-array).");
}

TEST(Relocation, ConstantsCannotBeWritten) {
  auto Code = load(makeObject("const int k[2] = {1, 2};"));
  auto *K = find<int>(Code, "k");
  EXPECT_DEATH(*K = 3, "");
  EXPECT_EQ(*K, 1);
}
