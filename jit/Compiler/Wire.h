// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts and objects between two processes.
//
// The requests of IsolatedEngine.h and the replies of clinch-engine. Both are
// of the same build on the same machine. Keys are made from the same list of
// fields.

#pragma once

#include "jit/Engine/Engine.h"

#include <optional>
#include <string>
#include <string_view>

namespace clinch {

/// One compile. Leaves out what only the host's process can use: the symbols
/// and the Interrupted callback.
struct WireRequest {
  EngineConfig Config;
  std::string Folder; ///< The base of relative paths.
  SourceText Text;
  CompileOptions Options;
};

/// Encodes, for the key, all that the object is made from.
std::string encodeObjectSources(const SourceText &Text,
                                const CompileOptions &O);

std::string encodeRequest(const EngineConfig &Config, const std::string &Folder,
                          const SourceText &Text, const CompileOptions &O);
std::optional<WireRequest> decodeRequest(std::string_view Bytes);

std::string encodeReply(const Expected<EngineResult> &R);
std::optional<Expected<EngineResult>> decodeReply(std::string_view Bytes);

/// Each message begins with its number of bytes.
constexpr size_t WireHeaderBytes = 8;

} // namespace clinch
