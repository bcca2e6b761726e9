// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects become code.

#include "LoadHelpers.h"

using namespace clinch;
using namespace clinch::test;

TEST(Loader, CallsAFunction) {
  auto Code = load(makeObject("double f(double x, double y, double z) {"
                              "  return (x + y) * z; }"));
  EXPECT_EQ(find<double(double, double, double)>(Code, "f")(1, 2, 3), 9);
  EXPECT_EQ(Code->lookup("g"), nullptr);
  EXPECT_EQ(Code->lookup(""), nullptr);
}

TEST(Loader, KeepsConstantsVariablesAndTables) {
  auto Code = load(makeObject(
      "static int n = 40; int zero[100]; int common; const int k[2] = {1, 2};"
      "int *const p = &n; const char *text(void) { return \"hello\"; }"
      "int f(int i) { ++n; zero[i] += 2; common += k[1];"
      "  return *p + zero[i] + common; }"
      "int s(int i) { switch (i) { case 0: return 5; case 1: return 17;"
      "  case 2: return 9; case 3: return 23; case 4: return 1;"
      "  default: return -1; } }",
      "-xc -fcommon"));
  EXPECT_EQ(find<int(int)>(Code, "f")(3), 45);
  EXPECT_EQ(find<int(int)>(Code, "f")(3), 50);
  EXPECT_EQ(find<int(int)>(Code, "s")(3), 23);
  EXPECT_STREQ(find<const char *()>(Code, "text")(), "hello");
  EXPECT_EQ(*find<const int>(Code, "k"), 1);
}

static int hostValue = 7;
extern "C" int clinchTestTwice(int X) { return 2 * X; }

TEST(Loader, FindsSymbolsInHostTableLibrariesAndProcess) {
  CompileOptions R;
  R.Symbols = {{"host_value", &hostValue},
               {"host_call", reinterpret_cast<void *>(&clinchTestTwice)}};
  auto Code = load(makeObject("extern int host_value; int host_call(int);"
                              "unsigned long strlen(const char *);"
                              "double tanh(double);"
                              "int f(const char *s, double d) { return"
                              "  host_call(host_value) + strlen(s)"
                              "  + (int)(tanh(d) * 0); }"),
                   R);
  EXPECT_EQ(find<int(const char *, double)>(Code, "f")("abc", 1), 17);
}

TEST(Loader, NamesEveryMissingSymbolOnce) {
  EXPECT_EQ(errorOf(makeObject("int zz(void), aa(void);"
                               "__attribute__((weak)) int perhaps(void);"
                               "int f(void) { return zz() + aa() + zz()"
                               "  + (perhaps ? perhaps() : 1); }")),
            "Symbols are missing: expected the host, a named library or the "
            "process to define `aa`, `zz`.");
  EXPECT_EQ(errorOf(makeObject("extern \"C++\" int g(int);"
                               "int f() { return g(1); }",
                               "-xc++")),
            "A symbol is missing: expected the host, a named library or the "
            "process to define `_Z1gi` (g(int)).");
}
