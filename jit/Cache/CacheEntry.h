// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An entry of the cache as bytes.

#pragma once

#include "jit/Engine/Engine.h"

#include <optional>
#include <string>
#include <string_view>

namespace clinch {

/// Encodes an object and its facts, with a checksum that covers the key.
std::string encodeEntry(std::string_view Key, const EngineResult &R);

/// Returns nullopt unless encodeEntry() made \p Bytes for \p Key.
std::optional<EngineResult> decodeEntry(std::string_view Key,
                                        std::string_view Bytes);

} // namespace clinch
