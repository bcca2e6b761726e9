//===- Hash.cpp - Content keys -------------------------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Support/Hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace clinch;

struct KeyBuilder::State {
  XXH3_state_t X;
};

KeyBuilder::KeyBuilder() : S(std::make_unique<State>()) {
  XXH3_128bits_reset(&S->X);
}

KeyBuilder::~KeyBuilder() = default;

KeyBuilder &KeyBuilder::add(std::string_view Field) {
  add(uint64_t(Field.size()));
  XXH3_128bits_update(&S->X, Field.data(), Field.size());
  return *this;
}

KeyBuilder &KeyBuilder::add(uint64_t Field) {
  XXH3_128bits_update(&S->X, &Field, sizeof Field);
  return *this;
}

static std::string hexadecimal(XXH128_hash_t H) {
  static constexpr char Digits[] = "0123456789abcdef";
  std::string Out(32, '0');
  for (size_t I = 0; I < 16; ++I) {
    uint64_t Half = I < 8 ? H.high64 : H.low64;
    unsigned Byte = unsigned(Half >> (56 - 8 * (I % 8))) & 0xff;
    Out[2 * I] = Digits[Byte >> 4];
    Out[2 * I + 1] = Digits[Byte & 15];
  }
  return Out;
}

std::string KeyBuilder::finish() const {
  return hexadecimal(XXH3_128bits_digest(&S->X));
}

std::string clinch::contentHash(std::string_view Text) {
  return hexadecimal(XXH3_128bits(Text.data(), Text.size()));
}
