// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a text defines.

#include "SessionTesting.h"

#include <string>
#include <vector>

using namespace clinch;
using test::session;

struct point;

namespace {

const char *const Typed = R"(
#include <stddef.h>
struct point { double x; };
extern "C" unsigned long count(const char *s, size_t n) { return n + s[0]; }
namespace space {
int both(const char *) { return 1; }
int both(char *) { return 2; }
int held(volatile int *) { return 1; }
int held(int *) { return 2; }
bool isSet(signed char c, long long, point *) { return c; }
int sum(int n, ...) { return n; }
int run(unsigned long (*f)(const char *, unsigned long)) { return (int)f("a", 1); }
}
)";

TEST(Lookup, FindsFunctionsByNameAndType) {
  CompileOptions O;
  O.Lang = Language::CXX;
  auto M = session().compile({"typed.cpp", Typed}, O);
  ASSERT_TRUE(M) << M.error().render();
  auto Count = M->lookup<size_t(const char *, size_t)>("count");
  ASSERT_TRUE(Count) << Count.error().message();
  EXPECT_EQ((**Count)("a", 3), 100U);
  EXPECT_EQ((**M->lookup<int(const char *)>("space::both"))(nullptr), 1);
  EXPECT_EQ((**M->lookup<int(char *)>("space::both"))(nullptr), 2);
  EXPECT_EQ((**M->lookup<int(volatile int *)>("space::held"))(nullptr), 1);
  EXPECT_EQ((**M->lookup<int(int *)>("space::held"))(nullptr), 2);
  EXPECT_EQ((**M->lookup<int(int, ...)>("space::sum"))(4), 4);
  auto IsSet = M->lookup<bool(signed char, long long, point *)>("space::isSet");
  ASSERT_TRUE(IsSet) << IsSet.error().message();
  EXPECT_TRUE((**IsSet)(1, 0, nullptr));
  auto Run =
      M->lookup<int(unsigned long (*)(const char *, size_t))>("space::run");
  ASSERT_TRUE(Run) << Run.error().message();
  EXPECT_EQ((**Run)(*Count), 98);
}

/// GCC and Clang spell these types differently, and write them alike.
TEST(Lookup, FindsFunctionsByTypesOfTheLibrary) {
  CompileOptions O;
  O.Lang = Language::CXX;
  auto M = session().compile(
      {"types.cpp", "#include <string>\n#include <vector>\n"
                    "int text(std::string s) { return s.size(); }\n"
                    "int all(const std::vector<int> &v) { return v.size(); }\n"
                    "int array(int (&a)[3]) { return a[2]; }\n"
                    "using Unary = int (*)(int);\n"
                    "Unary chosen(int by) {\n"
                    "  return by ? [](int x) { return x + 1; } : nullptr; }\n"
                    "int member(int (std::string::*m)()) { return !m; }\n"
                    "int quiet(int x) noexcept { return x; }\n"
                    "int loud(int x) { return x; }\n"
                    "enum class Hue { Red }; int hue(Hue) { return 7; }\n"},
      O);
  ASSERT_TRUE(M) << M.error().render();
  EXPECT_EQ((**M->lookup<int(std::string)>("text"))("abc"), 3);
  EXPECT_EQ((**M->lookup<int(const std::vector<int> &)>("all"))({1, 2}), 2);
  int Array[3] = {1, 2, 3};
  EXPECT_EQ((**M->lookup<int(int (&)[3])>("array"))(Array), 3);
  using Unary = int (*)(int);
  EXPECT_EQ((**M->lookup<Unary(int)>("chosen"))(1)(4), 5);
  EXPECT_EQ((**M->lookup<int(int (std::string::*)())>("member"))(nullptr), 1);
  EXPECT_EQ((**M->lookup<int(int) noexcept>("quiet"))(4), 4);
  EXPECT_EQ((**M->lookup<int(int)>("quiet"))(4), 4);
  EXPECT_FALSE(M->lookup<int(int (&)[4])>("array"));
  EXPECT_FALSE(M->lookup<Unary(long)>("chosen"));
  EXPECT_FALSE(M->lookup<int(int)>("hue"));
  auto Loud = M->lookup<int(int) noexcept>("loud");
  ASSERT_FALSE(Loud);
  EXPECT_EQ(Loud.error().message(),
            "The text defines `int loud(int)`, and no `loud` of the type "
            "`int (int) noexcept`.");
}

TEST(Lookup, SaysWhichTypesThereAre) {
  auto Made =
      session().compile({"typed.c", "double twice(double x) { return 2 * x; }\n"
                                    "char first(const char *s) { return *s; }\n"
                                    "int none(void) { return 0; }\n"},
                        {});
  ASSERT_TRUE(Made) << Made.error().render();
  Module &M = *Made;
  auto ErrorOf = [](auto Found) {
    return Found ? "found" : Found.error().message();
  };
  EXPECT_EQ(ErrorOf(M.lookup<float(float)>("twice")),
            "The text defines `double twice(double)`, and no `twice` of the "
            "type `float (float)`.");
  EXPECT_EQ(ErrorOf(M.lookup<char(char *)>("first")),
            "The text defines `char first(const char *)`, and no `first` of "
            "the type `char (char*)`.");
  EXPECT_EQ(ErrorOf(M.lookup<signed char(const char *)>("first")),
            "The text defines `char first(const char *)`, and no `first` of "
            "the type `signed char (char const*)`.");
  EXPECT_EQ(ErrorOf(M.lookup<int(int)>("none")),
            "The text defines `int none(void)`, and no `none` of the type "
            "`int (int)`.");
  EXPECT_EQ(ErrorOf(M.lookup<double(double)>("twise")),
            "The text defines no function `twise`; did you mean `twice`?");
  EXPECT_EQ(ErrorOf(Module().lookup<int()>("f")),
            "The text defines no function `f`.");
  EXPECT_EQ((**M.lookup<int()>("none"))(), 0);
}

TEST(Modules, KnowTheirVariables) {
  auto M = session().compile(
      {"text", "static int kept; int shared = 3; const int fixed = 4;\n"
               "static const char *const text[] = {\"a\", \"b\"};\n"
               "int *f(void) { static double inner; inner += fixed;\n"
               "kept += shared + text[kept & 1][0]; return &kept; }"},
      {});
  ASSERT_TRUE(M) << M.error().message();
  EXPECT_EQ(M->variables(),
            (std::vector<std::string>{"f.inner", "kept", "shared"}));
  EXPECT_TRUE(Module().variables().empty());
}

} // namespace
