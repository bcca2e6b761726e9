//===- ImageLayout.cpp - Where each section will stand -------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImageLayout.h"

#include <algorithm>
#include <string>

using namespace clinch;

static size_t roundUp(size_t N, size_t Multiple) {
  return (N + Multiple - 1) & ~(Multiple - 1);
}

static bool startsWith(std::string_view Text, std::string_view Prefix) {
  return Text.substr(0, Prefix.size()) == Prefix;
}

ImageLayout::ImageLayout(const ElfObject &Object, bool WithFrames)
    : Object(Object), WithFrames(WithFrames),
      Sections(Object.sections().size()), Common(Object.symbols().size()),
      GotSlots(Object.symbols().size(), NoSlot),
      StubSlots(Object.symbols().size(), NoSlot),
      IsLate(Object.symbols().size()) {
  for (size_t I = 0; I < Object.symbols().size(); ++I)
    if (isIndirect(Object.symbols()[I])) {
      // Every use goes through the stub, so the address is the same in all.
      IsLate[I] = true;
      GotSlots[I] = LateCount++;
      StubSlots[I] = StubCount++;
    }
  placeSections();
  for (size_t I = 0; I < Sections.size(); ++I)
    if (Object.relocatesLoaded(I) &&
        Sections[Object.sections()[I].sh_info].In != Range::None)
      countSlots(I);
  placeCommon();
  placeSlots();
}

ImageLayout::Range ImageLayout::rangeOf(size_t Section) const {
  const Elf64_Shdr &S = Object.sections()[Section];
  std::string_view Name = Object.sectionName(Section);
  if (!Object.isLoaded(Section) || S.sh_type == SHT_NOTE ||
      (Name == ".eh_frame" && !WithFrames))
    return Range::None;
  // Their addresses are known before anything runs, so nobody writes them.
  bool OnlyRelocated = startsWith(Name, ".data.rel.ro") ||
                       S.sh_type == SHT_INIT_ARRAY ||
                       S.sh_type == SHT_FINI_ARRAY;
  return (S.sh_flags & SHF_WRITE) && !OnlyRelocated ? Range::Data : Range::Code;
}

void ImageLayout::placeSections() {
  auto Append = [&](size_t I, Range In) {
    const Elf64_Shdr &S = Object.sections()[I];
    size_t Alignment = std::max<size_t>(S.sh_addralign, 1);
    bool IsCode = In == Range::Code;
    size_t &End = IsCode ? Request.CodeBytes : Request.DataBytes;
    size_t &Strictest = IsCode ? Request.CodeAlignment : Request.DataAlignment;
    Strictest = std::max(Strictest, Alignment);
    Sections[I] = {In, roundUp(End, Alignment)};
    End = Sections[I].Offset + S.sh_size;
  };
  for (bool Runnable : {true, false})
    for (size_t I = 0; I < Sections.size(); ++I) {
      Range In = rangeOf(I);
      if (In == Range::None ||
          Runnable != bool(Object.sections()[I].sh_flags & SHF_EXECINSTR))
        continue;
      Append(I, In);
      if (Object.sectionName(I) != ".eh_frame")
        continue;
      Frames = I;
      Request.CodeBytes += sizeof(uint32_t); // The zero that ends it.
    }
}

void ImageLayout::placeCommon() {
  for (size_t I = 0; I < Common.size(); ++I) {
    const Elf64_Sym &S = Object.symbols()[I];
    if (S.st_shndx != SHN_COMMON)
      continue;
    size_t Alignment = std::max<size_t>(S.st_value, 1);
    Request.DataAlignment = std::max(Request.DataAlignment, Alignment);
    Common[I] = roundUp(Request.DataBytes, Alignment);
    Request.DataBytes = Common[I] + S.st_size;
  }
}

void ImageLayout::countSlots(size_t RelocationSection) {
  for (const Elf64_Rela &R : Object.relocations(RelocationSection)) {
    size_t Symbol = ELF64_R_SYM(R.r_info);
    bool Far = Object.symbols()[Symbol].st_shndx == SHN_UNDEF;
    bool NeedsStub = false;
    switch (ELF64_R_TYPE(R.r_info)) {
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
    case R_X86_64_GOT32:
    case R_X86_64_GOT64:
    case R_X86_64_GOTPCREL64:
      break;
    case R_X86_64_PLT32:
    case R_X86_64_PC32:
      NeedsStub = Far;
      if (Far)
        break;
      continue;
    default:
      continue;
    }
    if (GotSlots[Symbol] == NoSlot)
      GotSlots[Symbol] = GotCount++;
    if (NeedsStub && StubSlots[Symbol] == NoSlot)
      StubSlots[Symbol] = StubCount++;
  }
}

void ImageLayout::placeSlots() {
  StubOffset = roundUp(Request.CodeBytes, SlotBytes);
  GotOffset = StubOffset + StubCount * SlotBytes;
  Request.CodeBytes = GotOffset + GotCount * SlotBytes;
  if (!LateCount)
    return;
  LateOffset = roundUp(Request.DataBytes, SlotBytes);
  Request.DataBytes = LateOffset + LateCount * SlotBytes;
}

ImageLayout::Place ImageLayout::got(size_t Symbol) const {
  size_t Distance = GotSlots[Symbol] * SlotBytes;
  if (IsLate[Symbol])
    return {Range::Data, LateOffset + Distance};
  return {Range::Code, GotOffset + Distance};
}

size_t ImageLayout::stub(size_t Symbol) const {
  return StubOffset + StubSlots[Symbol] * SlotBytes;
}
