// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a c_declare declares.

#include "lib/Support/Declarations.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace clinch;

namespace {

using Names = std::vector<std::string>;

Names namesOf(const char *Text) { return readDeclarations(Text).Names; }

TEST(Declarations, NamesOfVariables) {
  EXPECT_EQ(namesOf("double V1;"), Names({"V1"}));
  EXPECT_EQ(namesOf("double V1"), Names({"V1"}));
  EXPECT_EQ(namesOf("int a, *b, c[3], **d;"), Names({"a", "b", "c", "d"}));
  EXPECT_EQ(namesOf("unsigned long long a; const char *b;"), Names({"a", "b"}));
  EXPECT_EQ(namesOf("struct s V1; struct s *p;"), Names({"V1", "p"}));
  EXPECT_EQ(namesOf("struct { int a; } V1, *V2;"), Names({"V1", "V2"}));
  EXPECT_EQ(namesOf("int (*f)(int, double); void (*g[2])(void);"),
            Names({"f", "g"}));
  EXPECT_EQ(namesOf("std::map<int, std::vector<double>> V1;"), Names({"V1"}));
  EXPECT_EQ(namesOf("__typeof__(a) b; _Alignas(16) double c;"),
            Names({"b", "c"}));
  EXPECT_EQ(namesOf("int a : 3, b : 4;"), Names({"a", "b"}));
  EXPECT_EQ(namesOf("int a = f(1, 2), b = {3};"), Names({"a", "b"}));
  EXPECT_EQ(namesOf(""), Names());
  EXPECT_EQ(namesOf(";;"), Names());
}

TEST(Declarations, AttributesAreNoNames) {
  EXPECT_EQ(namesOf("double V1 __attribute__((aligned(32)));"), Names({"V1"}));
  EXPECT_EQ(namesOf("double V1 __attribute__((unused)), V2 __attribute((x));"),
            Names({"V1", "V2"}));
  EXPECT_EQ(namesOf("__attribute__((aligned(8))) double V1[2];"),
            Names({"V1"}));
  EXPECT_EQ(namesOf("__attribute__((aligned(1ul << 5))) double V1;"),
            Names({"V1"}));
  EXPECT_EQ(namesOf("int V1[1 << 4], V2;"), Names({"V1", "V2"}));
  EXPECT_EQ(namesOf("[[maybe_unused]] double V1;"), Names({"V1"}));
  EXPECT_EQ(namesOf("double V1 [[maybe_unused]];"), Names({"V1"}));
  EXPECT_EQ(namesOf("alignas(32) double V1;"), Names({"V1"}));
  EXPECT_EQ(namesOf("int V1 __asm__(\"r\");"), Names({"V1"}));
}

TEST(Declarations, TypesStandApartOnTheirLines) {
  Declarations D =
      readDeclarations("typedef double dtype;\ndtype V1;\nstruct s { int a; };"
                       "\nenum { red };\nusing t = int;\nt V2;");
  EXPECT_EQ(D.Types, "typedef double dtype;\n         \nstruct s { int a; };"
                     "\nenum { red };\nusing t = int;\n     ");
  EXPECT_EQ(D.Members, "                     \ndtype V1;\n                    "
                       "\n             \n              \nt V2;");
  EXPECT_EQ(D.Names, Names({"V1", "V2"}));
}

TEST(Declarations, LinesAreKept) {
  const char *Text = "typedef /* a\n b */ int t;\n// c\nt\n V1;\n";
  Declarations D = readDeclarations(Text);
  auto Lines = [](const std::string &S) {
    return std::count(S.begin(), S.end(), '\n');
  };
  EXPECT_EQ(Lines(D.Types), Lines(Text));
  EXPECT_EQ(Lines(D.Members), Lines(Text));
}

TEST(Declarations, PlainIsOneNumberOrPointer) {
  for (const char *Text :
       {"double V1;", "npy_int64 V1;", "const char *V1;", "struct s *V1;",
        "unsigned char V1;", "size_t V1;", "typedef int t; double V1;"})
    EXPECT_TRUE(readDeclarations(Text).Plain) << Text;
  for (const char *Text :
       {"struct s V1;", "double V1[2];", "double V1, V2;", "double V1 = 1;",
        "int (*V1)(void);", "npy_complex64 V1;", "std::string V1;", "",
        "double V1{2};"})
    EXPECT_FALSE(readDeclarations(Text).Plain) << Text;
}

TEST(Declarations, SeveralMayBeNumbersOrPointers) {
  for (const char *Text : {"double V1, *V2;", "npy_intp V1; struct s *V2;"}) {
    EXPECT_TRUE(readDeclarations(Text).Numbers) << Text;
    EXPECT_FALSE(readDeclarations(Text).Plain) << Text;
  }
  for (const char *Text : {"double V1, V2[2];", "npy_intp V1; struct s V2;"})
    EXPECT_FALSE(readDeclarations(Text).Numbers) << Text;
}

TEST(Declarations, FunctionsAndValuesAreSeen) {
  EXPECT_TRUE(readDeclarations("int f(int a) { return a; }").Functions);
  EXPECT_TRUE(readDeclarations("int f() const { return 1; }").Functions);
  EXPECT_FALSE(readDeclarations("int f(int a);").Functions);
  EXPECT_FALSE(
      readDeclarations("struct s { int f() { return 1; } };").Functions);
  EXPECT_TRUE(readDeclarations("int a = 1;").Initialised);
  EXPECT_FALSE(readDeclarations("enum { a = 1 };").Initialised);
  EXPECT_FALSE(readDeclarations("int a;").Initialised);
}

TEST(Declarations, OfATextThatIsCutShortThereIsNoEnd) {
  for (const char *Text : {"double", "double V1 = \"", "struct s {", "int (*",
                           "a /*", "typedef", "int V1[", "}", ")", "<", ">"})
    readDeclarations(Text); // Whatever comes: Clang tells what is wrong.
}

} // namespace
