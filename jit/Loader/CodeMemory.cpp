// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for code: slabs, mapped twice, and what is free in them.

#include "CodeMemory.h"
#include "lib/Support/Forks.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using namespace clinch;
using llvm::alignTo;

namespace clinch {
struct Slab {
  explicit Slab(std::unique_ptr<DualMapping> M)
      : Mapping(std::move(M)), Code(Mapping->codeBytes()),
        Data(Mapping->dataBytes()) {}

  size_t used() const { return Code.used() - LostBytes + Data.used(); }
  bool empty() const { return used() == 0; }

  std::unique_ptr<DualMapping> Mapping;
  FreeList Code, Data;
  size_t WrittenBytes = 0; ///< Since the writable pages were last dropped.
  bool Retired = false;    ///< Shared with the parent; takes no new code.
  size_t LostBytes = 0;    ///< Released here, but a child may still run them.
};
} // namespace clinch

namespace {
/// Holes of at least this size are returned to the system.
constexpr size_t WorthDiscarding = size_t(256) << 10;
/// Written pages count twice, as they are mapped twice. After this many written
/// bytes the writable mapping is dropped.
constexpr size_t WorthDropping = size_t(1) << 20;

size_t pageSize() { return size_t(sysconf(_SC_PAGESIZE)); }

/// Returns the whole pages inside \p R.
FreeList::Range wholePages(FreeList::Range R) {
  size_t Begin = alignTo(R.Begin, pageSize());
  size_t End = llvm::alignDown(R.Begin + R.Size, pageSize());
  return {Begin, End > Begin ? End - Begin : 0};
}
} // namespace

char *MemoryBlock::code() const { return Owner->Mapping->code() + Code.Begin; }
char *MemoryBlock::writable() const {
  return Owner->Mapping->writable() + Code.Begin;
}
char *MemoryBlock::data() const { return Owner->Mapping->data() + Data.Begin; }

CodeMemory::CodeMemory(size_t SlabBytes, std::mutex *Shared)
    : SlabBytes(SlabBytes), Lock(Shared ? *Shared : Own) {}
CodeMemory::~CodeMemory() = default;

CodeMemory &CodeMemory::process() {
  static constinit ForProcess<CodeMemory> Memory;
  static constexpr ForkSteps Steps = {nullptr, [] { process().countFork(); },
                                      [] { process().retireAll(); }};
  return Memory.get([] {
    onFork(ProcessLock::Memory, Steps);
    constexpr size_t SlabBytes = size_t(16) << 20;
    return new CodeMemory(SlabBytes, &lockOf(ProcessLock::Memory));
  });
}

void CodeMemory::retireAll() {
  for (auto &S : Slabs)
    S->Retired = true;
}

bool CodeMemory::isAllowed(const void *Near) {
  LockGuard Guard(Lock);
  MemoryRequest Least;
  Least.Near = Near;
  return !Slabs.empty() || grow(Least);
}

Expected<MemoryBlock> CodeMemory::allocate(const MemoryRequest &R) {
  LockGuard Guard(Lock);
  // The newest slab most likely has room.
  for (size_t I = Slabs.size(); I--;)
    if (auto B = allocateIn(*Slabs[I], R))
      return *B;
  CLINCH_TRY_ASSIGN(auto Grown, grow(R));
  return *allocateIn(*Grown, R);
}

std::optional<MemoryBlock>
CodeMemory::allocateIn(Slab &S, const MemoryRequest &R) const {
  if (S.Retired)
    return std::nullopt;
  auto Code = S.Code.allocate(R.CodeBytes, R.CodeAlignment);
  if (!Code || !R.DataBytes)
    return Code ? std::optional(MemoryBlock{&S, *Code, {}, Forks})
                : std::nullopt;
  if (auto Data = S.Data.allocate(R.DataBytes, R.DataAlignment))
    return MemoryBlock{&S, *Code, *Data, Forks};
  S.Code.release(*Code);
  return std::nullopt;
}

Expected<Slab *> CodeMemory::grow(const MemoryRequest &R) {
  size_t Page = pageSize();
  size_t Code = alignTo(R.CodeBytes + R.CodeAlignment, Page);
  size_t Data = alignTo(R.DataBytes + R.DataAlignment, Page);
  constexpr size_t Reach = size_t(1) << 31;
  if (Code + Data >= Reach)
    return Error(Error::Kind::Limit,
                 "The code is too large: expected less than 2147483648 bytes "
                 "of code and data, found " +
                     std::to_string(Code + Data) + ".");
  auto Mapping = DualMapping::create(std::max(Code, SlabBytes),
                                     std::max(Data, SlabBytes), R.Near);
  if (!Mapping) // There may be room for just this block.
    Mapping = DualMapping::create(Code, Data, R.Near);
  if (!Mapping)
    return Mapping.takeError();
  Slabs.push_back(std::make_unique<Slab>(std::move(*Mapping)));
  return Slabs.back().get();
}

void CodeMemory::seal(const MemoryBlock &B) {
  LockGuard Guard(Lock);
  B.Owner->WrittenBytes += B.Code.Size;
  if (B.Owner->WrittenBytes < WorthDropping)
    return;
  B.Owner->WrittenBytes = 0;
  B.Owner->Mapping->dropWritablePages();
}

void CodeMemory::release(const MemoryBlock &B) {
  LockGuard Guard(Lock);
  giveBack(*B.Owner, B);
  if (B.Owner->empty())
    forgetEmpty(*B.Owner);
}

void CodeMemory::giveBack(Slab &S, const MemoryBlock &B) {
  // Nothing in a retired slab is reused, and discarding its pages would take
  // them from the other process too. The same holds for a block that a child
  // has seen.
  if (!S.Retired && B.Forks != Forks) {
    S.LostBytes += B.Code.Size;
  } else {
    FreeList::Range Hole = wholePages(S.Code.release(B.Code));
    if (!S.Retired && B.Code.Size >= WorthDiscarding)
      S.Mapping->discardCode(Hole.Begin, Hole.Size);
  }
  if (!B.Data.Size)
    return;
  FreeList::Range Hole = wholePages(S.Data.release(B.Data));
  if (B.Data.Size >= WorthDiscarding)
    S.Mapping->discardData(Hole.Begin, Hole.Size);
}

void CodeMemory::forgetEmpty(Slab &S) {
  // Keep one empty slab for the next load.
  bool AnotherIsEmpty =
      std::any_of(Slabs.begin(), Slabs.end(), [&](const auto &Other) {
        return Other.get() != &S && Other->empty() && !Other->Retired;
      });
  if (S.Retired || S.LostBytes || AnotherIsEmpty) {
    auto Same = [&](const auto &Other) { return Other.get() == &S; };
    Slabs.erase(std::find_if(Slabs.begin(), Slabs.end(), Same));
    return;
  }
  if (S.Code.highWater() >= WorthDiscarding)
    S.Mapping->discardCode(0, alignTo(S.Code.highWater(), pageSize()));
  if (S.Data.highWater() >= WorthDiscarding)
    S.Mapping->discardData(0, alignTo(S.Data.highWater(), pageSize()));
  S.Code.resetHighWater();
  S.Data.resetHighWater();
}

size_t CodeMemory::slabs() const {
  LockGuard Guard(Lock);
  return Slabs.size();
}

size_t CodeMemory::bytesInUse() const {
  LockGuard Guard(Lock);
  size_t Sum = 0;
  for (const auto &S : Slabs)
    Sum += S->used();
  return Sum;
}

static constexpr size_t Granule = 16;

FreeList::FreeList(size_t Size) { insert({0, Size & ~(Granule - 1)}); }

void FreeList::insert(Range R) {
  if (!R.Size)
    return;
  auto Hole = ByBegin.emplace(R.Begin, R.Size).first;
  try {
    BySize.emplace(R.Size, R.Begin);
  } catch (...) { // Both maps know of a hole, or neither.
    ByBegin.erase(Hole);
    throw;
  }
}

/// Loses the hole if memory runs out.
void FreeList::note(Range R) noexcept try {
  insert(R);
} catch (const std::bad_alloc &) { // NOLINT(bugprone-empty-catch): see above
}

void FreeList::erase(std::map<size_t, size_t>::iterator Hole) {
  BySize.erase({Hole->second, Hole->first});
  ByBegin.erase(Hole);
}

std::optional<FreeList::Range> FreeList::allocate(size_t Bytes,
                                                  size_t Alignment) {
  Alignment = std::max(Alignment, Granule);
  Bytes = alignTo(std::max<size_t>(Bytes, 1), Granule);
  // A hole of this size fits an aligned range wherever it begins.
  auto Fit = BySize.lower_bound({Bytes + Alignment - Granule, 0});
  if (Fit == BySize.end())
    return std::nullopt;
  Range Hole{Fit->second, Fit->first};
  erase(ByBegin.find(Hole.Begin));
  Range Taken{alignTo(Hole.Begin, Alignment), Bytes};
  note({Hole.Begin, Taken.Begin - Hole.Begin});
  size_t End = Taken.Begin + Taken.Size;
  note({End, Hole.Begin + Hole.Size - End});
  Used += Bytes;
  HighWater = std::max(HighWater, End);
  return Taken;
}

FreeList::Range FreeList::release(Range R) noexcept {
  assert(Used >= R.Size && "more comes back than was handed out");
  Used -= R.Size;
  auto Next = ByBegin.lower_bound(R.Begin);
  if (Next != ByBegin.end() && Next->first == R.Begin + R.Size) {
    R.Size += Next->second;
    auto Joined = Next++;
    erase(Joined);
  }
  if (Next != ByBegin.begin()) {
    auto Previous = std::prev(Next);
    if (Previous->first + Previous->second == R.Begin) {
      R = {Previous->first, Previous->second + R.Size};
      erase(Previous);
    }
  }
  note(R);
  return R;
}

/// Returns a hint for mmap, which takes another address if this one is in use.
/// There is room below a program, as its heap grows above it; below a program
/// at the very bottom there is none.
static void *placeNear(const void *Near) {
  constexpr uintptr_t Distance = uintptr_t(1) << 30;
  constexpr uintptr_t Granule = uintptr_t(1) << 21;
  auto Wanted = reinterpret_cast<uintptr_t>(Near);
  if (!Wanted)
    return nullptr;
  Wanted = Wanted > 2 * Distance ? Wanted - Distance : Wanted + Distance;
  return reinterpret_cast<void *>(Wanted & ~(Granule - 1));
}

Expected<std::unique_ptr<DualMapping>>
DualMapping::create(size_t CodeBytes, size_t DataBytes, const void *Near) {
  std::unique_ptr<DualMapping> M(new DualMapping(CodeBytes, DataBytes));
  void *Base =
      mmap(placeNear(Near), CodeBytes + DataBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Base == MAP_FAILED)
    return Error(Error::Kind::Limit,
                 "No memory for code: expected to reserve " +
                     std::to_string(CodeBytes + DataBytes) +
                     " bytes, the system said `" + strerror(errno) + "`.");
  M->Base = static_cast<char *>(Base);
  if (!M->mapCode())
    return Error(Error::Kind::Limit,
                 std::string("No memory for code: expected executable pages, "
                             "the system said `") +
                     strerror(errno) + "`.");
  return M;
}

/// The mappings keep the anonymous file alive; nobody else can open it.
bool DualMapping::mapCode() {
  int File = memfd_create("clinch-code", MFD_CLOEXEC);
  if (File < 0)
    return false;
  auto Map = [&](void *At, int Rights, int Flags) {
    void *Mapped = mmap(At, CodeBytes, Rights, MAP_SHARED | Flags, File, 0);
    return Mapped == MAP_FAILED ? nullptr : static_cast<char *>(Mapped);
  };
  const bool Done = ftruncate(File, off_t(CodeBytes)) == 0 &&
                    (Alias = Map(nullptr, PROT_READ | PROT_WRITE, 0)) &&
                    Map(Base, PROT_READ | PROT_EXEC, MAP_FIXED);
  const int Why = errno;
  close(File);
  errno = Why;
  return Done;
}

DualMapping::~DualMapping() {
  if (Base)
    munmap(Base, CodeBytes + DataBytes);
  if (Alias)
    munmap(Alias, CodeBytes);
}

void DualMapping::dropWritablePages() {
  madvise(Alias, CodeBytes, MADV_DONTNEED);
}

void DualMapping::discardCode(size_t Offset, size_t Size) {
  madvise(Alias + Offset, Size, MADV_REMOVE);
}

void DualMapping::discardData(size_t Offset, size_t Size) {
  madvise(data() + Offset, Size, MADV_DONTNEED);
}
