//===- DualMapping.cpp - Code memory, seen twice -------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DualMapping.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace clinch;

/// A file without a name: a memfd, or one in a folder that is memory.
static int openNameless() {
  int File = memfd_create("clinch-code", MFD_CLOEXEC);
  if (File < 0)
    File = open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  return File;
}

/// A place to ask the system for, which takes another one when it is not free.
/// Below a program there is room, and its heap grows above; a program that
/// stands at the very bottom has only that side.
static void *placeNear(const void *Near) {
  constexpr uintptr_t Distance = uintptr_t(1) << 30;
  constexpr uintptr_t Granule = uintptr_t(1) << 21;
  auto Wanted = reinterpret_cast<uintptr_t>(Near);
  if (!Wanted)
    return nullptr;
  Wanted = Wanted > 2 * Distance ? Wanted - Distance : Wanted + Distance;
  return reinterpret_cast<void *>(Wanted & ~(Granule - 1));
}

Expected<std::unique_ptr<DualMapping>> DualMapping::create(size_t CodeBytes,
                                                           size_t DataBytes,
                                                           bool MayShare,
                                                           const void *Near) {
  std::unique_ptr<DualMapping> M(new DualMapping);
  M->CodeBytes = CodeBytes;
  M->DataBytes = DataBytes;
  void *Base = mmap(placeNear(Near), CodeBytes + DataBytes, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Base == MAP_FAILED)
    return Error(ErrorKind::Limit, "No memory for code: expected to reserve " +
                                       std::to_string(CodeBytes + DataBytes) +
                                       " bytes, the system said `" +
                                       strerror(errno) + "`.");
  M->Base = static_cast<char *>(Base);
  bool DataFits = mprotect(M->data(), DataBytes, PROT_READ | PROT_WRITE) == 0;
  if (!DataFits || !((MayShare && M->mapShared()) || M->mapAnonymous()))
    return Error(ErrorKind::Limit,
                 std::string("No memory for code: expected pages that may be "
                             "run, the system said `") +
                     strerror(errno) + "`.");
  return M;
}

bool DualMapping::mapShared() {
  File = openNameless();
  if (File < 0)
    return false;
  if (ftruncate(File, off_t(CodeBytes)) != 0)
    return false;
  void *Written =
      mmap(nullptr, CodeBytes, PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
  if (Written == MAP_FAILED)
    return false;
  void *Run = mmap(Base, CodeBytes, PROT_READ | PROT_EXEC,
                   MAP_SHARED | MAP_FIXED, File, 0);
  if (Run == MAP_FAILED) {
    munmap(Written, CodeBytes);
    return false;
  }
  Alias = static_cast<char *>(Written);
  return true;
}

bool DualMapping::mapAnonymous() {
  // A refused shared mapping may have removed the reservation.
  void *Again =
      mmap(Base, CodeBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return Again != MAP_FAILED;
}

DualMapping::~DualMapping() {
  if (Base)
    munmap(Base, CodeBytes + DataBytes);
  if (Alias)
    munmap(Alias, CodeBytes);
  if (File >= 0)
    close(File);
}

bool DualMapping::protect(size_t Offset, size_t Size, bool Runnable) {
  int Rights = PROT_READ | (Runnable ? PROT_EXEC : PROT_WRITE);
  return mprotect(Base + Offset, Size, Rights) == 0;
}

void DualMapping::dropWritablePages() {
  if (Alias)
    madvise(Alias, CodeBytes, MADV_DONTNEED);
}

void DualMapping::discardCode(size_t Offset, size_t Size) {
  if (Alias)
    fallocate(File, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, off_t(Offset),
              off_t(Size));
  else
    madvise(Base + Offset, Size, MADV_DONTNEED);
}

void DualMapping::discardData(size_t Offset, size_t Size) {
  madvise(data() + Offset, Size, MADV_DONTNEED);
}
