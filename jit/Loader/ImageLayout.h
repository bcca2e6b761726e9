//===- ImageLayout.h - Where each section will stand -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_IMAGELAYOUT_H
#define CLINCH_JIT_LOADER_IMAGELAYOUT_H

#include "CodeMemory.h"
#include "ElfObject.h"

#include <cstdint>
#include <vector>

namespace clinch {

/// The plan of an object in memory, before there is an address: sections that
/// nobody writes at run time, the table of far addresses (GOT) and the jumps
/// through it (stubs) in the code range; the rest in the data range.
class ImageLayout {
public:
  /// \p WithFrames: .eh_frame is loaded too.
  ImageLayout(const ElfObject &Object, bool WithFrames);

  enum class Range : uint8_t { None, Code, Data };
  struct Place {
    Range In = Range::None;
    size_t Offset = 0;
  };
  static constexpr uint32_t NoSlot = ~uint32_t(0);
  static constexpr size_t SlotBytes = 8; ///< Of a GOT entry, and of a stub.

  const MemoryRequest &request() const { return Request; }
  const Place &section(size_t Index) const { return Sections[Index]; }
  /// Of a COMMON symbol, in the data range.
  size_t common(size_t Symbol) const { return Common[Symbol]; }
  size_t gotOffset() const { return GotOffset; }
  /// Where the symbol's GOT entry is; only for one that hasSlot().
  Place got(size_t Symbol) const;
  /// Its stub, in the code range; only for one that hasStub().
  size_t stub(size_t Symbol) const;
  bool hasSlot(size_t Symbol) const { return GotSlots[Symbol] != NoSlot; }
  bool hasStub(size_t Symbol) const { return StubSlots[Symbol] != NoSlot; }
  /// The .eh_frame section, when it is loaded, else 0.
  size_t frames() const { return Frames; }

private:
  Range rangeOf(size_t Section) const;
  void placeSections();
  void placeCommon();
  void countSlots(size_t RelocationSection);
  void placeSlots();

  const ElfObject &Object;
  bool WithFrames;
  MemoryRequest Request;
  std::vector<Place> Sections;
  std::vector<size_t> Common;
  std::vector<uint32_t> GotSlots, StubSlots;
  std::vector<bool>
      IsLate; ///< Symbols whose GOT entry is filled by their code.
  uint32_t GotCount = 0, LateCount = 0, StubCount = 0;
  size_t GotOffset = 0, LateOffset = 0, StubOffset = 0;
  size_t Frames = 0;
};

/// Whether the symbol is a function that chooses its own address (IFUNC).
inline bool isIndirect(const Elf64_Sym &S) {
  return ELF64_ST_TYPE(S.st_info) == STT_GNU_IFUNC && S.st_shndx != SHN_UNDEF;
}

} // namespace clinch

#endif // CLINCH_JIT_LOADER_IMAGELAYOUT_H
