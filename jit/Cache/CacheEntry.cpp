// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An entry of the cache as bytes.

#include "CacheEntry.h"
#include "jit/Engine/Bytes.h"
#include "lib/Support/Hash.h"

using namespace clinch;

namespace {

// The last byte is the version of the layout below.
constexpr std::string_view Magic("clinch\0\2", 8);
constexpr size_t ChecksumBytes = 32;

/// The checksum of all that follows it and of the key.
std::string sumOf(std::string_view Key, std::string_view Payload) {
  return checksum(std::string(Key) + checksum(Payload));
}

} // namespace

std::string clinch::encodeEntry(std::string_view Key, const EngineResult &R) {
  ByteWriter W;
  W.result(R);
  std::string Out(Magic);
  Out += sumOf(Key, W.Out);
  return Out + W.Out;
}

std::optional<EngineResult> clinch::decodeEntry(std::string_view Key,
                                                std::string_view Bytes) {
  if (Bytes.size() < Magic.size() + ChecksumBytes ||
      Bytes.substr(0, Magic.size()) != Magic)
    return std::nullopt;
  std::string_view Sum = Bytes.substr(Magic.size(), ChecksumBytes);
  std::string_view Payload = Bytes.substr(Magic.size() + ChecksumBytes);
  if (Sum != sumOf(Key, Payload))
    return std::nullopt;
  ByteReader In(Payload);
  EngineResult R = In.result();
  if (!In.atEnd())
    return std::nullopt;
  return R;
}
