//===- Hash.h - Content keys ------------------------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_SUPPORT_HASH_H
#define CLINCH_LIB_SUPPORT_HASH_H

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace clinch {

/// A 128-bit content hash. Each text is hashed with its length, so ("ab", "c")
/// and ("a", "bc") differ.
class KeyBuilder {
public:
  KeyBuilder();
  ~KeyBuilder();
  KeyBuilder(const KeyBuilder &) = delete;
  KeyBuilder &operator=(const KeyBuilder &) = delete;

  KeyBuilder &add(std::string_view Field);
  KeyBuilder &add(uint64_t Field);
  /// 32 lower-case hexadecimal digits.
  std::string finish() const;

private:
  struct State;
  std::unique_ptr<State> S;
};

/// Returns the hash of one text: 32 lower-case hexadecimal digits.
std::string contentHash(std::string_view Text);

} // namespace clinch

#endif // CLINCH_LIB_SUPPORT_HASH_H
