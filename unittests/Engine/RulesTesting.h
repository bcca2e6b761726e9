// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block with its regions.

#pragma once

#include "EngineTesting.h"

#include <utility>
#include <vector>

namespace clinch::testing {

/// A text, and whose its pieces are.
struct TestText {
  std::string Text;
  std::vector<Region> Regions;

  void ours(const std::string &Lines) {
    Text += Lines + "#line " + std::to_string(10 * ++Count) + " \"text.c\"\n";
  }
  Region &authored(const std::string &Name, Region::Role Kind,
                   const std::string &Lines, unsigned First = 1) {
    Text += "#line " + std::to_string(First) + " \"" + Name + "\"\n";
    Region &R = Regions.emplace_back();
    R.Name = Name;
    R.Kind = Kind;
    R.Begin = Text.size();
    Text += Lines + "\n";
    R.End = Text.size();
    ours("");
    return R;
  }

  /// Code that may fail, in the block of a number.
  void block(const std::string &Name, const std::string &Lines,
             unsigned Number) {
    Region &R = authored(Name, Region::Role::Code, Lines);
    R.Block = Number;
    R.Label = "label_" + std::to_string(Number);
  }

private:
  unsigned Count = 0;
};

inline Expected<EngineResult> compileBlock(const TestText &T, Language Lang,
                                           std::string Folder = "") {
  CompileOptions O;
  O.Lang = Lang;
  O.Level = Tier::Fast;
  O.FailureVariable = "failure";
  O.Regions = T.Regions;
  if (!Folder.empty())
    O.IncludeDirs = {std::move(Folder)};
  return compile(T.Text, O);
}

/// A block as the assembler writes it, with the three pieces in their places.
inline TestText block(const std::string &Declare, const std::string &Code,
                      const std::string &Cleanup,
                      const std::string &Support = "") {
  TestText T;
  T.authored("`Add.c_support_code`", Region::Role::Free, Support);
  T.ours("int run(int a) {\n  int failure = 0;\n  {\n");
  Region &D = T.authored("`Double.c_declare` for `x`",
                         Region::Role::Declarations, Declare);
  D.Required = "V3";
  D.Reserved = {"py_V3", "storage_V3"};
  T.ours("  {\n");
  T.block("`Add.c_code`", Code, 3);
  T.ours("  }\n  label_3:;\n  {\n");
  T.authored("`Add.c_code_cleanup`", Region::Role::NoFail, Cleanup);
  T.ours("  }\n  }\n  return failure;\n}\n");
  return T;
}

} // namespace clinch::testing
