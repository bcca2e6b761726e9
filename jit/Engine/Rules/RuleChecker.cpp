// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks authors' code against the rules.

#include "RuleChecker.h"

#include "../Diagnostics/RuleMessages.h"
#include "CompleteRegions.h"
#include "JumpRules.h"
#include "NameRules.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

#include <algorithm>
#include <set>

using namespace clinch;
using namespace clinch::engine;

namespace {

class RuleConsumer : public clang::ASTConsumer {
public:
  RuleConsumer(const CompileOptions &O, const RegionMap &Regions,
               CompleteRegions &Texts, Violations &Found)
      : Options(O), Regions(Regions), Texts(Texts), Found(Found) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override {
    for (clang::Decl *D : Group)
      if (!D->isFromASTFile()) {
        Declarations.push_back(D);
        Texts.directives().lookAtPragmas(D->getLocation());
      }
    return true;
  }

  void HandleTranslationUnit(clang::ASTContext &Context) override {
    if (Context.getDiagnostics().hasFatalErrorOccurred())
      return; // What was read is no whole text.
    checkJumps(Declarations, Context, Regions, Options.FailureVariable, Found);
    llvm::StringSet<> Names =
        checkDeclarations(Declarations, Context, Regions, Found);
    Names.insert_range(Options.Variables);
    checkNames(Declarations, Context, Regions, Texts.directives().namedMacros(),
               std::move(Names), Found);
  }

private:
  const CompileOptions &Options;
  const RegionMap &Regions;
  CompleteRegions &Texts;
  Violations &Found;
  std::vector<clang::Decl *> Declarations;
};

} // namespace

std::unique_ptr<clang::ASTConsumer>
clinch::engine::createRuleChecker(const CompileOptions &O,
                                  const RegionMap &Regions,
                                  CompleteRegions &Texts, Violations &Found) {
  return std::make_unique<RuleConsumer>(O, Regions, Texts, Found);
}

void clinch::engine::mergeViolations(std::vector<clinch::Diagnostic> ByClang,
                                     std::vector<clinch::Diagnostic> &Errors,
                                     Violations &Found) {
  Found.insert(Found.begin(), std::make_move_iterator(ByClang.begin()),
               std::make_move_iterator(ByClang.end()));
  std::set<std::pair<std::string, unsigned>> Lines;
  for (const clinch::Diagnostic &D : Found)
    Lines.emplace(D.Origin, D.Line);
  std::erase_if(Errors, [&](const clinch::Diagnostic &D) {
    return Lines.count({D.Origin, D.Line}) != 0;
  });
}
