// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code memory, mapped twice.

#include "DualMapping.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace clinch;

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
