// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Types and Ops ask of the module, and which hook did.

#include "Globals.h"
#include "Builder.h"
#include "lib/Contract/PythonPrefix.h"
#include "lib/Contract/Version.h"

#include <algorithm>
#include <set>
#include <string_view>

using namespace clinch;

static Error twoLanguages(const CodeProvider &One, const std::string &Its,
                          const CodeProvider &Other,
                          const std::string &Others) {
  return Error(Error::Kind::Hook,
               hookOrigin(One, "c_compiler", "") + " asks for `" + Its +
                   "`, but " + hookOrigin(Other, "c_compiler", "") +
                   " asks for `" + Others + "`; one thunk has one language");
}

/// Returns the language of code that asks for one and of code that asks for the
/// other; none if there is no such. CUDA is C++ with kernels.
static std::string both(const std::string &One, const std::string &Other) {
  if (One == Other || Other.empty())
    return One;
  return One == "c" || Other == "c" ? "" : "cuda";
}

/// Any Type or Op may ask for a language; all must ask for the same.
Status Builder::chooseLanguage() {
  const CodeProvider *Voter = nullptr;
  std::string Vote, Language;
  for (const CodeProvider *C : Providers) {
    CLINCH_TRY_ASSIGN(std::string Wish, C->c_compiler());
    if (Wish.empty())
      continue;
    if (Wish != "c" && Wish != "c++" && Wish != "cuda")
      return Error(Error::Kind::Hook, hookOrigin(*C, "c_compiler", "") +
                                          " returned `" + Wish +
                                          "`; expected `c`, `c++` or `cuda`");
    Language = both(Wish, Language);
    if (Language.empty())
      return twoLanguages(*C, Wish, *Voter, Vote);
    Voter = C;
    Vote = Wish;
  }
  if (!Voter)
    Language = O.Lang == clinch::Language::CXX ? "c++" : "c";
  P.Options.Lang =
      Language == "c" ? clinch::Language::C : clinch::Language::CXX;
  P.Options.Launches = Language == "cuda";
  if (P.Options.Launches) // Whoever compiles it may know a better one.
    P.Options.Device = "sm_75";
  CompilerName = std::move(Language);
  return Status::success();
}

/// Appends what is not there yet, in order.
static Status append(std::vector<std::string> &To, CodeProvider::Strings From) {
  if (!From)
    return From.takeError();
  for (std::string &S : *From)
    if (std::find(To.begin(), To.end(), S) == To.end())
      To.push_back(std::move(S));
  return Status::success();
}

void Builder::addInclude(const std::string &Header, const CodeProvider *C) {
  if (Header.empty())
    return;
  std::string Quoted = Header.front() == '<' || Header.front() == '"'
                           ? Header
                           : "\"" + Header + "\"";
  for (const Include &I : P.Includes)
    if (I.Header == Quoted)
      return;
  P.Includes.push_back({std::move(Quoted),
                        {C, "c_headers"},
                        C ? hookOrigin(*C, "c_headers", "") : ""});
}

Status Builder::addFolders(const CodeProvider &C) {
  CompileOptions &Out = P.Options;
  CLINCH_TRY(append(Out.IncludeDirs, C.c_header_dirs(CompilerName)));
  CLINCH_TRY(append(Out.Libraries, C.c_libraries(CompilerName)));
  CLINCH_TRY(append(Out.LibraryDirs, C.c_lib_dirs(CompilerName)));
  CLINCH_TRY(append(Out.Flags, C.c_compile_args(CompilerName)));
  return append(Out.ForbiddenFlags, C.c_no_compile_args(CompilerName));
}

/// Equal texts are emitted once, however many authors gave them.
void Builder::addGlobal(std::vector<GlobalPiece> &List, Piece Text,
                        const CodeProvider &C, const Apply *A,
                        const std::string &Subject) {
  if (Text.empty())
    return;
  bool IsInit = &List == &P.InitCode || &List == &ApplyInit;
  if (!SeenGlobals.emplace(IsInit, Text.Text).second)
    return;
  std::string Origin = hookOrigin(C, Text.Hook, Subject);
  Author Whose{&C, Text.Hook, Subject, 0, A ? AppliesDone : 0, fileOf(Text)};
  List.push_back({std::move(Text), std::move(Whose), std::move(Origin)});
}

Status Builder::addTexts(std::vector<GlobalPiece> &List,
                         CodeProvider::Strings Texts, const char *Hook,
                         const CodeProvider &C) {
  if (!Texts)
    return Texts.takeError();
  for (std::string &Text : *Texts) {
    Piece One;
    One.Hook = Hook;
    One.Text = std::move(Text);
    CLINCH_TRY(check(One, C, ""));
    addGlobal(List, std::move(One), C, nullptr, "");
  }
  return Status::success();
}

Status Builder::addProvider(const CodeProvider &C) {
  CLINCH_TRY_ASSIGN(std::vector<std::string> Headers,
                    C.c_headers(CompilerName));
  for (const std::string &Header : Headers)
    addInclude(Header, &C);
  CLINCH_TRY(addFolders(C));
  CLINCH_TRY(addTexts(P.Support, C.c_support_code(), "c_support_code", C));
  return addTexts(P.InitCode, C.c_init_code(), "c_init_code", C);
}

/// If any version is empty, no copy is kept on disk.
Status Builder::addVersion(const CodeProvider &C,
                           Expected<std::string> Version) {
  CLINCH_TRY_ASSIGN(std::string Text, std::move(Version));
  if (!isVersion(Text))
    P.Options.UseDiskCache = false;
  P.Versions += C.className();
  P.Versions += Text;
  P.Versions += ';';
  return Status::success();
}

Status Builder::addGlobals() {
  P.Options.Prefix = PythonPrefix;
  P.Options.FailureVariable = "failure";
  P.Options.IncludeDirs = O.ExtraHeaderDirs;
  for (const std::string &Header : O.ExtraHeaders)
    addInclude(Header, nullptr);
  CLINCH_TRY(chooseLanguage());
  for (const CodeProvider *C : Providers) {
    CLINCH_TRY(addProvider(*C));
    const auto *T = dynamic_cast<const Type *>(C);
    if (!T) // An Op's version may depend on the apply.
      continue;
    P.KeepCode |= T->keepsCode();
    CLINCH_TRY(addVersion(*T, T->c_code_cache_version()));
  }
  for (GlobalPiece &G : ApplySupport)
    P.Support.push_back(std::move(G));
  for (GlobalPiece &G : ApplyInit)
    P.InitCode.push_back(std::move(G));
  for (const GlobalPiece &G : P.Support)
    P.Macros.add(G.Text.Text);
  for (const StructPiece &S : P.StructSupport)
    P.Macros.add(S.Global.Text.Text);
  return checkStructCode();
}

/// Clang names a whole argument, or the part after its `=`.
static bool isAbout(const Error &E, std::string_view Given) {
  std::string_view Value = Given.substr(Given.find('=') + 1);
  return std::any_of(E.arguments().begin(), E.arguments().end(),
                     [&](const std::string &A) {
                       return !A.empty() && (A == Given || A == Value);
                     });
}

static void addGiver(Error &E, const CodeProvider &C, const char *Hook,
                     const CodeProvider::Strings &Given) {
  if (!Given)
    return;
  for (const std::string &Each : *Given) {
    if (!isAbout(E, Each))
      continue;
    Diagnostic D;
    D.Origin = "`" + C.className() + "." + Hook + "`";
    D.Class = C.className();
    D.Hook = Hook;
    D.Message = "`" + Each + "` is given here";
    E.diagnostics().push_back(std::move(D));
  }
}

Error clinch::addFlagOrigins(Error E, const Graph &G) {
  if (E.kind() != Error::Kind::InvalidArgument && E.kind() != Error::Kind::Link)
    return E;
  std::set<const CodeProvider *> Asked;
  auto Ask = [&](const CodeProvider &C) {
    if (!Asked.insert(&C).second)
      return;
    if (E.kind() == Error::Kind::Link)
      addGiver(E, C, "c_libraries", C.c_libraries("c"));
    else
      addGiver(E, C, "c_compile_args", C.c_compile_args("c"));
  };
  for (const Variable &V : G.variables())
    Ask(V.type());
  for (const Apply &A : G.applies())
    Ask(A.op());
  if (E.kind() == Error::Kind::Link || E.diagnostics().empty())
    return E;
  return {Error::Kind::Compile, E.message(), std::move(E.diagnostics())};
}
