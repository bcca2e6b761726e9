//===- BuildId.cpp - Identifies the build of a library --------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildId.h"
#include "lib/Support/FileDescriptor.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace clinch;

namespace {

constexpr size_t LongestNotes = 1 << 16;

template <typename T>
bool readAt(int File, size_t Offset, T *To, size_t Count) {
  const size_t Bytes = Count * sizeof(T);
  return pread(File, To, Bytes, off_t(Offset)) == ssize_t(Bytes);
}

/// Returns the build id in the notes of one segment.
std::string findId(const std::vector<char> &Notes) {
  auto Aligned = [](size_t Size) { return (Size + 3) & ~size_t(3); };
  for (size_t At = 0; At + sizeof(Elf64_Nhdr) <= Notes.size();) {
    Elf64_Nhdr Note;
    std::memcpy(&Note, Notes.data() + At, sizeof Note);
    const size_t Name = At + sizeof Note, Id = Name + Aligned(Note.n_namesz);
    At = Id + Aligned(Note.n_descsz);
    if (Id + Note.n_descsz > Notes.size())
      break;
    if (Note.n_type == NT_GNU_BUILD_ID &&
        Note.n_namesz == sizeof ELF_NOTE_GNU &&
        std::memcmp(Notes.data() + Name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) ==
            0)
      return std::string(Notes.data() + Id, Note.n_descsz);
  }
  return {};
}

/// Returns the segments of an ELF file; empty for other files.
std::vector<Elf64_Phdr> readSegments(int File) {
  Elf64_Ehdr Header;
  if (!readAt(File, 0, &Header, 1) ||
      std::memcmp(Header.e_ident, ELFMAG, SELFMAG) != 0 ||
      Header.e_phentsize != sizeof(Elf64_Phdr))
    return {};
  std::vector<Elf64_Phdr> Segments(Header.e_phnum);
  if (!readAt(File, Header.e_phoff, Segments.data(), Segments.size()))
    return {};
  return Segments;
}

std::string readId(int File) {
  const std::vector<Elf64_Phdr> Segments = readSegments(File);
  for (const Elf64_Phdr &S : Segments) {
    if (S.p_type != PT_NOTE || S.p_filesz > LongestNotes)
      continue;
    std::vector<char> Notes(S.p_filesz);
    if (!readAt(File, S.p_offset, Notes.data(), Notes.size()))
      continue;
    if (std::string Id = findId(Notes); !Id.empty())
      return Id;
  }
  return {};
}

} // namespace

std::string clinch::buildId(const std::string &Path) {
  const FileDescriptor File(open(Path.c_str(), O_RDONLY | O_CLOEXEC));
  if (File.Number < 0)
    return {};
  std::string Id = readId(File.Number);
  struct stat S;
  if (Id.empty() && fstat(File.Number, &S) == 0)
    Id = std::to_string(S.st_size) + " " + std::to_string(S.st_mtim.tv_sec) +
         "." + std::to_string(S.st_mtim.tv_nsec);
  return Id;
}

bool clinch::isCutShort(const std::string &Path) {
  const FileDescriptor File(open(Path.c_str(), O_RDONLY | O_CLOEXEC));
  if (File.Number < 0)
    return false; // Loading it reports the reason.
  size_t End = 0;
  for (const Elf64_Phdr &S : readSegments(File.Number))
    End = std::max(End, size_t(S.p_offset + S.p_filesz));
  struct stat S;
  return fstat(File.Number, &S) == 0 && size_t(S.st_size) < End;
}
