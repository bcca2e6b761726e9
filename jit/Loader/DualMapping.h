//===- DualMapping.h - Code memory, seen twice -----------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory that runs at one address and is written at another, so that no
// mapping is ever writable and executable. A data region stands right behind
// the code, in reach of its 32-bit displacements.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_DUALMAPPING_H
#define CLINCH_JIT_LOADER_DUALMAPPING_H

#include "clinch/Support/Expected.h"

#include <cstddef>
#include <memory>

namespace clinch {

class DualMapping {
public:
  enum class Backing {
    SharedFile, ///< A memfd, or a nameless file: mapped twice.
    Anonymous   ///< Neither is to be had: pages change from RW to RX.
  };

  /// \p MayShare false skips the shared file, as where memfd is refused.
  /// The code is within reach of a call from \p Near if the system has room
  /// there; null is anywhere.
  static Expected<std::unique_ptr<DualMapping>>
  create(size_t CodeBytes, size_t DataBytes, bool MayShare = true,
         const void *Near = nullptr);
  ~DualMapping();
  DualMapping(const DualMapping &) = delete;
  DualMapping &operator=(const DualMapping &) = delete;

  Backing backing() const {
    return Alias ? Backing::SharedFile : Backing::Anonymous;
  }
  char *code() const { return Base; }
  /// Where code is written; code() itself when the backing is Anonymous.
  char *writable() const { return Alias ? Alias : Base; }
  char *data() const { return Base + CodeBytes; }
  size_t codeBytes() const { return CodeBytes; }
  size_t dataBytes() const { return DataBytes; }

  /// Makes a page-aligned range of code writable again, or runnable. Only for
  /// the Anonymous backing; the other one needs neither.
  bool protect(size_t Offset, size_t Size, bool Runnable);
  /// Lets go of the pages that were only written through; they stay as code.
  void dropWritablePages();
  /// Gives the memory of whole pages back to the system.
  void discardCode(size_t Offset, size_t Size);
  void discardData(size_t Offset, size_t Size);

private:
  DualMapping() = default;
  bool mapShared();
  bool mapAnonymous();

  char *Base = nullptr;
  char *Alias = nullptr;
  size_t CodeBytes = 0;
  size_t DataBytes = 0;
  int File = -1;
};

} // namespace clinch

#endif // CLINCH_JIT_LOADER_DUALMAPPING_H
