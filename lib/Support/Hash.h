// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Content keys.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace clinch {

/// A hash of several fields that nobody can forge: 128 bits of BLAKE3. Each
/// text is hashed with its length, so ("ab", "c") and ("a", "bc") differ.
class KeyBuilder {
public:
  KeyBuilder &add(std::string_view Field);
  KeyBuilder &add(uint64_t Field);
  /// Ends the key: 32 lower-case hexadecimal digits.
  std::string finish();

private:
  std::string Bytes;
};

/// Returns the same hash of one text.
std::string contentHash(std::string_view Text);

/// Returns 32 hexadecimal digits that reveal damage, but not malice: XXH3,
/// which takes a tenth of the time.
std::string checksum(std::string_view Text);

} // namespace clinch
