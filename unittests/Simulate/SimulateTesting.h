// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device IR that runs here.

#pragma once

#include "jit/Engine/Simulate/Simulate.h"
#include "jit/Simulate/Launch.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace clinch::testing {

/// A program of kernels, written as lines of IR. `{N}` at the end of a line is
/// its place: line N of "k.cu".
class Simulated {
public:
  Simulated(const std::string &Body, bool Checks) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto Context = std::make_unique<llvm::LLVMContext>();
    llvm::SMDiagnostic Problem;
    auto M = llvm::parseAssemblyString(withLines(Body), Problem, *Context);
    if (!M) {
      ADD_FAILURE() << Problem.getMessage().str() << ": "
                    << Problem.getLineContents().str();
      return;
    }
    auto Builder =
        llvm::cantFail(llvm::orc::JITTargetMachineBuilder::detectHost());
    auto TM = llvm::cantFail(Builder.createTargetMachine());
    engine::Simulation S;
    S.Checks = Checks;
    S.SharedLimit = 65536;
    if (Status Done = engine::simulate(*M, *TM, S); !Done) {
      Refused = Done.error().render();
      return;
    }
    Jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
    defineCalls();
    llvm::cantFail(Jit->addIRModule(llvm::orc::ThreadSafeModule(
        std::move(M), llvm::orc::ThreadSafeContext(std::move(Context)))));
    P = llvm::cantFail(Jit->lookup(simulate::ProgramSymbol))
            .toPtr<const simulate::Program *>();
  }

  /// Runs `k`; returns the findings, a line each, or what was printed.
  std::string run(simulate::LaunchOptions O, std::vector<void *> Arguments) {
    if (!P)
      return "no program: " + Refused;
    std::string Printed, Text;
    O.Printed = &Printed;
    Status Done = simulate::launch(*P, "k", O, Arguments);
    if (Done)
      return Printed;
    for (const Diagnostic &D : Done.error().diagnostics())
      Text += std::to_string(D.Line) + ": " + D.Message + "\n";
    return Text.empty() ? Done.error().message() : Text;
  }

  std::string Refused;

private:
  static std::string withLines(const std::string &Body) {
    std::string Text = "target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:"
                       "256-v16:16-v32:32-n16:32:64\"\n"
                       "target triple = \"nvptx64-nvidia-cuda\"\n";
    std::string Places;
    unsigned Next = 10;
    for (size_t At = 0; At < Body.size(); ++At) {
      const size_t End = Body[At] == '{' ? Body.find('}', At) : Body.npos;
      if (Body[At] != '{' || !std::isdigit(Body[At + 1])) {
        Text += Body[At];
        continue;
      }
      Text += ", !dbg !" + std::to_string(Next);
      Places += "!" + std::to_string(Next++) +
                " = !DILocation(line: " + Body.substr(At + 1, End - At - 1) +
                ", column: 1, scope: !3)\n";
      At = End;
    }
    return Text + Places + R"(
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "k.cu", directory: "/")
!3 = distinct !DISubprogram(name: "k", file: !2, line: 1, type: !4, unit: !1, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{}
)";
  }

  void defineCalls() {
    llvm::orc::SymbolMap Symbols;
    for (const char *Name :
         {"clinch_sim_self", "clinch_sim_barrier", "clinch_sim_warp",
          "clinch_sim_access", "clinch_sim_callee", "clinch_sim_poll",
          "clinch_sim_fence", "clinch_sim_idle", "clinch_sim_print",
          "clinch_sim_assert", "clinch_sim_trap", "clinch_sim_exit"})
      Symbols[Jit->mangleAndIntern(Name)] = {
          llvm::orc::ExecutorAddr::fromPtr(simulate::findSimulation(Name)),
          llvm::JITSymbolFlags::Exported};
    llvm::cantFail(Jit->getMainJITDylib().define(
        llvm::orc::absoluteSymbols(std::move(Symbols))));
  }

  std::unique_ptr<llvm::orc::LLJIT> Jit;
  const simulate::Program *P = nullptr;
};

} // namespace clinch::testing
