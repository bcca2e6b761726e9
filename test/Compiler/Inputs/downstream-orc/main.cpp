#include "clinch/Orc/Orc.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/TargetSelect.h"

int main() {
  llvm::ExitOnError Check("in-lljit: ");
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  std::unique_ptr<llvm::orc::LLJIT> JIT =
      Check(llvm::orc::LLJITBuilder().create());

  std::shared_ptr<clinch::Session> Clinch = clinch::Session::create();
  clinch::SourceText Text{"cube.c",
                          "double cube(double x) { return x * x * x; }"};
  llvm::orc::JITDylib &Cubes = Check(
      clinch::addToSession(JIT->getObjLinkingLayer(), "cubes", *Clinch, Text));
  auto *Cube = Check(JIT->lookup(Cubes, "cube")).toPtr<double (*)(double)>();
  printf("%g\n", Cube(3));

  auto Again =
      clinch::addToSession(JIT->getObjLinkingLayer(), "cubes", *Clinch, Text);
  printf("%s\n", llvm::toString(Again.takeError()).c_str());
  Check(JIT->getExecutionSession().removeJITDylib(Cubes));
}
