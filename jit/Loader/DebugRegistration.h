// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers code with debuggers.

#pragma once

#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/Shared/AllocationActions.h"

namespace clinch {

/// Registers the objects that \p Layer links with a debugger.
llvm::Error addDebugger(llvm::orc::ExecutionSession &Session,
                        llvm::orc::ObjectLinkingLayer &Layer);

/// LLVM's plugin never unregisters an object. This makes it unregistered with
/// its code.
void unregisterWithCode(llvm::orc::shared::AllocActions &Actions);

} // namespace clinch
