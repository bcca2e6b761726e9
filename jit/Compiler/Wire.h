//===- Wire.h - Texts and objects between two processes ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What IsolatedEngine.h asks and what clinch-engine answers. Both are of one
// build, on one machine.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_COMPILER_WIRE_H
#define CLINCH_JIT_COMPILER_WIRE_H

#include "jit/Engine/Engine.h"

#include <optional>
#include <string>
#include <string_view>

namespace clinch {

/// One compile. What only the process that asked can do is left out: symbols,
/// and being interrupted.
struct WireRequest {
  EngineConfig Config;
  std::string Folder; ///< In which relative paths begin.
  SourceText Text;
  CompileOptions Options;
};

std::string encodeRequest(const EngineConfig &Config, const std::string &Folder,
                          const SourceText &Text, const CompileOptions &O);
std::optional<WireRequest> decodeRequest(std::string_view Bytes);

std::string encodeReply(const Expected<EngineResult> &R);
std::optional<Expected<EngineResult>> decodeReply(std::string_view Bytes);

/// What stands before each message: how many bytes it has.
constexpr size_t WireHeaderBytes = 8;

} // namespace clinch

#endif // CLINCH_JIT_COMPILER_WIRE_H
