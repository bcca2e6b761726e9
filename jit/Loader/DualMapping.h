// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code memory, mapped twice.
//
// Memory that is executable at one address and writable at another, so that no
// mapping is ever both. A data region follows the code, within reach of its
// 32-bit displacements.

#pragma once

#include "clinch/Support/Expected.h"

#include <cstddef>
#include <memory>

namespace clinch {

class DualMapping {
public:
  /// Places the code within reach of a call to \p Near if there is room; if
  /// null, anywhere.
  static Expected<std::unique_ptr<DualMapping>>
  create(size_t CodeBytes, size_t DataBytes, const void *Near = nullptr);
  ~DualMapping();
  DualMapping(const DualMapping &) = delete;
  DualMapping &operator=(const DualMapping &) = delete;

  char *code() const { return Base; }
  char *writable() const { return Alias; } ///< Where code is written.
  char *data() const { return Base + CodeBytes; }
  size_t codeBytes() const { return CodeBytes; }
  size_t dataBytes() const { return DataBytes; }

  /// Drops the pages of the writable mapping; the code is unaffected.
  void dropWritablePages();
  /// Return the memory of whole pages to the system.
  void discardCode(size_t Offset, size_t Size);
  void discardData(size_t Offset, size_t Size);

private:
  DualMapping(size_t CodeBytes, size_t DataBytes)
      : CodeBytes(CodeBytes), DataBytes(DataBytes) {}
  bool mapCode();

  char *Base = nullptr;
  char *Alias = nullptr;
  const size_t CodeBytes;
  const size_t DataBytes;
};

} // namespace clinch
