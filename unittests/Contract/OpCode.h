// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of one apply.

#pragma once

#include "clinch/Contract/Op.h"
#include "clinch/Graph/Graph.h"
#include "lib/Contract/CNames.h"

#include <gtest/gtest.h>

/// c_code of \p O on variables a, b, c of \p Inputs with the output z, filled;
/// "error: ..." when there is none.
inline std::string codeOf(const clinch::Op &O,
                          const std::vector<clinch::TypePtr> &Inputs,
                          clinch::TypePtr Output) {
  using namespace clinch;
  Graph G;
  std::vector<Variable *> Vars;
  std::vector<std::string> Names;
  for (const TypePtr &T : Inputs) {
    Vars.push_back(G.addInput(T));
    Names.emplace_back(1, static_cast<char>('a' + Names.size()));
  }
  // The graph shares Ops; this one outlives it.
  std::shared_ptr<const Op> Alias(std::shared_ptr<void>(), &O);
  Expected<Apply *> Node = G.apply(Alias, Vars, {std::move(Output)});
  if (!Node)
    return "error: " + Node.error().message();
  Substitutions Sub;
  Sub.set("fail", "FAIL");
  std::vector<std::string> Outputs = {"z"};
  std::string Name = "node_1";
  Expected<HookText> Code = O.c_code({**Node, Name, Names, Outputs, Sub});
  if (!Code)
    return "error: " + Code.error().message();
  if (Code->Filled)
    return Code->Text;
  Expected<std::string> Text = fillTemplate(Code->Text, Sub, "c_code");
  return Text ? *Text : "error: " + Text.error().message();
}
