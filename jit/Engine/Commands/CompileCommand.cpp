// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One file compiled by a command *- C++ -*.

#include "CompileCommand.h"
#include "../Options/Instance.h"
#include "lib/Support/Hash.h"

#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

using namespace clinch;
using namespace clinch::engine;
namespace frontend = clang::frontend;
using llvm::StringRef;
namespace options = clang::options;

namespace {

/// Compiles, and records whether the clock matters.
class RecordedAction : public clang::EmitObjAction {
public:
  explicit RecordedAction(ManifestRecorder &Recorder) : Recorder(Recorder) {}

protected:
  bool BeginSourceFileAction(clang::CompilerInstance &CI) override {
    watchBuiltinMacros(CI, Recorder);
    return EmitObjAction::BeginSourceFileAction(CI);
  }

private:
  ManifestRecorder &Recorder;
};

std::unique_ptr<clang::FrontendAction> actionOf(frontend::ActionKind Kind,
                                                ManifestRecorder &Recorder) {
  switch (Kind) {
  case frontend::EmitObj:
    return std::make_unique<RecordedAction>(Recorder);
  case frontend::EmitAssembly:
    return std::make_unique<clang::EmitAssemblyAction>();
  case frontend::EmitLLVM:
    return std::make_unique<clang::EmitLLVMAction>();
  case frontend::EmitBC:
    return std::make_unique<clang::EmitBCAction>();
  case frontend::PrintPreprocessedInput:
    return std::make_unique<clang::PrintPreprocessedAction>();
  case frontend::RunPreprocessorOnly:
    return std::make_unique<clang::PreprocessOnlyAction>();
  case frontend::ParseSyntaxOnly:
    return std::make_unique<clang::SyntaxOnlyAction>();
  case frontend::GeneratePCH:
    return std::make_unique<clang::GeneratePCHAction>();
  default:
    return nullptr;
  }
}

/// An instance by the arguments, or nothing with messages of what is wrong.
std::unique_ptr<clang::CompilerInstance>
instanceOf(llvm::ArrayRef<const char *> Arguments,
           llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS,
           clang::DiagnosticConsumer *Client) {
  auto Invocation = std::make_shared<clang::CompilerInvocation>();
  clang::DiagnosticOptions Options;
  clang::TextDiagnosticBuffer Early;
  clang::DiagnosticsEngine Engine(clang::DiagnosticIDs::create(), Options,
                                  &Early, /*ShouldOwnClient=*/false);
  const bool IsValid =
      clang::CompilerInvocation::CreateFromArgs(*Invocation, Arguments, Engine);
  auto CI = std::make_unique<clang::CompilerInstance>(std::move(Invocation));
  CI->setVirtualFileSystem(std::move(FS));
  CI->createDiagnostics(Client, /*ShouldOwnClient=*/false);
  Early.FlushDiagnostics(CI->getDiagnostics());
  return IsValid ? std::move(CI) : nullptr;
}

void setOfLLVM(const std::vector<std::string> &Arguments) {
  if (Arguments.empty())
    return;
  std::vector<const char *> Words = {"cc (LLVM option parsing)"};
  for (const std::string &Argument : Arguments)
    Words.push_back(Argument.c_str());
  llvm::cl::ParseCommandLineOptions(int(Words.size()), Words.data());
}

/// Options with which there are more outputs than the object, or inputs that
/// are read past the file system.
constexpr llvm::StringLiteral WithOtherFiles[] = {"-include-pch",
                                                  "-fplugin",
                                                  "-load",
                                                  "-fprofile-",
                                                  "-fmodule",
                                                  "-split-dwarf",
                                                  "-coverage-",
                                                  "-opt-record-file",
                                                  "-stack-usage-file",
                                                  "-serialize-diagnostic",
                                                  "-stats-file",
                                                  "-ftime-trace",
                                                  "-mllvm",
                                                  "-fthinlto-index"};

/// Options that print more than diagnostics.
constexpr llvm::StringLiteral Printing[] = {"-v", "-H", "-ftime-report",
                                            "-print-stats"};

/// Words whose next one is the name of an output.
constexpr llvm::StringLiteral Outputs[] = {"-o", "-dependency-file", "-MT"};

} // namespace

std::optional<std::string>
CompileCommand::keyOf(llvm::ArrayRef<const char *> Arguments,
                      const FileSystem &FS) {
  KeyBuilder Key;
  for (size_t I = 0; I != Arguments.size(); ++I) {
    const StringRef Word(Arguments[I]);
    if (llvm::is_contained(Printing, Word) ||
        llvm::any_of(WithOtherFiles,
                     [&](StringRef Begin) { return Word.starts_with(Begin); }))
      return std::nullopt;
    if (llvm::is_contained(Outputs, Word))
      ++I;
    else
      Key.add(std::string_view(Word));
  }
  clang::IgnoringDiagConsumer Silent;
  auto CI = instanceOf(Arguments, FS, &Silent);
  if (!CI || CI->getFrontendOpts().ProgramAction != frontend::EmitObj ||
      CI->getFrontendOpts().OutputFile.empty() ||
      CI->getFrontendOpts().OutputFile == "-")
    return std::nullopt;
  for (const auto &Input : CI->getFrontendOpts().Inputs) {
    // What is no file, such as standard input, is read once.
    if (!Input.isFile() || !llvm::sys::fs::is_regular_file(Input.getFile()))
      return std::nullopt;
    auto Text = FS->getBufferForFile(Input.getFile());
    if (!Text)
      return std::nullopt;
    // Two programs that name their files alike do not share one entry.
    Key.add(std::string_view((*Text)->getBuffer()));
  }
  return Key.finish();
}

int CompileCommand::compile(llvm::ArrayRef<const char *> Arguments,
                            const FileSystem &FS) {
  auto CI = instanceOf(Arguments, FS, nullptr);
  if (!CI)
    return 1;
  setOfLLVM(CI->getFrontendOpts().LLVMArgs);
  if (CI->getCodeGenOpts().TimePasses)
    CI->createFrontendTimer();
  auto Action = actionOf(CI->getFrontendOpts().ProgramAction, FS->Recorder);
  if (!Action) {
    llvm::errs() << "cc: error: what is asked for is none of -c, -S, -E, -M, "
                    "-emit-llvm, -fsyntax-only and a precompiled header\n";
    return 1;
  }
  const bool Worked = CI->ExecuteAction(*Action);
  const clang::DiagnosticConsumer &Said = CI->getDiagnosticClient();
  if (!Worked || Said.getNumErrors())
    return 1;
  // Not to be stored; a warning is to be seen each time.
  return Said.getNumWarnings() ? -1 : 0;
}

/// Writes aside and renames, as Clang does.
static bool write(const std::string &Path, StringRef Bytes) {
  llvm::Expected<llvm::sys::fs::TempFile> File =
      llvm::sys::fs::TempFile::create(Path + "-%%%%%%%%.tmp");
  if (!File) {
    llvm::consumeError(File.takeError());
    return false;
  }
  llvm::raw_fd_ostream OS(File->FD, /*shouldClose=*/false);
  OS << Bytes;
  OS.flush();
  const bool Failed = OS.has_error();
  OS.clear_error();
  llvm::Error Lost = Failed ? File->discard() : File->keep(Path);
  const bool Kept = !Failed && !Lost;
  llvm::consumeError(std::move(Lost));
  return Kept;
}

/// Writes the list of files that `make` reads, if one is wanted. Returns false
/// if that fails.
static bool
writeDependencies(llvm::ArrayRef<const char *> Arguments,
                  const llvm::IntrusiveRefCntPtr<EngineFileSystem> &FS) {
  clang::IgnoringDiagConsumer Silent;
  auto CI = instanceOf(Arguments, FS, &Silent);
  clang::PreprocessOnlyAction Preprocess;
  return CI && (CI->getDependencyOutputOpts().OutputFile.empty() ||
                (CI->ExecuteAction(Preprocess) &&
                 !CI->getDiagnostics().hasErrorOccurred()));
}

int CompileCommand::run(llvm::ArrayRef<const char *> Arguments) const {
  const auto FS = llvm::makeIntrusiveRefCnt<EngineFileSystem>(Files);
  const llvm::SaveAndRestore<llvm::vfs::FileSystem *> Shown(filesOfThread(),
                                                            FS.get());
  const auto At = llvm::find_if(
      Arguments, [](const char *Word) { return StringRef(Word) == "-o"; });
  const std::optional<std::string> Key =
      Store.Find && At != Arguments.end() ? keyOf(Arguments, FS) : std::nullopt;
  const std::string Output = Key ? At[1] : "";
  if (Key)
    if (std::optional<std::string> Object = Store.Find(*Key);
        Object && writeDependencies(Arguments, FS) && write(Output, *Object))
      return 0;
  const int Status = compile(Arguments, FS);
  if (Key && Status == 0)
    if (auto Made = llvm::MemoryBuffer::getFile(Output))
      Store.Store(*Key, (*Made)->getBuffer().str(), FS->Recorder.finish());
  return Status > 0 ? Status : 0;
}

namespace {

int failed(StringRef What) {
  llvm::errs() << "cc: error: " << What << '\n';
  return 1;
}

/// Prints errors at the lines of the file.
class Handler : public llvm::DiagnosticHandler {
public:
  Handler(StringRef File, bool &Failed) : File(File), Failed(Failed) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &Info) override {
    const auto *Asm = llvm::dyn_cast<llvm::DiagnosticInfoSrcMgr>(&Info);
    if (!Asm)
      return false;
    const llvm::SMDiagnostic &D = Asm->getSMDiag();
    const bool IsError = Info.getSeverity() == llvm::DS_Error;
    llvm::errs() << File << ':' << D.getLineNo() << ':' << D.getColumnNo() + 1
                 << (IsError ? ": error: " : ": warning: ") << D.getMessage()
                 << '\n'
                 << D.getLineContents() << '\n';
    Failed |= IsError;
    return true;
  }

private:
  const StringRef File;
  bool &Failed;
};

} // namespace

int clinch::engine::assemble(llvm::ArrayRef<const char *> Arguments) {
  unsigned MissingAt = 0, Missing = 0;
  const llvm::opt::InputArgList Args = clang::getDriverOptTable().ParseArgs(
      Arguments, MissingAt, Missing,
      llvm::opt::Visibility(options::CC1AsOption));
  const StringRef Input = Args.getLastArgValue(options::OPT_INPUT);
  const llvm::Triple Triple(Args.getLastArgValue(options::OPT_triple));
  auto Text = llvm::MemoryBuffer::getFileOrSTDIN(Input, /*IsText=*/true);
  if (!Text)
    return failed("`" + Input.str() +
                  "` cannot be read: " + Text.getError().message());
  std::string Problem;
  const llvm::Target *T = llvm::TargetRegistry::lookupTarget(Triple, Problem);
  if (!T)
    return failed(Problem);
  const std::unique_ptr<llvm::TargetMachine> TM(T->createTargetMachine(
      Triple, Args.getLastArgValue(options::OPT_target_cpu),
      llvm::join(Args.getAllArgValues(options::OPT_target_feature), ","), {},
      llvm::Reloc::PIC_));
  // All of it is the assembly of a module that has nothing else.
  bool Failed = false;
  llvm::LLVMContext Context;
  Context.setDiagnosticHandler(std::make_unique<Handler>(Input, Failed));
  llvm::Module M(Input, Context);
  M.setTargetTriple(Triple);
  M.setDataLayout(TM->createDataLayout());
  M.setModuleInlineAsm((*Text)->getBuffer());
  std::error_code Lost;
  const StringRef Output = Args.getLastArgValue(options::OPT_o, "-");
  llvm::ToolOutputFile Out(Output, Lost, llvm::sys::fs::OF_None);
  if (Lost)
    return failed("`" + Output.str() +
                  "` cannot be written: " + Lost.message());
  llvm::legacy::PassManager Passes;
  llvm::SmallString<0> Object;
  llvm::raw_svector_ostream OS(Object);
  TM->addPassesToEmitFile(Passes, OS, nullptr,
                          llvm::CodeGenFileType::ObjectFile);
  Passes.run(M);
  if (Failed)
    return 1;
  Out.os() << Object;
  Out.keep();
  return 0;
}
