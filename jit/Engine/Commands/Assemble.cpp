// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One file assembled by a command *- C++ -*.

#include "CompileCommand.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

using namespace clinch;
namespace options = clang::options;
using llvm::StringRef;

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
