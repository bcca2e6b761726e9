// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Our memory manager for JITLink.

#include "CodeMemoryManager.h"

#include "llvm/ExecutionEngine/JITLink/JITLink.h"

#include <cstring>

using namespace clinch;
namespace jitlink = llvm::jitlink;
namespace orc = llvm::orc;
using llvm::alignTo;
using llvm::BitmaskEnumDetail::operator&; // NOLINT(misc-unused-using-decls)

/// A linked block and its deallocation actions.
struct CodeMemoryManager::Live {
  MemoryBlock Block;
  std::vector<orc::shared::WrapperFunctionCall> Undo;
};

/// A block whose code is being written.
class CodeMemoryManager::InFlight : public InFlightAlloc {
public:
  InFlight(jitlink::LinkGraph &G, MemoryBlock Block) : G(G), Block(Block) {}

  void abandon(OnAbandonedFunction OnAbandoned) override {
    CodeMemory::process().release(Block);
    OnAbandoned(llvm::Error::success());
  }

  void finalize(OnFinalizedFunction OnFinalized) override {
    CodeMemory::process().seal(Block);
    auto Undo = orc::shared::runFinalizeActions(G.allocActions());
    if (!Undo) {
      CodeMemory::process().release(Block);
      return OnFinalized(Undo.takeError());
    }
    OnFinalized(FinalizedAlloc(
        orc::ExecutorAddr::fromPtr(new Live{Block, std::move(*Undo)})));
  }

private:
  jitlink::LinkGraph &G;
  MemoryBlock Block;
};

static bool isWritten(const orc::AllocGroup &Group) {
  return (Group.getMemProt() & orc::MemProt::Write) != orc::MemProt::None;
}

/// Returns the memory that all segments need, code and data separately.
static MemoryRequest requestFor(jitlink::BasicLayout &Layout) {
  MemoryRequest R;
  for (auto &[Group, Segment] : Layout.segments()) {
    size_t &Bytes = isWritten(Group) ? R.DataBytes : R.CodeBytes;
    size_t &Alignment = isWritten(Group) ? R.DataAlignment : R.CodeAlignment;
    Alignment = std::max<size_t>(Alignment, Segment.Alignment.value());
    Bytes = alignTo(Bytes, Segment.Alignment) + Segment.ContentSize +
            Segment.ZeroFillSize;
  }
  R.CodeBytes = std::max<size_t>(R.CodeBytes, 1);
  return R;
}

/// Places each segment in \p Block, with the layout of requestFor().
static void place(jitlink::BasicLayout &Layout, const MemoryBlock &Block) {
  size_t Code = 0, Data = 0;
  for (auto &[Group, Segment] : Layout.segments()) {
    const bool IsData = isWritten(Group);
    size_t &Offset = IsData ? Data : Code;
    Offset = alignTo(Offset, Segment.Alignment);
    Segment.Addr = orc::ExecutorAddr::fromPtr(
        (IsData ? Block.data() : Block.code()) + Offset);
    Segment.WorkingMem = (IsData ? Block.data() : Block.writable()) + Offset;
    Offset += Segment.ContentSize + Segment.ZeroFillSize;
  }
}

void CodeMemoryManager::allocate(const jitlink::JITLinkDylib *,
                                 jitlink::LinkGraph &G,
                                 OnAllocatedFunction OnAllocated) {
  jitlink::BasicLayout Layout(G);
  MemoryRequest Request = requestFor(Layout);
  Request.Near = Current->Near;
  auto Block = CodeMemory::process().allocate(Request);
  if (!Block) {
    Current->Failure = Block.takeError();
    return OnAllocated(llvm::createStringError("no memory for code"));
  }
  // The memory may contain remains of another object.
  std::memset(Block->writable(), 0, Request.CodeBytes);
  if (Request.DataBytes)
    std::memset(Block->data(), 0, Request.DataBytes);
  place(Layout, *Block);
  if (llvm::Error E = Layout.apply()) {
    CodeMemory::process().release(*Block);
    return OnAllocated(std::move(E));
  }
  OnAllocated(std::make_unique<InFlight>(G, *Block));
}

void CodeMemoryManager::deallocate(std::vector<FinalizedAlloc> Allocs,
                                   OnDeallocatedFunction OnDeallocated) {
  llvm::Error Failed = llvm::Error::success();
  while (!Allocs.empty()) {
    std::unique_ptr<Live> Gone(Allocs.back().release().toPtr<Live *>());
    Allocs.pop_back();
    Failed = llvm::joinErrors(std::move(Failed),
                              orc::shared::runDeallocActions(Gone->Undo));
    CodeMemory::process().release(Gone->Block);
  }
  OnDeallocated(std::move(Failed));
}
