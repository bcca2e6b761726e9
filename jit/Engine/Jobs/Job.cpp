// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One compile of a text to an object.

#include "Job.h"

#include "../Device/Kernels.h"
#include "../Diagnostics/DiagnosticCollector.h"
#include "../Files/EngineFileSystem.h"
#include "../Files/PrefixPaths.h"
#include "../Frontend/Watchers.h"
#include "../Options/Invocations.h"
#include "../Simulate/Simulate.h"
#include "lib/Support/Faults.h"
#include "lib/Support/FunctionsSection.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <algorithm>

using namespace clinch;
using namespace clinch::engine;

namespace {

bool wanted(const CompileOptions &O, Stage S) {
  return std::find(O.Keep.begin(), O.Keep.end(), S) != O.Keep.end();
}

Error compileError(DiagnosticCollector &Diags, Violations Broken = {}) {
  std::vector<clinch::Diagnostic> Errors = Diags.takeErrors();
  mergeViolations(Diags.takeBroken(), Errors, Broken);
  if (Broken.empty()) {
    std::string Message = faultCount(Error::Kind::Compile, Errors.size());
    return Error(Error::Kind::Compile, std::move(Message), std::move(Errors));
  }
  std::string Message = faultCount(Error::Kind::Rule, Broken.size());
  for (clinch::Diagnostic &D : Errors)
    Broken.push_back(std::move(D));
  return Error(Error::Kind::Rule, std::move(Message), std::move(Broken));
}

} // namespace

Job::Job(const FileSources &Files, llvm::LLVMContext &Context,
         KnownTarget &Target)
    : Context(Context), Target(Target),
      FS(llvm::makeIntrusiveRefCnt<EngineFileSystem>(Files)) {
  Context.setDiagnosticHandler(
      std::make_unique<RemarkHandler>(onBackendDiagnostic, this, nullptr));
}

/// Without a handler LLVM ends the process at a back-end error.
void Job::onBackendDiagnostic(const llvm::DiagnosticInfo *Info, void *TheJob) {
  if (Info->getSeverity() != llvm::DS_Error &&
      Info->getSeverity() != llvm::DS_Warning)
    return;
  auto *J = static_cast<Job *>(TheJob);
  clinch::Diagnostic::Severity Level =
      Info->getSeverity() == llvm::DS_Error
          ? clinch::Diagnostic::Severity::Error
          : clinch::Diagnostic::Severity::Warning;
  const auto *Asm = llvm::dyn_cast<llvm::DiagnosticInfoSrcMgr>(Info);
  if (Asm && J->Parsed.Instance) {
    auto Loc = clang::SourceLocation::getFromRawEncoding(
        static_cast<clang::SourceLocation::UIntTy>(Asm->getLocCookie()));
    const clang::SourceManager &SM = J->Parsed.Instance->getSourceManager();
    J->Diags.addAt(
        SM, J->Parsed.Instance->getLangOpts(), Loc,
        diagnosticAt(SM, Loc, Level, Asm->getSMDiag().getMessage().str()));
    return;
  }
  clinch::Diagnostic D;
  D.Level = Level;
  llvm::raw_string_ostream OS(D.Message);
  llvm::DiagnosticPrinterRawOStream Printer(OS);
  Info->print(Printer);
  J->Diags.add(std::move(D));
}

Status Job::parse(const SourceText &Text, const CompileOptions &O,
                  const Plan &P) {
  CLINCH_TRY(RegionMap::check(O.Regions, Text.Text));
  Regions.emplace(O.Regions);
  Diags.setRegions(Regions->empty() ? nullptr : &*Regions);
  Parsed = engine::parse(Text, O, P, FS, Context, Target, *Regions, Diags);
  if (!Parsed.IR)
    return compileError(Diags, std::move(Parsed.Broken));
  return Status::success();
}

Status Job::parseForDebugger(const SourceText &Text, const CompileOptions &O,
                             const Plan &P, const std::string &Folder) {
  CLINCH_TRY_ASSIGN(SourceText File, writeDebugSource(Text, O.Lang, Folder));
  Parsed =
      engine::parse(File, O, P, FS, Context, Target, *Regions, SecondDiags);
  if (!Parsed.IR)
    return compileError(SecondDiags);
  return Status::success();
}

void Job::keep(const CompileOptions &O, Stage S) {
  if (!wanted(O, S))
    return;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Parsed.IR->print(OS, nullptr);
  Result.Kept.emplace_back(S, std::move(Text));
}

Job::~Job() {
  Parsed.IR.reset();
  Kernels.reset();
  Context.setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>());
}

void Job::setKernels(std::unique_ptr<llvm::Module> Simulated) {
  unloadWithCode(*Parsed.IR);
  Kernels = std::move(Simulated);
  if (Kernels)
    useSimulator(*Parsed.IR);
  else
    useDriver(*Parsed.IR);
}

Status Job::generate(Backend &B, const CompileOptions &O, bool Again) {
  const llvm::SaveAndRestore<llvm::vfs::FileSystem *> Files(filesOfThread(),
                                                            FS.get());
  llvm::Module &M = *Parsed.IR;
  keep(O, Stage::LLVM);
  if (wanted(O, Stage::Remarks))
    Context.setDiagnosticHandler(
        std::make_unique<RemarkHandler>(onBackendDiagnostic, this, &Remarks));
  double OptMs = 0, CodeGenMs = 0;
  {
    Timer T(OptMs);
    B.prepare(M);
    B.optimise(M, /*Assembled=*/!Regions->empty());
    if (Kernels)
      linkProgram(M, std::move(Kernels));
  }
  keep(O, Stage::LLVMOpt);
  if (wanted(O, Stage::Asm)) {
    // Code generation changes the module.
    std::unique_ptr<llvm::Module> Copy = llvm::CloneModule(M);
    Result.Kept.emplace_back(
        Stage::Asm, B.emit(*Copy, llvm::CodeGenFileType::AssemblyFile));
  }
  if (!Parsed.Functions.empty())
    llvm::embedBufferInModule(M, {Parsed.Functions, "functions"},
                              FunctionsSection);
  {
    Timer T(CodeGenMs);
    Result.Object =
        Again ? B.emitAgain(M) : B.emit(M, llvm::CodeGenFileType::ObjectFile);
  }
  if (Diags.hasErrors())
    return compileError(Diags);
  if (wanted(O, Stage::Obj))
    Result.Kept.emplace_back(Stage::Obj, Result.Object);
  if (wanted(O, Stage::Declarations))
    Result.Kept.emplace_back(Stage::Declarations,
                             std::move(Parsed.Declarations));
  if (wanted(O, Stage::Remarks))
    Result.Kept.emplace_back(Stage::Remarks, std::move(Remarks));
  Result.Times = {{"parse", Parsed.ParseMs},
                  {"irgen", Parsed.IRGenMs},
                  {"opt", OptMs},
                  {"codegen", CodeGenMs}};
  return Status::success();
}

/// Says where the text uses what a device has not.
Status Job::missing(const std::vector<std::string> &Symbols) {
  for (const std::string &Symbol : Symbols) {
    clinch::Diagnostic D;
    for (const clinch::Diagnostic &Use : Parsed.Uses)
      if (Use.Message == Symbol)
        D = Use;
    D.Level = clinch::Diagnostic::Severity::Error;
    D.Message = "`" + llvm::demangle(Symbol) +
                "` is used on the device, and nothing defines it there.";
    Diags.add(std::move(D));
  }
  for (const llvm::GlobalVariable &G : Parsed.IR->globals())
    if (G.isThreadLocal()) {
      clinch::Diagnostic D;
      D.Message = "`" + llvm::demangle(G.getName().str()) +
                  "` is thread_local, and a device has no such variables.";
      Diags.add(std::move(D));
    }
  return !Diags.hasErrors() ? Status::success() : Status(compileError(Diags));
}

/// A kernel is a line of fields that tabs separate: its symbol, name, bytes of
/// shared variables, then size and alignment of each parameter.
static std::string kernelLines(const llvm::Module &M) {
  std::string Lines;
  for (const Kernel &K : kernelsOf(M)) {
    Lines += K.Symbol + '\t' + K.Name + '\t' + std::to_string(K.SharedBytes);
    for (const Kernel::Parameter &P : K.Parameters)
      Lines += '\t' + std::to_string(P.Size) + ':' + std::to_string(P.Align);
    Lines += '\n';
  }
  return Lines;
}

/// Optimises for a device. A macro names the file with NVIDIA's functions where
/// they are asked for in place of lib/Math's.
static Status optimiseForDevice(DeviceBackend &B, llvm::Module &M,
                                const CompileOptions &O, EngineFileSystem &FS) {
  std::unique_ptr<llvm::MemoryBuffer> Libdevice;
  for (llvm::StringRef Define : O.Defines) {
    if (!Define.consume_front("__CLINCH_LIBDEVICE__="))
      continue;
    const llvm::StringRef Path = Define.trim('"');
    auto Read = FS.getBufferForFile(Path); // It is a dependency then.
    if (!Read)
      return Error(Error::Kind::IO, "`" + Path.str() + "` cannot be read: " +
                                        Read.getError().message() + ".");
    Libdevice = std::move(*Read);
  }
  if (B.optimise(M, Libdevice.get()))
    return Status::success();
  return Error(
      Error::Kind::IO,
      "`" + Libdevice->getBufferIdentifier().str() +
          "` has no device functions: it is no libdevice of NVIDIA's.");
}

Status Job::generateForDevice(DeviceBackend &B, Backend *Host,
                              const CompileOptions &O) {
  const llvm::SaveAndRestore<llvm::vfs::FileSystem *> Files(filesOfThread(),
                                                            FS.get());
  llvm::Module &M = *Parsed.IR;
  keep(O, Stage::LLVM);
  if (O.Check)
    prepareChecks(M);
  double OptMs = 0, CodeGenMs = 0;
  {
    Timer T(OptMs);
    CLINCH_TRY(optimiseForDevice(B, M, O, *FS));
  }
  CLINCH_TRY(missing(missingOnDevice(M)));
  keep(O, Stage::LLVMOpt);
  // Behind an empty line, the functions and types that the kernels take.
  Result.Kept.emplace_back(Stage::Declarations,
                           kernelLines(M) + '\n' + Parsed.Functions);
  {
    Timer T(CodeGenMs);
    if (Host) {
      CLINCH_TRY(simulate(M, Host->machine(),
                          {O.Check, sharedLimit(O.Device), PrefixInputName}));
      if (O.Launches)
        return Status::success();
      llvm::embedBufferInModule(M, {Parsed.Functions, "functions"},
                                FunctionsSection);
      Result.Object = Host->emit(M, llvm::CodeGenFileType::ObjectFile);
    } else {
      Result.Object = B.emit(M);
    }
  }
  if (Diags.hasErrors())
    return compileError(Diags);
  Result.Times = {{"parse", Parsed.ParseMs},
                  {"irgen", Parsed.IRGenMs},
                  {"opt", OptMs},
                  {"codegen", CodeGenMs}};
  return Status::success();
}

EngineResult Job::finish(const Plan &P) {
  Result.Warnings = P.Warnings;
  for (clinch::Diagnostic &D : Diags.takeWarnings())
    Result.Warnings.push_back(std::move(D));
  Result.Uses = std::move(Parsed.Uses);
  Result.Inputs = FS->Recorder.finish();
  if (P.Own)
    Result.Inputs.add(P.Own->Inputs);
  return std::move(Result);
}
