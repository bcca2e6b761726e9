//===- DebugRegistration.h - What gdb and lldb are told ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_DEBUGREGISTRATION_H
#define CLINCH_JIT_LOADER_DEBUGREGISTRATION_H

#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/Shared/AllocationActions.h"

namespace clinch {

/// The objects that \p Layer links are shown to a debugger.
llvm::Error addDebugger(llvm::orc::ExecutionSession &Session,
                        llvm::orc::ObjectLinkingLayer &Layer);

/// LLVM's plugin registers an object and never takes it back: here it goes with
/// its code.
void unregisterWithCode(llvm::orc::shared::AllocActions &Actions);

} // namespace clinch

#endif // CLINCH_JIT_LOADER_DEBUGREGISTRATION_H
