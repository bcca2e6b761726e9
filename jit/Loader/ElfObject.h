//===- ElfObject.h - A relocatable ELF file, read --------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_ELFOBJECT_H
#define CLINCH_JIT_LOADER_ELFOBJECT_H

#include "clinch/Support/Expected.h"

#include <elf.h>
#include <string_view>
#include <vector>

namespace clinch {

/// Sections, symbols and relocations of a relocatable x86-64 ELF file. Every
/// offset and index is checked here, once; the users need not. It points into
/// the bytes it was made from.
class ElfObject {
public:
  static Expected<ElfObject> parse(std::string_view Bytes);

  const std::vector<Elf64_Shdr> &sections() const { return Sections; }
  const std::vector<Elf64_Sym> &symbols() const { return Symbols; }
  std::string_view sectionName(size_t Index) const;
  /// Empty for a section without bytes in the file, such as .bss.
  std::string_view contents(size_t Index) const;
  std::string_view symbolName(size_t Index) const;
  /// The relocations that the section \p Index holds; it is of type SHT_RELA.
  std::vector<Elf64_Rela> relocations(size_t Index) const;

  /// Whether the section has a place in memory.
  bool isLoaded(size_t Index) const {
    return Sections[Index].sh_flags & SHF_ALLOC;
  }
  /// Whether it is a table of relocations of a section with such a place.
  bool relocatesLoaded(size_t Index) const {
    return Sections[Index].sh_type == SHT_RELA &&
           isLoaded(Sections[Index].sh_info);
  }

private:
  Status readSections();
  Status readSymbols();
  Status checkSymbols() const;
  Status checkRelocations() const;

  std::string_view Bytes;
  std::vector<Elf64_Shdr> Sections;
  std::vector<Elf64_Sym> Symbols;
  std::string_view SectionNames, SymbolNames;
};

} // namespace clinch

#endif // CLINCH_JIT_LOADER_ELFOBJECT_H
