//===- VectorABI.h - The vector functions of this machine -------*- C++ -*-===//
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

/// Which of glibc's vector functions a processor calls. It is one width for
/// all: versions of one function for vectors of another size give other bits.
struct VectorABI {
  char ISA;            ///< The letter that the ABI gives the instruction set.
  unsigned Bits;       ///< The size of its vectors.
  const char *Feature; ///< What a caller needs to have them in one register.

  /// None beyond 256 bits. Intel's processors with AVX-512 mostly run code for
  /// 256, where an argument of 512 lies in two registers.
  static VectorABI of(const llvm::MCSubtargetInfo &Processor);

  unsigned lanes(bool Single) const { return Bits / (Single ? 32 : 64); }
  /// The name of the vector version; empty where this machine's libmvec has
  /// none.
  std::string find(const MathFunction &F) const;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_VECTORABI_H
