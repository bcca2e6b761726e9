//===- RuleChecker.cpp - What a piece of text must not do -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleChecker.h"

#include "DeclarationRules.h"
#include "JumpRules.h"
#include "RuleMessages.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

#include <algorithm>
#include <set>

using namespace clinch;
using namespace clinch::engine;

namespace {

class RuleConsumer : public clang::ASTConsumer {
public:
  RuleConsumer(const CompileOptions &O, Violations &Found)
      : Options(O), Regions(O.Regions), Found(Found) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override {
    for (clang::Decl *D : Group)
      if (!D->isFromASTFile())
        Declarations.push_back(D);
    return true;
  }

  void HandleTranslationUnit(clang::ASTContext &Context) override {
    checkJumps(Declarations, Context, Regions, Options.FailureVariable, Found);
    checkDeclarations(Declarations, Context, Regions, Found);
  }

private:
  const CompileOptions &Options;
  RegionMap Regions;
  Violations &Found;
  std::vector<clang::Decl *> Declarations;
};

/// "break" or "continue" when Clang says that it stands in no loop.
const char *strayJump(const clinch::Diagnostic &D) {
  if (D.Message == "'break' statement not in loop or switch statement")
    return "break";
  if (D.Message == "'continue' statement not in loop statement")
    return "continue";
  return nullptr;
}

} // namespace

std::unique_ptr<clang::ASTConsumer>
clinch::engine::createRuleChecker(const CompileOptions &O, Violations &Found) {
  return std::make_unique<RuleConsumer>(O, Found);
}

void clinch::engine::mergeViolations(const CompileOptions &O,
                                     std::vector<clinch::Diagnostic> &Errors,
                                     Violations &Found) {
  RegionMap Regions(O.Regions);
  for (clinch::Diagnostic &D : Errors)
    if (const char *Keyword = strayJump(D); Keyword && Regions.find(D.Origin)) {
      Found.push_back(D);
      Found.back().Message = rules::noJump(Keyword);
    }
  std::set<std::pair<std::string, unsigned>> Lines;
  for (const clinch::Diagnostic &D : Found)
    Lines.emplace(D.Origin, D.Line);
  std::erase_if(Errors, [&](const clinch::Diagnostic &D) {
    return Lines.count({D.Origin, D.Line}) != 0;
  });
}
