//===- CompileTest.cpp - Text in, object out --------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineTesting.h"

#include <gtest/gtest.h>

using namespace clinch;
using namespace clinch::testing;

namespace {

TEST(Compile, GivesAnELFObject) {
  for (Tier Level : {Tier::Fast, Tier::Default, Tier::Max}) {
    CompileOptions O;
    O.Level = Level;
    Expected<EngineResult> R = compile("int f(int a) { return a + 1; }", O);
    ASSERT_TRUE(R) << R.error().render();
    EXPECT_EQ(R->Object.substr(0, 4), "\x7f"
                                      "ELF");
    EXPECT_EQ(R->Object[16], 1); // ET_REL
    EXPECT_TRUE(R->Warnings.empty());
    EXPECT_TRUE(R->Files.empty());
  }
}

TEST(Compile, TakesThePythonPrefixInBothLanguages) {
  for (Language Lang : {Language::C, Language::CXX}) {
    CompileOptions O;
    O.Lang = Lang;
    O.Headers = Prefix::Python;
    Expected<EngineResult> R =
        compile("PyObject *f(PyArrayObject *a) {\n"
                "  return PyFloat_FromDouble(*(double *)PyArray_DATA(a));\n}\n",
                O);
    ASSERT_TRUE(R) << R.error().render();
    EXPECT_TRUE(R->Files.empty()); // Nothing is read from this machine.
  }
}

TEST(Compile, ReportsErrorsWhereLineSaysTheyAre) {
  Expected<EngineResult> R = compile("int f(int a) {\n"
                                     "#line 7 \"`Double.c_extract` for `x`\"\n"
                                     "  return b + 1;\n}\n",
                                     {});
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().kind(), ErrorKind::Compile);
  EXPECT_EQ(R.error().message(), "The text does not compile: 1 error.");
  ASSERT_EQ(R.error().diagnostics().size(), 1u);
  const Diagnostic &D = R.error().diagnostics()[0];
  EXPECT_EQ(D.Origin, "`Double.c_extract` for `x`");
  EXPECT_EQ(D.Line, 7u);
  EXPECT_EQ(D.Column, 10u);
  EXPECT_EQ(D.Message, "use of undeclared identifier 'b'");
  EXPECT_EQ(D.SourceLine, "  return b + 1;");
}

TEST(Compile, GoesOnAfterErrors) {
  EXPECT_FALSE(compile("int f( {", {}));
  EXPECT_TRUE(compile("int f(void) { return 1; }", {}));
}

} // namespace
