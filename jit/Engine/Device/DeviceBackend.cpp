// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The back end for devices, and its mathematics.

#include "DeviceBackend.h"
#include "../Backend/MathCalls.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <set>

using namespace clinch;
using namespace clinch::engine;

static llvm::OptimizationLevel levelOf(Passes P) {
  switch (P) {
  case Passes::None:
    return llvm::OptimizationLevel::O0;
  case Passes::Quick:
  case Passes::O1:
    return llvm::OptimizationLevel::O1;
  case Passes::Os:
    return llvm::OptimizationLevel::Os;
  case Passes::Oz:
    return llvm::OptimizationLevel::Oz;
  case Passes::Loopless:
  case Passes::Auto:
  case Passes::O2:
    return llvm::OptimizationLevel::O2;
  case Passes::O3:
    break;
  }
  return llvm::OptimizationLevel::O3;
}

std::unique_ptr<DeviceBackend> DeviceBackend::create(const std::string &Device,
                                                     const Plan &P) {
  const llvm::Triple Triple("nvptx64-nvidia-cuda");
  std::string Problem;
  const llvm::Target *T = llvm::TargetRegistry::lookupTarget(Triple, Problem);
  llvm::TargetOptions O;
  // What the text writes in one expression is contracted by Clang, no more.
  O.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  std::unique_ptr<llvm::TargetMachine> TM(
      T ? T->createTargetMachine(Triple, Device, P.DeviceFeature, O,
                                 std::nullopt, std::nullopt, P.CodeGen)
        : nullptr);
  if (!TM)
    return nullptr;
  return std::unique_ptr<DeviceBackend>(
      new DeviceBackend(std::move(TM), P.Optimise));
}

DeviceBackend::DeviceBackend(std::unique_ptr<llvm::TargetMachine> Machine,
                             Passes Level)
    : TM(std::move(Machine)), Level(levelOf(Level)), Builder(TM.get()) {
  Builder.registerModuleAnalyses(MAM);
  Builder.registerCGSCCAnalyses(CGAM);
  Builder.registerFunctionAnalyses(FAM);
  Builder.registerLoopAnalyses(LAM);
  Builder.crossRegisterProxies(LAM, FAM, CGAM, MAM);
}

/// Whether a host finds it by its name.
static bool isForHost(const llvm::GlobalValue &G) {
  if (const auto *F = llvm::dyn_cast<llvm::Function>(&G))
    return F->getCallingConv() == llvm::CallingConv::PTX_Kernel;
  return G.hasExternalLinkage() && G.getAddressSpace() != 3;
}

bool DeviceBackend::optimise(llvm::Module &M,
                             const llvm::MemoryBuffer *Libdevice) {
  M.setDataLayout(TM->createDataLayout());
  if (!linkDeviceMath(M, Libdevice))
    return false;
  llvm::internalizeModule(M, isForHost);
  llvm::ModulePassManager Pipeline =
      Level == llvm::OptimizationLevel::O0
          ? Builder.buildO0DefaultPipeline(Level)
          : Builder.buildPerModuleDefaultPipeline(Level);
  Pipeline.run(M, MAM);
  MAM.clear();
  CGAM.clear();
  FAM.clear();
  LAM.clear();
  return true;
}

std::string DeviceBackend::emit(llvm::Module &M) {
  llvm::SmallString<0> Out;
  llvm::raw_svector_ostream OS(Out);
  llvm::legacy::PassManager Passes;
  TM->addPassesToEmitFile(Passes, OS, nullptr,
                          llvm::CodeGenFileType::AssemblyFile,
                          /*DisableVerify=*/true);
  Passes.run(M);
  return Out.str().str();
}

/// What LLVM would make calls of, of functions that no device has.
static const char *missingOperation(const llvm::Instruction &I) {
  if (I.getOpcode() == llvm::Instruction::FRem)
    return "fmod";
  const auto *C = llvm::dyn_cast<llvm::CallInst>(&I);
  switch (C ? C->getIntrinsicID() : llvm::Intrinsic::not_intrinsic) {
  case llvm::Intrinsic::powi:
    return "powi";
  case llvm::Intrinsic::ldexp:
    return "ldexp";
  case llvm::Intrinsic::frexp:
    return "frexp";
  case llvm::Intrinsic::modf:
    return "modf";
  case llvm::Intrinsic::sincos:
    return "sincos";
  case llvm::Intrinsic::lround:
  case llvm::Intrinsic::llround:
    return "lround";
  case llvm::Intrinsic::lrint:
  case llvm::Intrinsic::llrint:
    return "lrint";
  default:
    return nullptr;
  }
}

std::vector<std::string>
clinch::engine::missingOnDevice(const llvm::Module &M) {
  // The driver has these.
  constexpr llvm::StringLiteral OfDriver[] = {"vprintf", "__assertfail",
                                              "malloc", "free"};
  std::set<std::string> Missing;
  for (const llvm::Function &F : M) {
    if (F.isDeclaration() && !F.isIntrinsic() && !F.use_empty() &&
        !llvm::is_contained(OfDriver, F.getName()))
      Missing.insert(F.getName().str());
    for (const llvm::Instruction &I : llvm::instructions(F))
      if (const char *Name = missingOperation(I))
        Missing.insert(Name);
  }
  for (const llvm::GlobalVariable &G : M.globals())
    if (G.isDeclaration() && G.getAddressSpace() != 3 && !G.use_empty())
      Missing.insert(G.getName().str());
  return {Missing.begin(), Missing.end()};
}

extern "C" const char ClinchDeviceMathBegin[], ClinchDeviceMathEnd[];

/// Opens a library of IR and reads its functions only on demand. Returns null
/// if \p Bytes hold no bitcode. The library was compiled for no device, so its
/// functions take the device of \p Caller. Otherwise LLVM would inline none.
static std::unique_ptr<llvm::Module> openLibrary(llvm::MemoryBufferRef Bytes,
                                                 const llvm::Function &Caller) {
  llvm::Expected<std::unique_ptr<llvm::Module>> Read =
      llvm::getLazyBitcodeModule(Bytes, Caller.getContext(),
                                 /*ShouldLazyLoadMetadata=*/true);
  if (!Read) {
    llvm::consumeError(Read.takeError());
    return nullptr;
  }
  std::unique_ptr<llvm::Module> Library = std::move(*Read);
  Library->setTargetTriple(Caller.getParent()->getTargetTriple());
  Library->setDataLayout(Caller.getParent()->getDataLayout());
  for (llvm::NamedMDNode &Node :
       llvm::make_early_inc_range(Library->named_metadata()))
    Node.eraseFromParent();
  for (llvm::Function &F : *Library) {
    for (const char *Of : {"target-cpu", "target-features"})
      F.addFnAttr(Caller.getFnAttribute(Of));
    F.removeFnAttr("no-builtins");
  }
  return Library;
}

/// Makes calls of what Clang makes of `fmod`, for which GPUs have an
/// instruction that errs. Returns a function with such a call, or null.
static const llvm::Function *callRestOfDivision(llvm::Module &M,
                                                const std::string &Prefix) {
  const llvm::Function *Caller = nullptr;
  for (llvm::Function &F : M)
    for (llvm::Instruction &I :
         llvm::make_early_inc_range(llvm::instructions(F))) {
      llvm::Type *T = I.getType();
      if (I.getOpcode() != llvm::Instruction::FRem ||
          !(T->isFloatTy() || T->isDoubleTy()))
        continue;
      const llvm::FunctionCallee Of = M.getOrInsertFunction(
          Prefix + (T->isFloatTy() ? "fmodf" : "fmod"), T, T, T);
      llvm::ReplaceInstWithInst(
          &I, llvm::CallInst::Create(Of, {I.getOperand(0), I.getOperand(1)}));
      Caller = &F;
    }
  return Caller;
}

bool clinch::engine::linkDeviceMath(llvm::Module &M,
                                    const llvm::MemoryBuffer *Libdevice) {
  simplifyMathCalls(M, /*KeepsErrno=*/false);
  const std::string Prefix = Libdevice ? "__nv_" : "clinch_";
  const llvm::Function *Caller = callRestOfDivision(M, Prefix);
  forEachMathCall(M, [&](llvm::CallInst &C, const MathFunction &F) {
    // Clang makes no vectors of what is one number for each thread.
    if (F.Lanes)
      return;
    C.setCalledFunction(
        M.getOrInsertFunction(Prefix + F.name(), C.getFunctionType()));
    C.setAttributes({});
    Caller = C.getFunction();
  });
  if (!Caller)
    return true;
  const llvm::StringRef Own(ClinchDeviceMathBegin,
                            ClinchDeviceMathEnd - ClinchDeviceMathBegin);
  std::unique_ptr<llvm::Module> Library =
      openLibrary(Libdevice ? Libdevice->getMemBufferRef()
                            : llvm::MemoryBufferRef(Own, "mathematics"),
                  *Caller);
  return Library && !llvm::Linker::linkModules(M, std::move(Library),
                                               llvm::Linker::LinkOnlyNeeded);
}
