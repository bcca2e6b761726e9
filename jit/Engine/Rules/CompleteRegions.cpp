// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Directives, and regions that must be whole.

#include "CompleteRegions.h"
#include "../Diagnostics/FollowOnErrors.h"
#include "../Diagnostics/RuleMessages.h"

#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Scope.h"
#include "clang/Sema/Sema.h"

using namespace clinch;
using namespace clinch::engine;

static Directives &watchDirectives(clang::CompilerInstance &CI,
                                   const RegionMap &Regions) {
  auto Watching = std::make_unique<Directives>(CI, Regions);
  Directives &Result = *Watching;
  CI.getPreprocessor().addPPCallbacks(std::move(Watching));
  return Result;
}

CompleteRegions::CompleteRegions(clang::CompilerInstance &CI,
                                 const RegionMap &Regions)
    : CI(CI), Regions(Regions), Watched(watchDirectives(CI, Regions)) {
  CI.getPreprocessor().addCommentHandler(this);
  // All the rest of the text is in them, so nothing else is to be said.
  for (unsigned Open : {clang::diag::err_unterminated_block_comment,
                        clang::diag::err_unterminated_raw_string,
                        clang::diag::err_unterm_macro_invoc})
    CI.getDiagnostics().setSeverity(Open, clang::diag::Severity::Fatal, {});
  // What names a member so that lambdas can capture it, in any C++; a rule says
  // which member `=` does not copy.
  for (unsigned Said : {unsigned(clang::diag::compat_pre_cxx17_decomp_decl),
                        unsigned(clang::diag::ext_capture_binding),
                        unsigned(clang::diag::warn_deprecated_this_capture)})
    CI.getDiagnostics().setSeverity(Said, clang::diag::Severity::Ignored, {});
}

/// Fatal, so that Clang does not report what follows from it.
void CompleteRegions::fail(clang::SourceLocation Loc,
                           const std::string &Message) {
  report(CI, Loc, clang::DiagnosticsEngine::Fatal, Message);
}

bool CompleteRegions::HandleComment(clang::Preprocessor &,
                                    clang::SourceRange Comment) {
  const clang::SourceManager &SM = CI.getSourceManager();
  clang::SourceLocation Loc = Comment.getBegin();
  const Region *R = Regions.at(SM, Loc);
  if (R && SM.getCharacterData(Loc)[1] == '*' &&
      R != Regions.at(SM, Comment.getEnd().getLocWithOffset(-1)))
    fail(Loc, rules::commentNeverEnds());
  return false;
}

/// Keeps the last file: most tokens share the file or macro expansion of the
/// one before.
const Region *CompleteRegions::regionOf(clang::SourceLocation Loc) {
  const clang::SourceManager &SM = CI.getSourceManager();
  clang::FileID Of = SM.getFileID(Loc);
  if (Of == File)
    return Current;
  File = Of == SM.getMainFileID() ? clang::FileID() : Of;
  return Regions.at(SM, Loc);
}

bool CompleteRegions::accepts(const clang::Token &T) {
  const Region *R = regionOf(T.getLocation());
  Watched.leaveMacros(R);
  if (R != Current)
    enter(R);
  if (R)
    look(T);
  return !CI.getDiagnostics().hasFatalErrorOccurred();
}

/// Leaves the region before, and enters \p R, which may be none.
void CompleteRegions::enter(const Region *R) {
  if (!Open.empty())
    fail(Open.back().getLocation(), rules::neverClosed(Open.back().getKind()));
  Open.clear();
  Current = R;
  if (R && HasLabels)
    forgetLabels();
}

/// The labels of a text are its own, so the next may have the same. By now all
/// statements of the region before are complete.
void CompleteRegions::forgetLabels() {
  HasLabels = false;
  clang::Scope *Innermost = CI.getSema().getCurScope();
  clang::Scope *Function = Innermost ? Innermost->getFnParent() : nullptr;
  if (!Function)
    return;
  llvm::SmallVector<clang::LabelDecl *, 4> Known;
  for (clang::Decl *D : Function->decls())
    if (auto *Label = llvm::dyn_cast<clang::LabelDecl>(D);
        Label && Label->getStmt() &&
        Regions.at(CI.getSourceManager(), Label->getLocation()))
      Known.push_back(Label);
  for (clang::LabelDecl *Label : Known) {
    Function->RemoveDecl(Label);
    CI.getSema().IdResolver.RemoveDecl(Label);
  }
}

void CompleteRegions::look(const clang::Token &T) {
  switch (T.getKind()) {
  case clang::tok::l_brace:
  case clang::tok::l_paren:
  case clang::tok::l_square:
    Open.push_back(T);
    break;
  case clang::tok::r_brace:
    return close(T, clang::tok::l_brace);
  case clang::tok::r_paren:
    return close(T, clang::tok::l_paren);
  case clang::tok::r_square:
    return close(T, clang::tok::l_square);
  case clang::tok::colon:
    HasLabels = true;
    break;
  case clang::tok::percent:
    return lookForKey(T);
  default:
    if (T.is(clang::tok::unknown) || clang::tok::isStringLiteral(T.getKind()))
      lookAtLiteral(T);
  }
}

void CompleteRegions::close(const clang::Token &T,
                            clang::tok::TokenKind Opening) {
  if (Open.empty())
    return fail(T.getLocation(), rules::closesNothing(T.getKind()));
  if (!Open.back().is(Opening))
    return fail(T.getLocation(),
                rules::cannotClose(T.getKind(), Open.back().getKind()));
  Open.pop_back();
}

/// A string that is cut off by the end of its line is no known token; a raw
/// string may take the lines after the region, up to the next `"`.
void CompleteRegions::lookAtLiteral(const clang::Token &T) {
  const clang::SourceManager &SM = CI.getSourceManager();
  clang::SourceLocation Loc = T.getLocation();
  llvm::StringRef Text(SM.getCharacterData(Loc), T.getLength());
  Text = Text.drop_while([](char C) { return llvm::isAlnum(C); });
  if (T.is(clang::tok::unknown)
          ? Text.starts_with("\"") || (Text.starts_with("'") && Text != "''")
          : Loc.isFileID() &&
                Regions.at(SM, Loc.getLocWithOffset(int(T.getLength()) - 1)) !=
                    Current)
    fail(Loc, rules::literalNeverEnds(Text.front()));
}

bool CompleteRegions::isDeclared(llvm::StringRef Name) {
  clang::IdentifierInfo *Identifier =
      CI.getPreprocessor().getIdentifierInfo(Name);
  clang::Sema &S = CI.getSema();
  return Identifier->hasMacroDefinition() ||
         S.LookupSingleName(S.getCurScope(), Identifier, {},
                            clang::Sema::LookupOrdinaryName);
}

/// Reports a `%(key)s` that was not filled. In C it could only be `a %(b) s`,
/// which is invalid; `a %(fail)` is valid if there is a `fail`.
void CompleteRegions::lookForKey(const clang::Token &Percent) {
  const clang::SourceManager &SM = CI.getSourceManager();
  auto [In, At] = SM.getDecomposedSpellingLoc(Percent.getLocation());
  llvm::StringRef Rest = SM.getBufferData(In).substr(At);
  if (!Rest.consume_front("%("))
    return;
  llvm::StringRef Name =
      Rest.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
  Rest = Rest.drop_front(Name.size());
  if (Name.empty() || !Rest.consume_front(")"))
    return;
  bool Whole = Rest.starts_with("s");
  if (!Whole && (Name != "fail" || isDeclared(Name)))
    return;
  size_t Length = Name.size() + (Whole ? 4 : 3);
  clang::SourceLocation Loc = Percent.getLocation();
  clang::DiagnosticsEngine &Diags = CI.getDiagnostics();
  Diags.Report(Loc,
               Diags.getCustomDiagID(clang::DiagnosticsEngine::Fatal, "%0"))
      << (Whole ? rules::keyLeft(Name.str()) : rules::failLeft())
      << clang::FixItHint::CreateRemoval(clang::CharSourceRange::getCharRange(
             Loc, Loc.getLocWithOffset(int(Length))));
}

void clinch::engine::report(clang::CompilerInstance &CI,
                            clang::SourceLocation Loc,
                            clang::DiagnosticsEngine::Level Level,
                            const std::string &Message) {
  clang::DiagnosticsEngine &Diags = CI.getDiagnostics();
  Diags.Report(Loc, Diags.getCustomDiagID(Level, "%0")) << Message;
}

Directives::Directives(clang::CompilerInstance &CI, const RegionMap &Regions)
    : CI(CI), SM(CI.getSourceManager()), Regions(Regions) {}

/// Whether \p Loc is in the main file, but in no region.
bool Directives::isOurs(clang::SourceLocation Loc) const {
  return SM.isWrittenInMainFile(SM.getExpansionLoc(Loc)) &&
         !Regions.at(SM, Loc);
}

/// In Clinch's own text only macros of headers and of Clinch may expand; what a
/// region opens for the arguments of a macro, it closes.
void Directives::MacroExpands(const clang::Token &Name,
                              const clang::MacroDefinition &MD,
                              clang::SourceRange Range,
                              const clang::MacroArgs *Arguments) {
  if (Arguments &&
      Regions.at(SM, Range.getBegin()) != Regions.at(SM, Range.getEnd()))
    report(CI, openingOf(Range.getBegin(), SM, CI.getLangOpts()),
           clang::DiagnosticsEngine::Fatal,
           rules::neverClosed(clang::tok::l_paren));
  const clang::MacroInfo *Macro = MD.getMacroInfo();
  if (!Macro || SM.isLoadedSourceLocation(Macro->getDefinitionLoc()) ||
      SM.isInSystemHeader(Macro->getDefinitionLoc()) ||
      !isOurs(Name.getLocation()))
    return;
  if (Regions.at(SM, Macro->getDefinitionLoc()))
    report(CI, Macro->getDefinitionLoc(), clang::DiagnosticsEngine::Error,
           rules::macroOfOurs(Name.getIdentifierInfo()->getName().str()));
}

void Directives::MacroDefined(const clang::Token &Name,
                              const clang::MacroDirective *) {
  note(Name);
  const Region *R = Regions.at(SM, Name.getLocation());
  if (R && R->Kind == Region::Role::Declarations)
    Declared.push_back(Macros.back());
}

void Directives::leaveMacros(const Region *Current) {
  std::erase_if(Declared, [&](const NamedMacros::value_type &Macro) {
    const auto &[Name, Loc] = Macro;
    if (Regions.at(SM, Loc) == Current)
      return false;
    clang::Preprocessor &PP = CI.getPreprocessor();
    const clang::MacroInfo *Now = PP.getMacroInfo(PP.getIdentifierInfo(Name));
    if (Now && Now->getDefinitionLoc() == Loc)
      report(CI, Loc, clang::DiagnosticsEngine::Error,
             rules::neverUndefined(Name));
    return true;
  });
}

/// The `#endif` of another author may end what a region has left open.
void Directives::Endif(clang::SourceLocation Loc, clang::SourceLocation If) {
  if (Regions.at(SM, If) != Regions.at(SM, Loc))
    report(CI, If, clang::DiagnosticsEngine::Fatal, rules::ifNeverClosed());
}

void Directives::note(const clang::Token &Name) {
  if (Regions.at(SM, Name.getLocation()))
    Macros.emplace_back(Name.getIdentifierInfo()->getName().str(),
                        Name.getLocation());
}

void Directives::PragmaDirective(clang::SourceLocation Loc,
                                 clang::PragmaIntroducerKind) {
  if (Regions.at(SM, Loc))
    LastPragma = Loc;
}

/// Returns the pragma that changes the meaning of declarations or expressions;
/// invalid if there is none.
clang::SourceLocation Directives::pragmaInForce() const {
  clang::Sema &S = CI.getSema();
  if (S.AlignPackStack.hasValue() || !S.AlignPackStack.Stack.empty())
    return S.AlignPackStack.hasValue()
               ? S.AlignPackStack.CurrentPragmaLocation
               : S.AlignPackStack.Stack.back().PragmaPushLocation;
  if (S.getOptimizeOffPragmaLocation().isValid())
    return S.getOptimizeOffPragmaLocation();
  for (const auto *Section :
       {&S.PragmaClangBSSSection, &S.PragmaClangDataSection,
        &S.PragmaClangRodataSection, &S.PragmaClangRelroSection,
        &S.PragmaClangTextSection})
    if (Section->Valid)
      return Section->PragmaLocation;
  bool Others = S.VisContext || S.MSStructPragmaOn ||
                S.CurFPFeatures != clang::FPOptions(S.getLangOpts());
  return Others ? LastPragma : clang::SourceLocation();
}

void Directives::lookAtPragmas(clang::SourceLocation At) {
  if (LastPragma.isInvalid() || Regions.at(SM, At))
    return;
  clang::SourceLocation Loc = pragmaInForce();
  if (Loc.isValid() && Regions.at(SM, Loc))
    report(CI, Loc, clang::DiagnosticsEngine::Warning, rules::pragmaInForce());
  LastPragma = {};
}
