//===- CodeMemory.cpp - Memory for loaded code ---------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeMemory.h"
#include "DualMapping.h"

#include <algorithm>
#include <pthread.h>
#include <unistd.h>

using namespace clinch;

namespace clinch {
struct Slab {
  Slab(std::unique_ptr<DualMapping> M, size_t Granule)
      : Mapping(std::move(M)), Code(Mapping->codeBytes(), Granule),
        Data(Mapping->dataBytes(), 16) {}

  bool empty() const { return Code.empty() && Data.empty(); }

  std::unique_ptr<DualMapping> Mapping;
  FreeList Code, Data;
  size_t WrittenBytes = 0; ///< Since the writable pages were last let go.
  bool Retired = false;    ///< Shared with another process: no new code.
};
} // namespace clinch

namespace {
/// Holes from this size on go back to the system.
constexpr size_t WorthDiscarding = size_t(256) << 10;
/// Pages that were written count twice, for they are mapped twice, until this
/// many bytes have been written.
constexpr size_t WorthDropping = size_t(1) << 20;

size_t pageSize() {
  static const size_t Size = size_t(sysconf(_SC_PAGESIZE));
  return Size;
}

size_t roundUp(size_t N, size_t Multiple) {
  return (N + Multiple - 1) / Multiple * Multiple;
}

/// The whole pages inside \p R.
FreeList::Range wholePages(FreeList::Range R) {
  size_t Begin = roundUp(R.Begin, pageSize());
  size_t End = (R.Begin + R.Size) / pageSize() * pageSize();
  return {Begin, End > Begin ? End - Begin : 0};
}
} // namespace

char *MemoryBlock::code() const { return Owner->Mapping->code() + Code.Begin; }
char *MemoryBlock::writable() const {
  return Owner->Mapping->writable() + Code.Begin;
}
char *MemoryBlock::data() const { return Owner->Mapping->data() + Data.Begin; }

CodeMemory::CodeMemory() : CodeMemory(Config()) {}
CodeMemory::CodeMemory(Config C) : C(C) {}
CodeMemory::~CodeMemory() = default;

CodeMemory &CodeMemory::process() {
  static CodeMemory *Memory = followForks(std::make_unique<CodeMemory>());
  return *Memory;
}

CodeMemory &CodeMemory::debuggable() {
  static CodeMemory *Memory = [] {
    Config C;
    C.MayShare = false;
    return followForks(std::make_unique<CodeMemory>(C));
  }();
  return *Memory;
}

/// What stays for the whole process, and is to be in order when it forks.
static std::vector<CodeMemory *> &forkFollowers() {
  static auto *Followers = new std::vector<CodeMemory *>;
  return *Followers;
}

CodeMemory *CodeMemory::followForks(std::unique_ptr<CodeMemory> M) {
  static std::mutex Registering;
  std::lock_guard<std::mutex> Guard(Registering);
  CodeMemory *Kept = M.release();
  if (forkFollowers().empty()) {
    auto Leave = [] {
      for (CodeMemory *Follower : forkFollowers()) {
        Follower->retireAll();
        Follower->Lock.unlock();
      }
    };
    pthread_atfork(
        [] {
          for (CodeMemory *Follower : forkFollowers())
            Follower->Lock.lock();
        },
        Leave, Leave);
  }
  forkFollowers().push_back(Kept);
  return Kept;
}

void CodeMemory::retireAll() {
  for (auto &S : Slabs)
    if (S->Mapping->backing() == DualMapping::Backing::SharedFile)
      S->Retired = true;
}

Expected<MemoryBlock> CodeMemory::allocate(const MemoryRequest &R) {
  std::lock_guard<std::mutex> Guard(Lock);
  bool Fits = false;
  // The youngest slab is the one with room.
  for (size_t I = Slabs.size(); I-- && !Fits;) {
    auto B = allocateIn(*Slabs[I], R, Fits);
    if (Fits)
      return B;
  }
  auto Grown = grow(R);
  if (!Grown)
    return Grown.takeError();
  return allocateIn(**Grown, R, Fits);
}

Expected<MemoryBlock> CodeMemory::allocateIn(Slab &S, const MemoryRequest &R,
                                             bool &Fits) {
  MemoryBlock B;
  Fits = false;
  if (S.Retired)
    return B;
  auto Code = S.Code.allocate(R.CodeBytes, R.CodeAlignment);
  if (!Code)
    return B;
  B = {&S, *Code, {}};
  if (R.DataBytes) {
    auto Data = S.Data.allocate(R.DataBytes, R.DataAlignment);
    if (!Data) {
      S.Code.release(*Code);
      return B;
    }
    B.Data = *Data;
  }
  Fits = true;
  bool Private = S.Mapping->backing() == DualMapping::Backing::Anonymous;
  if (Private && !S.Mapping->protect(Code->Begin, Code->Size, false)) {
    giveBack(S, B);
    return Error(ErrorKind::Limit,
                 "No memory for code: expected pages that may be written.");
  }
  return B;
}

Expected<Slab *> CodeMemory::grow(const MemoryRequest &R) {
  size_t Page = pageSize();
  size_t Code = roundUp(R.CodeBytes + R.CodeAlignment, Page);
  size_t Data = roundUp(R.DataBytes + R.DataAlignment, Page);
  constexpr size_t Reach = size_t(1) << 31;
  if (Code + Data >= Reach)
    return Error(ErrorKind::Limit,
                 "The code is too large: expected less than 2147483648 bytes "
                 "of code and data, found " +
                     std::to_string(Code + Data) + ".");
  auto Mapping =
      DualMapping::create(std::max(Code, C.SlabBytes),
                          std::max(Data, C.SlabBytes), C.MayShare, R.Near);
  if (!Mapping) // There may be room for this one alone.
    Mapping = DualMapping::create(Code, Data, C.MayShare, R.Near);
  if (!Mapping)
    return Mapping.takeError();
  bool Private = (*Mapping)->backing() == DualMapping::Backing::Anonymous;
  Slabs.push_back(
      std::make_unique<Slab>(std::move(*Mapping), Private ? Page : 16));
  return Slabs.back().get();
}

bool CodeMemory::seal(const MemoryBlock &B) {
  DualMapping &M = *B.Owner->Mapping;
  if (M.backing() == DualMapping::Backing::Anonymous)
    return M.protect(B.Code.Begin, B.Code.Size, true);
  std::lock_guard<std::mutex> Guard(Lock);
  B.Owner->WrittenBytes += B.Code.Size;
  if (B.Owner->WrittenBytes < WorthDropping)
    return true;
  B.Owner->WrittenBytes = 0;
  M.dropWritablePages();
  return true;
}

void CodeMemory::release(const MemoryBlock &B) {
  std::lock_guard<std::mutex> Guard(Lock);
  giveBack(*B.Owner, B);
  if (B.Owner->empty())
    forgetEmpty(*B.Owner);
}

void CodeMemory::giveBack(Slab &S, const MemoryBlock &B) {
  // A retired slab only waits for its last block: nothing in it is reused, and
  // giving its pages back would take them from the other process too.
  FreeList::Range Hole = wholePages(S.Code.release(B.Code));
  if (!S.Retired && B.Code.Size >= WorthDiscarding)
    S.Mapping->discardCode(Hole.Begin, Hole.Size);
  if (!B.Data.Size)
    return;
  Hole = wholePages(S.Data.release(B.Data));
  if (B.Data.Size >= WorthDiscarding)
    S.Mapping->discardData(Hole.Begin, Hole.Size);
}

void CodeMemory::forgetEmpty(Slab &S) {
  // One empty slab is kept, for the next load.
  bool AnotherIsEmpty =
      std::any_of(Slabs.begin(), Slabs.end(), [&](const auto &Other) {
        return Other.get() != &S && Other->empty() && !Other->Retired;
      });
  if (S.Retired || AnotherIsEmpty) {
    auto Same = [&](const auto &Other) { return Other.get() == &S; };
    Slabs.erase(std::find_if(Slabs.begin(), Slabs.end(), Same));
    return;
  }
  if (S.Code.highWater() >= WorthDiscarding)
    S.Mapping->discardCode(0, roundUp(S.Code.highWater(), pageSize()));
  if (S.Data.highWater() >= WorthDiscarding)
    S.Mapping->discardData(0, roundUp(S.Data.highWater(), pageSize()));
  S.Code.resetHighWater();
  S.Data.resetHighWater();
}

size_t CodeMemory::slabs() const {
  std::lock_guard<std::mutex> Guard(Lock);
  return Slabs.size();
}

size_t CodeMemory::bytesInUse() const {
  std::lock_guard<std::mutex> Guard(Lock);
  size_t Sum = 0;
  for (const auto &S : Slabs)
    Sum += S->Code.used() + S->Data.used();
  return Sum;
}
