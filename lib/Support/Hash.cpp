// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Content keys.

#include "lib/Support/Hash.h"

#include "llvm-c/blake3.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace clinch;

KeyBuilder &KeyBuilder::add(std::string_view Field) {
  add(uint64_t(Field.size()));
  Bytes += Field;
  return *this;
}

KeyBuilder &KeyBuilder::add(uint64_t Field) {
  Bytes.append(reinterpret_cast<const char *>(&Field), sizeof Field);
  return *this;
}

/// BLAKE3 hashes four chunks of 1 kB at once in the time of one, and a part of
/// a chunk alone; so longer keys are filled up, and end with their size.
std::string KeyBuilder::finish() {
  constexpr size_t AtOnce = size_t(4) * LLVM_BLAKE3_CHUNK_LEN;
  if (Bytes.size() <= LLVM_BLAKE3_CHUNK_LEN)
    return contentHash(Bytes);
  const uint64_t Size = Bytes.size();
  Bytes.resize((Size + sizeof Size + AtOnce - 1) / AtOnce * AtOnce);
  llvm::support::endian::write64le(Bytes.data() + Bytes.size() - sizeof Size,
                                   Size);
  return contentHash(Bytes);
}

std::string clinch::contentHash(std::string_view Text) {
  llvm_blake3_hasher Hasher;
  llvm_blake3_hasher_init(&Hasher);
  llvm_blake3_hasher_update(&Hasher, Text.data(), Text.size());
  uint8_t Bytes[16];
  llvm_blake3_hasher_finalize(&Hasher, Bytes, sizeof Bytes);
  return llvm::toHex(Bytes, /*LowerCase=*/true);
}

std::string clinch::checksum(std::string_view Text) {
  const llvm::XXH128_hash_t H = llvm::xxh3_128bits(
      {reinterpret_cast<const uint8_t *>(Text.data()), Text.size()});
  uint8_t Bytes[16];
  llvm::support::endian::write64be(Bytes, H.high64);
  llvm::support::endian::write64be(Bytes + 8, H.low64);
  return llvm::toHex(Bytes, /*LowerCase=*/true);
}
