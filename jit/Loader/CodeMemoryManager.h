// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Our memory manager for JITLink.

#pragma once

#include "CodeMemory.h"
#include "LinkJob.h"

#include "llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h"

namespace clinch {

/// Allocates link graphs in the process's CodeMemory: writable segments in the
/// data of a block, all others in its code.
class CodeMemoryManager : public llvm::jitlink::JITLinkMemoryManager {
public:
  /// \p Current is the job whose graphs are linked.
  explicit CodeMemoryManager(LinkJob *const &Current) : Current(Current) {}

  using JITLinkMemoryManager::allocate;
  using JITLinkMemoryManager::deallocate;
  void allocate(const llvm::jitlink::JITLinkDylib *Dylib,
                llvm::jitlink::LinkGraph &G,
                OnAllocatedFunction OnAllocated) override;
  void deallocate(std::vector<FinalizedAlloc> Allocs,
                  OnDeallocatedFunction OnDeallocated) override;

private:
  class InFlight;
  struct Live;

  LinkJob *const &Current;
};

} // namespace clinch
