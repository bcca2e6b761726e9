//===- Worker.cpp - One compile at a time -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include "Clock.h"
#include "DiagnosticCollector.h"
#include "EngineFileSystem.h"
#include "Frontend.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <optional>

using namespace clinch;
using namespace clinch::engine;

namespace {

constexpr size_t MostBackends = 8;

/// Without a handler LLVM ends the process at a back-end error.
void onBackendDiagnostic(const llvm::DiagnosticInfo *Info, void *Context) {
  if (Info->getSeverity() != llvm::DS_Error &&
      Info->getSeverity() != llvm::DS_Warning)
    return;
  clinch::Diagnostic D;
  D.Level = Info->getSeverity() == llvm::DS_Error ? Severity::Error
                                                  : Severity::Warning;
  llvm::raw_string_ostream OS(D.Message);
  llvm::DiagnosticPrinterRawOStream Printer(OS);
  Info->print(Printer);
  static_cast<DiagnosticCollector *>(Context)->add(std::move(D));
}

bool keeps(const CompileOptions &O, Stage S) {
  return std::find(O.Keep.begin(), O.Keep.end(), S) != O.Keep.end();
}

std::string textOf(const llvm::Module &M) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  M.print(OS, nullptr);
  return Text;
}

Error compileError(DiagnosticCollector &Diags, const CompileOptions &O = {},
                   Violations Broken = {}) {
  std::vector<clinch::Diagnostic> Errors = Diags.takeErrors();
  mergeViolations(O, Errors, Broken);
  if (size_t Count = Broken.size()) {
    for (clinch::Diagnostic &D : Errors)
      Broken.push_back(std::move(D));
    return Error(ErrorKind::Rule,
                 "The text breaks a rule in " + std::to_string(Count) +
                     (Count == 1 ? " place." : " places."),
                 std::move(Broken));
  }
  size_t Count = Errors.size();
  return Error(ErrorKind::Compile,
               "The text does not compile: " + std::to_string(Count) +
                   (Count == 1 ? " error." : " errors."),
               std::move(Errors));
}

} // namespace

Backend *Worker::backend(const Plan &P, const llvm::Module &M,
                         const std::string &CPU, const std::string &Features) {
  std::string Key =
      CPU + "|" + Features + "|" + std::to_string(int(P.CodeGen)) +
      std::to_string(int(P.Optimise)) + std::to_string(int(P.VectorMath));
  std::unique_ptr<Backend> &Slot = Backends[Key];
  if (!Slot)
    Slot = Backend::create(M.getTargetTriple(), CPU, Features, P);
  return Slot.get();
}

Expected<EngineResult> Worker::work(const SourceText &Text,
                                    const CompileOptions &O, const Plan &P,
                                    const std::string &PrefixPath) {
  DiagnosticCollector Diags;
  llvm::LLVMContext Context;
  Context.setDiagnosticHandlerCallBack(onBackendDiagnostic, &Diags);
  auto FS = llvm::makeIntrusiveRefCnt<EngineFileSystem>(Archives);
  ParsedModule Parsed = parse(Text, O, P, PrefixPath, FS, Context, Diags);
  if (!Parsed.IR)
    return compileError(Diags, O, std::move(Parsed.Broken));
  EngineResult Result;
  llvm::Module &M = *Parsed.IR;
  if (Backends.size() > MostBackends)
    Backends.clear();
  Backend *B = backend(P, M, Parsed.CPU, Parsed.Features);
  if (!B)
    return Error(ErrorKind::Compile, "There is no back end for `" +
                                         M.getTargetTriple().str() + "`.");
  if (keeps(O, Stage::LLVM))
    Result.Kept.emplace_back(Stage::LLVM, textOf(M));
  double OptMs = 0, CodeGenMs = 0;
  {
    Timer T(OptMs);
    B->prepare(M);
    B->optimise(M);
  }
  if (keeps(O, Stage::LLVMOpt))
    Result.Kept.emplace_back(Stage::LLVMOpt, textOf(M));
  llvm::SmallString<0> Object;
  {
    Timer T(CodeGenMs);
    B->emit(M, llvm::CodeGenFileType::ObjectFile, Object);
  }
  if (Diags.hasErrors())
    return compileError(Diags);
  Result.Object = Object.str().str();
  Result.Warnings = P.Warnings;
  for (clinch::Diagnostic &D : Diags.takeWarnings())
    Result.Warnings.push_back(std::move(D));
  Result.Files = FS->dependencies();
  Result.Times = {{"parse", Parsed.ParseMs},
                  {"irgen", Parsed.IRGenMs},
                  {"opt", OptMs},
                  {"codegen", CodeGenMs}};
  return Result;
}

Expected<EngineResult> Worker::compile(const SourceText &Text,
                                       const CompileOptions &O, const Plan &P,
                                       const std::string &PrefixPath) {
  if (!Stack)
    return Error(ErrorKind::Limit, "There is no memory for a compile's stack.");
  std::optional<Expected<EngineResult>> Result;
  std::string Crash =
      runGuarded(Stack, [&] { Result.emplace(work(Text, O, P, PrefixPath)); });
  if (Crash.empty())
    return std::move(*Result);
  Usable = false;
  return Error(ErrorKind::Crash,
               "The compiler crashed over this text: " + Crash + ".");
}
