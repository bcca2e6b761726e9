// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a diagnostic looks like.

#include "clinch/Support/Expected.h"

#include <gtest/gtest.h>

using namespace clinch;

TEST(Diagnostic, RendersOriginLineCaretAndNotes) {
  Diagnostic D;
  D.Origin = "`Double.c_extract` for `x`";
  D.Line = 2;
  D.Column = 3;
  D.Message = "use of undeclared identifier 'y'";
  D.SourceLine = "\t y = 1;";
  D.FixIts = {{3, 4, "x"}};
  Diagnostic N;
  N.Level = Diagnostic::Severity::Note;
  N.Message = "declared here";
  D.Notes = {N};
  EXPECT_EQ(renderDiagnostic(D),
            "`Double.c_extract` for `x`:2:3: error: use of undeclared "
            "identifier 'y'\n"
            "  \t y = 1;\n"
            "  \t ^\n"
            "  write instead: x\n"
            "note: declared here\n");
}

TEST(Diagnostic, TheCaretStandsBelowItsLetter) {
  Diagnostic D;
  D.Column = 8; // In bytes; the two letters before it have two each.
  D.Message = "m";
  D.SourceLine = "\"\u00e4\u00f6\" $";
  EXPECT_EQ(renderDiagnostic(D), "error: m\n  \"\u00e4\u00f6\" $\n       ^\n");
}

TEST(Diagnostic, ColoursOnlyOnRequest) {
  Diagnostic D;
  D.Level = Diagnostic::Severity::Warning;
  D.Message = "m";
  EXPECT_EQ(renderDiagnostic(D), "warning: m\n");
  EXPECT_EQ(renderDiagnostic(D, true),
            "\033[1m\033[0m\033[1;35mwarning: \033[0mm\n");
}

TEST(Error, RendersMessageThenDiagnostics) {
  Diagnostic D;
  D.Message = "m";
  Error E(Error::Kind::Compile, "it failed", {D});
  EXPECT_EQ(E.render(), "it failed\nerror: m\n");
}

TEST(Error, ADiagnosticThatHasTheMessageStandsForIt) {
  Diagnostic D;
  D.Origin = "`A.c_code` for `x`";
  D.Line = 1;
  D.Message = "m";
  Error One(Error::Kind::Hook, D.Origin + ": m", {D});
  EXPECT_EQ(One.render(), "`A.c_code` for `x`:1: error: m\n");
  Error Two(Error::Kind::Hook, D.Origin + ": m", {D, D});
  EXPECT_EQ(Two.render(), "`A.c_code` for `x`: m\n"
                          "`A.c_code` for `x`:1: error: m\n"
                          "`A.c_code` for `x`:1: error: m\n");
}
