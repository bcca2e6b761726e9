//===- ElfObject.cpp - A relocatable ELF file, read ----------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElfObject.h"

#include <cstring>

using namespace clinch;

static Error damaged(const std::string &What) {
  return Error(ErrorKind::Link, "The object file cannot be loaded: " + What);
}

/// \p Count records from \p Offset on, or nothing when they do not fit.
template <typename T>
static bool readRecords(std::string_view Bytes, uint64_t Offset, uint64_t Count,
                        std::vector<T> &Out) {
  if (Offset > Bytes.size() || Count > (Bytes.size() - Offset) / sizeof(T))
    return false;
  Out.resize(Count);
  if (Count)
    std::memcpy(Out.data(), Bytes.data() + Offset, Count * sizeof(T));
  return true;
}

/// The text at \p Offset of a table of names; each ends in a NUL.
static std::string_view nameAt(std::string_view Table, uint64_t Offset) {
  return std::string_view(Table.data() + Offset);
}

static bool isNameTable(std::string_view Table) {
  return !Table.empty() && Table.back() == '\0';
}

Expected<ElfObject> ElfObject::parse(std::string_view Bytes) {
  ElfObject O;
  O.Bytes = Bytes;
  for (auto Step : {&ElfObject::readSections, &ElfObject::readSymbols})
    if (Status S = (O.*Step)(); !S.ok())
      return S.takeError();
  for (auto Step : {&ElfObject::checkSymbols, &ElfObject::checkRelocations})
    if (Status S = (O.*Step)(); !S.ok())
      return S.takeError();
  return O;
}

Status ElfObject::readSections() {
  Elf64_Ehdr H;
  if (Bytes.size() < sizeof H)
    return damaged("expected an ELF header of 64 bytes, found " +
                   std::to_string(Bytes.size()) + ".");
  std::memcpy(&H, Bytes.data(), sizeof H);
  if (std::memcmp(H.e_ident, ELFMAG, SELFMAG) != 0 ||
      H.e_ident[EI_CLASS] != ELFCLASS64 || H.e_ident[EI_DATA] != ELFDATA2LSB ||
      H.e_type != ET_REL || H.e_machine != EM_X86_64)
    return damaged("expected a relocatable ELF file for x86-64.");
  if (H.e_shentsize != sizeof(Elf64_Shdr) || !H.e_shnum ||
      !readRecords(Bytes, H.e_shoff, H.e_shnum, Sections))
    return damaged("its section table is incomplete.");
  for (const Elf64_Shdr &S : Sections) {
    bool InFile = S.sh_type != SHT_NOBITS && S.sh_type != SHT_NULL;
    if (InFile &&
        (S.sh_offset > Bytes.size() || S.sh_size > Bytes.size() - S.sh_offset))
      return damaged("a section ends behind the end of the file.");
    if (S.sh_addralign & (S.sh_addralign - 1) || S.sh_addralign > 1 << 20)
      return damaged("a section has an alignment of " +
                     std::to_string(S.sh_addralign) + ".");
    if (!InFile && S.sh_size > uint64_t(1) << 31)
      return damaged("a section is larger than 2 GB.");
  }
  if (H.e_shstrndx >= Sections.size())
    return damaged("its section names are missing.");
  SectionNames = contents(H.e_shstrndx);
  if (!isNameTable(SectionNames))
    return damaged("its section names are missing.");
  for (const Elf64_Shdr &S : Sections)
    if (S.sh_name >= SectionNames.size())
      return damaged("a section has no name.");
  return {};
}

Status ElfObject::readSymbols() {
  for (const Elf64_Shdr &S : Sections) {
    if (S.sh_type != SHT_SYMTAB)
      continue;
    if (S.sh_link >= Sections.size() || !isNameTable(contents(S.sh_link)))
      return damaged("its symbol names are missing.");
    SymbolNames = contents(S.sh_link);
    readRecords(Bytes, S.sh_offset, S.sh_size / sizeof(Elf64_Sym), Symbols);
    return {};
  }
  return {};
}

Status ElfObject::checkSymbols() const {
  for (const Elf64_Sym &S : Symbols) {
    if (S.st_name >= SymbolNames.size())
      return damaged("a symbol has no name.");
    if (S.st_shndx == SHN_XINDEX)
      return damaged("it has more than 65279 sections.");
    if (S.st_shndx >= SHN_LORESERVE)
      continue;
    if (S.st_shndx >= Sections.size() ||
        (S.st_shndx && S.st_value > Sections[S.st_shndx].sh_size))
      return damaged("a symbol stands outside its section.");
  }
  return {};
}

Status ElfObject::checkRelocations() const {
  for (size_t I = 0; I < Sections.size(); ++I) {
    const Elf64_Shdr &S = Sections[I];
    if (S.sh_type == SHT_REL)
      return damaged("expected relocations with addends.");
    if (S.sh_type != SHT_RELA)
      continue;
    if (S.sh_info >= Sections.size())
      return damaged("relocations belong to no section.");
    if (!isLoaded(S.sh_info))
      continue;
    size_t Bound = contents(S.sh_info).size();
    for (const Elf64_Rela &R : relocations(I))
      if (ELF64_R_SYM(R.r_info) >= Symbols.size() || R.r_offset >= Bound)
        return damaged("a relocation stands outside its section.");
  }
  return {};
}

std::string_view ElfObject::sectionName(size_t Index) const {
  return nameAt(SectionNames, Sections[Index].sh_name);
}

std::string_view ElfObject::contents(size_t Index) const {
  const Elf64_Shdr &S = Sections[Index];
  if (S.sh_type == SHT_NOBITS || S.sh_type == SHT_NULL)
    return {};
  return Bytes.substr(S.sh_offset, S.sh_size);
}

std::string_view ElfObject::symbolName(size_t Index) const {
  return nameAt(SymbolNames, Symbols[Index].st_name);
}

std::vector<Elf64_Rela> ElfObject::relocations(size_t Index) const {
  std::vector<Elf64_Rela> Out;
  const Elf64_Shdr &S = Sections[Index];
  readRecords(Bytes, S.sh_offset, S.sh_size / sizeof(Elf64_Rela), Out);
  return Out;
}
