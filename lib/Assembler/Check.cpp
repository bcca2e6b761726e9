//===- Check.cpp - A hook's text, before it meets the others -------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"

#include "TextCheck.h"

#include <algorithm>

using namespace clinch;

Error clinch::textError(const Piece &Text, const std::string &Origin,
                        size_t Offset, const std::string &Message) {
  const std::string &T = Text.Text;
  size_t Begin = T.rfind('\n', Offset ? Offset - 1 : 0);
  Begin = Begin == std::string::npos || Begin >= Offset ? 0 : Begin + 1;
  size_t End = std::min(T.find('\n', Offset), T.size());
  Diagnostic D;
  D.Origin = Origin;
  D.Line = Text.Line + unsigned(std::count(T.data(), T.data() + Begin, '\n'));
  D.Column = unsigned(Offset - Begin) + 1;
  D.Message = Message;
  D.SourceLine = T.substr(Begin, End - Begin);
  if (!D.SourceLine.empty() && D.SourceLine.back() == '\r')
    D.SourceLine.pop_back();
  return Error(ErrorKind::Hook, Origin + ": " + Message, {std::move(D)});
}

/// Global text may define macros and has no labels.
static bool isGlobal(std::string_view Hook) {
  return Hook == "c_support_code" || Hook == "c_support_code_apply" ||
         Hook == "c_init_code" || Hook == "c_init_code_apply";
}

Status Builder::checkLabels(const Piece &Text, const TextFacts &Facts,
                            const std::string &Origin) {
  for (const auto &[Label, Offset] : Facts.Labels) {
    bool Ours = Label.substr(0, 6) == "label_" && Label.size() > 6 &&
                Label.find_first_not_of("0123456789", 6) == std::string::npos;
    auto [It, New] = Labels.emplace(Label, Origin);
    if (!Ours && New)
      continue;
    return textError(Text, Origin, Offset,
                     Ours ? "the label `" + Label +
                                "` is one of Clinch's own; put `%(name)s` in "
                                "it"
                          : "the label `" + Label + "` is used by " +
                                It->second +
                                " too; put `%(name)s` in it, or declare it "
                                "with `__label__`");
  }
  return Status::success();
}

Status Builder::check(const Piece &Text, const CodeProvider &C,
                      const std::string &Subject) {
  TextFacts Facts;
  std::optional<TextProblem> Problem = checkText(Text.Text, Facts);
  bool Global = isGlobal(Text.Hook);
  if (!Problem && (Global || (Facts.Labels.empty() && !Facts.OpenMacro)))
    return Status::success();
  std::string Origin = hookOrigin(C, Text.Hook, Subject);
  if (Problem)
    return textError(Text, Origin, Problem->Offset, Problem->Message);
  if (Facts.OpenMacro)
    return textError(Text, Origin, Facts.OpenMacro->second,
                     "the macro `" + Facts.OpenMacro->first +
                         "` is never undefined and would reach the texts after "
                         "this one; end with `#undef " +
                         Facts.OpenMacro->first +
                         "`, or define it in c_support_code");
  return checkLabels(Text, Facts, Origin);
}
