// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers code with debuggers.

#include "DebugRegistration.h"

#include "llvm/ExecutionEngine/Orc/Debugging/ELFDebugObjectPlugin.h"
#include "llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderGDB.h"

// NOLINTBEGIN(bugprone-reserved-identifier): gdb's own names, in LLVM's archive
extern "C" jit_descriptor __jit_debug_descriptor;
extern "C" void __jit_debug_register_code();
// NOLINTEND(bugprone-reserved-identifier)

using namespace clinch;
namespace orc = llvm::orc;
namespace shared = llvm::orc::shared;
using Arguments = shared::SPSArgList<shared::SPSExecutorAddrRange, bool>;

static void forget(const char *Object) {
  jit_descriptor &List = __jit_debug_descriptor;
  jit_code_entry *E = List.first_entry;
  while (E && E->symfile_addr != Object)
    E = E->next_entry;
  if (!E)
    return;
  (E->prev_entry ? E->prev_entry->next_entry : List.first_entry) =
      E->next_entry;
  if (E->next_entry)
    E->next_entry->prev_entry = E->prev_entry;
  List.relevant_entry = E;
  List.action_flag = JIT_UNREGISTER_FN;
  __jit_debug_register_code();
  List.action_flag = JIT_NOACTION;
  List.relevant_entry = nullptr;
  delete E;
}

/// The counterpart of LLVM's registering function, with the same arguments.
static shared::CWrapperFunctionBuffer unregister(const char *Data,
                                                 size_t Size) {
  return shared::WrapperFunction<shared::SPSError(
      shared::SPSExecutorAddrRange,
      bool)>::handle(Data, Size,
                     [](orc::ExecutorAddrRange Object, bool) {
                       forget(Object.Start.toPtr<const char *>());
                       return llvm::Error::success();
                     })
      .release();
}

llvm::Error clinch::addDebugger(orc::ExecutionSession &Session,
                                orc::ObjectLinkingLayer &Layer) {
  llvm::Error Failed = llvm::Error::success();
  auto Plugin = std::make_shared<orc::ELFDebugObjectPlugin>(
      Session, /*RequireDebugSections=*/false, /*AutoRegisterCode=*/true,
      Failed);
  if (!Failed)
    Layer.addPlugin(std::move(Plugin));
  return Failed;
}

void clinch::unregisterWithCode(shared::AllocActions &Actions) {
  const auto Register =
      orc::ExecutorAddr::fromPtr(&llvm_orc_registerJITLoaderGDBAllocAction);
  for (shared::AllocActionCallPair &Pair : Actions)
    if (Pair.Finalize.getCallee() == Register)
      Pair.Dealloc = shared::WrapperFunctionCall(
          orc::ExecutorAddr::fromPtr(&unregister), Pair.Finalize.getArgData());
}
