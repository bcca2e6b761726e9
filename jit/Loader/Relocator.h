//===- Relocator.h - Addresses put into code -------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_RELOCATOR_H
#define CLINCH_JIT_LOADER_RELOCATOR_H

#include "ImageLayout.h"

#include <cstdint>
#include <string>
#include <vector>

namespace clinch {

/// Fills in what the compiler left open, once every address is known.
class Relocator {
public:
  /// \p Addresses: of each symbol.
  Relocator(const ElfObject &Object, const ImageLayout &Layout,
            const MemoryBlock &Memory, const std::vector<uint64_t> &Addresses)
      : Object(Object), Layout(Layout), Memory(Memory), Addresses(Addresses) {}

  Status run();
  /// Where the GOT entry of a symbol is written.
  char *slotWritable(size_t Symbol) const;

private:
  /// One place that is to be filled.
  struct Site {
    char *Bytes;      ///< Where it is written.
    uint64_t Address; ///< Where it will be read.
    size_t Room;      ///< Up to the end of its section.
    size_t Offset;    ///< From the start of its section.
    size_t Symbol;
    unsigned Type;
    int64_t Addend;
  };

  void fillSlots();
  Status applySection(size_t RelocationSection);
  Status apply(const Site &S);
  Status applyRelative(const Site &S);
  Status applyGot(const Site &S);
  bool relaxGot(const Site &S);
  bool relaxArithmetic(const Site &S);
  uint64_t slotAddress(size_t Symbol) const;
  uint64_t gotAddress() const;
  bool put32(const Site &S, uint64_t Value, bool Signed);
  Status outOfReach(const Site &S) const;
  Status unknown(const Site &S) const;
  std::string nameOf(size_t Symbol) const;

  const ElfObject &Object;
  const ImageLayout &Layout;
  const MemoryBlock &Memory;
  const std::vector<uint64_t> &Addresses;
};

} // namespace clinch

#endif // CLINCH_JIT_LOADER_RELOCATOR_H
