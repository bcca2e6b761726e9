// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Applying fix-its to a text.

#include "FixIts.h"

#include "clang/Tooling/Core/Replacement.h"

using namespace clinch;
using namespace clinch::engine;
using clang::tooling::Replacement;
using clang::tooling::Replacements;

namespace {

/// The lines of a text and where they begin.
class Lines {
public:
  explicit Lines(llvm::StringRef Text) {
    while (!Text.empty()) {
      auto [Line, Rest] = Text.split('\n');
      Begins.push_back(At);
      All.push_back(Line.ends_with("\r") ? Line.drop_back() : Line);
      At += Line.size() + 1;
      Text = Rest;
    }
  }
  bool has(const LineFix &F) const {
    return F.Line && F.Line <= All.size() && All[F.Line - 1] == F.Before;
  }
  size_t begin(unsigned Line) const { return Begins[Line - 1]; }

private:
  size_t At = 0;
  std::vector<size_t> Begins;
  std::vector<llvm::StringRef> All;
};

Error about(const LineFix &F, const std::string &Message) {
  return Error(Error::Kind::InvalidArgument,
               "line " + std::to_string(F.Line) + ": " + Message);
}

} // namespace

Expected<std::string>
clinch::engine::applyFixes(const SourceText &Text,
                           const std::vector<LineFix> &Fixes) {
  Lines L(Text.Text);
  Replacements All;
  for (const LineFix &F : Fixes) {
    if (!L.has(F))
      return about(F, "it is not as it was when it was looked at");
    Replacement R(Text.Name, unsigned(L.begin(F.Line) + F.Fix.BeginColumn - 1),
                  F.Fix.EndColumn - F.Fix.BeginColumn, F.Fix.Replacement);
    if (llvm::Error E = All.add(R)) {
      llvm::consumeError(std::move(E));
      return about(F, "two fixes meet here; make one of them by hand");
    }
  }
  llvm::Expected<std::string> Result =
      clang::tooling::applyAllReplacements(Text.Text, All);
  if (Result)
    return std::move(*Result);
  llvm::consumeError(Result.takeError());
  return Error(Error::Kind::InvalidArgument, "the fixes do not fit the file");
}
