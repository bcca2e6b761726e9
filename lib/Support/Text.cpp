//===- Text.cpp - UTF-8 checks and escapes --------------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Support/Text.h"

#include <cstdint>
#include <cstring>

using namespace clinch;

/// The smallest code point of each length; overlong encodings are invalid.
static constexpr uint32_t Least[] = {0, 0, 0x80, 0x800, 0x10000};

size_t clinch::utf8Length(std::string_view Text, size_t At) {
  auto Byte = [&](size_t I) { return static_cast<unsigned char>(Text[I]); };
  unsigned char First = Byte(At);
  if (First < 0x80)
    return 1;
  size_t Length = First >> 5 == 6    ? 2
                  : First >> 4 == 14 ? 3
                  : First >> 3 == 30 ? 4
                                     : 0;
  if (!Length || At + Length > Text.size())
    return 0;
  uint32_t Code = First & (0x7f >> Length);
  for (size_t I = At + 1; I != At + Length; ++I) {
    if ((Byte(I) & 0xc0) != 0x80)
      return 0;
    Code = Code << 6 | (Byte(I) & 0x3f);
  }
  bool Surrogate = Code >= 0xd800 && Code < 0xe000;
  return Code < Least[Length] || Code > 0x10ffff || Surrogate ? 0 : Length;
}

size_t clinch::findNoText(std::string_view Text) {
  constexpr uint64_t High = 0x8080808080808080, Ones = 0x0101010101010101;
  for (size_t At = 0; At < Text.size();) {
    if (At + 8 <= Text.size()) {
      uint64_t Eight;
      memcpy(&Eight, Text.data() + At, 8);
      if (!((Eight | ((Eight - Ones) & ~Eight)) & High)) { // No NUL either.
        At += 8;
        continue;
      }
    }
    size_t Length = Text[At] ? utf8Length(Text, At) : 0;
    if (!Length)
      return At;
    At += Length;
  }
  return std::string_view::npos;
}

std::string clinch::escaped(std::string_view Text) {
  static constexpr char Hex[] = "0123456789abcdef";
  std::string Out;
  for (size_t At = 0; At < Text.size();) {
    auto Byte = static_cast<unsigned char>(Text[At]);
    size_t Length = Byte < 0x20 ? 0 : utf8Length(Text, At);
    if (Byte == '\n') // A newline would end a directive.
      Out += "\\n";
    else if (Byte == '\\' || Byte == '"')
      Out += {'\\', char(Byte)};
    else if (Length)
      Out += Text.substr(At, Length);
    else
      Out += {'\\', '\\', 'x', Hex[Byte >> 4], Hex[Byte & 15]};
    At += Length ? Length : 1;
  }
  return Out;
}
