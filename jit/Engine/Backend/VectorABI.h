//===- VectorABI.h - This machine's vector functions ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_BACKEND_VECTORABI_H
#define CLINCH_JIT_ENGINE_BACKEND_VECTORABI_H

#include "MathCalls.h"

#include "llvm/MC/MCSubtargetInfo.h"

#include <string>

namespace clinch::engine {

/// Selects glibc's vector functions for a processor. All have one width, since
/// versions for vectors of other sizes give different bits.
struct VectorABI {
  char ISA;            ///< The ABI's letter for the instruction set.
  unsigned Bits;       ///< The size of its vectors.
  const char *Feature; ///< What a caller needs to hold one in a register.

  /// Uses at most 256 bits. Intel's processors with AVX-512 mostly run code
  /// compiled for 256, which passes a 512-bit argument in two registers.
  static VectorABI of(const llvm::MCSubtargetInfo &Processor);

  unsigned lanes(bool Single) const { return Bits / (Single ? 32 : 64); }
  /// Returns the name of the vector version, or an empty string if this
  /// machine's libmvec has none.
  std::string find(const MathFunction &F) const;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_VECTORABI_H
