// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts that differ in comments alone.

#include "lib/Support/Comments.h"

#include <gtest/gtest.h>

using namespace clinch;

namespace {

std::string plain(std::string_view Text) {
  return withoutComments(Text).value_or("as it is");
}

TEST(Comments, WhatTheySayIsBlankAndAllElseStays) {
  EXPECT_EQ(plain("int a; // one\nint b;"), "int a; //    \nint b;");
  EXPECT_EQ(plain("int /* a\n  b */ c;"), "int /*  \n    */ c;");
  EXPECT_EQ(plain("/**/ int a; //"), "/**/ int a; //");
  EXPECT_EQ(plain("/* it's \" */ 'x' // y"), "/*        */ 'x' //  ");
  EXPECT_EQ(plain("int a = 4 / 2 /*x*/;"), "int a = 4 / 2 /* */;");
  EXPECT_EQ(plain("/* a /* b */ int c; // d"), "/* a /* b */ int c; //  ");
  EXPECT_EQ(plain("int a;"), "as it is"); // There are none.
}

TEST(Comments, WhatLooksLikeOneIsNone) {
  EXPECT_EQ(plain("char *s = \"a // b /* c\"; // d"),
            "char *s = \"a // b /* c\"; //  ");
  EXPECT_EQ(plain("char *s = \"\\\" // a\"; // b"),
            "char *s = \"\\\" // a\"; //  ");
  EXPECT_EQ(plain("int a = '\"'; // b"), "int a = '\"'; //  ");
  EXPECT_EQ(plain("int a = 1'000'000; /* b */"), "int a = 1'000'000; /*   */");
  EXPECT_EQ(plain("#include <a//b> // c\n"), "#include <a//b> //  \n");
  EXPECT_EQ(plain("# include \"a//b\" /* c */\n"),
            "# include \"a//b\" /*   */\n");
  EXPECT_EQ(plain("#error don't\nint a; // b"), "#error don't\nint a; //  ");
  EXPECT_EQ(plain("#if A < 1 ||\\\n  B < 2 // c\n"),
            "#if A < 1 ||\\\n  B < 2 //  \n");
  EXPECT_EQ(plain("#define A(x) x < 1 ||\\\n  x /* b */\n"),
            "#define A(x) x < 1 ||\\\n  x /*   */\n");
}

/// A key may not be blind to what is code.
TEST(Comments, DoubtLeavesTheTextAsItIs) {
  for (const char *Text : {"int a; // b \\\nint c;",
                           "int a; // b \\ \nint c;",
                           "/\\\n/ a\nint b;",
                           "/\\\n* a */ int b; // c",
                           "/* a *\\\n/ int b; // c",
                           "#if __has_include(<a//b>)\n#endif",
                           "#embed <a//b>\n",
                           "%:include <a//b>\n",
                           "?\?=include <a//b>\n",
                           "// a ?\?/\nint b;",
                           "char *s = R\"(// a)\";",
                           "char *s = R\\\n\"(// a)\";",
                           "#error don't // a\n",
                           "char *s = \"a\n// b\";",
                           "/* a",
                           "// \xff\n",
                           "// a\x01\n",
                           "char *s = \"a \\ \nb // c\"; // d",
                           "#if \\ \n __has_include(<a//b>)\n#endif",
                           "#if __has_include(<a\\\n//b>)\n#endif",
                           "#\\\ninclude <a//b>\n",
                           "#if A \\\n || __has_include(<a//b>)\n#endif",
                           "int a = 1\\\n'000'; // b"})
    EXPECT_EQ(plain(Text), "as it is") << Text;
}

} // namespace
