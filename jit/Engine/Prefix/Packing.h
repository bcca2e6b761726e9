//===- Packing.h - Compressed bytes on disk ---------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_PREFIX_PACKING_H
#define CLINCH_JIT_ENGINE_PREFIX_PACKING_H

#include <string>
#include <string_view>

namespace clinch::engine {

/// Returns \p Bytes, compressed if LLVM was built with Zstandard.
std::string packed(std::string_view Bytes);

/// Returns what was packed, or nothing if \p Packed is damaged.
std::string unpacked(std::string_view Packed);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_PREFIX_PACKING_H
