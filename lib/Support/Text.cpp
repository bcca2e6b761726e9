// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UTF-8, escapes, counts, names as their authors know them.

#include "lib/Support/Text.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/ConvertUTF.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

using namespace clinch;

size_t clinch::utf8Length(std::string_view Text, size_t At) {
  const auto *Begin = reinterpret_cast<const llvm::UTF8 *>(Text.data());
  const llvm::UTF8 *Here = Begin + At;
  return llvm::isLegalUTF8Sequence(Here, Begin + Text.size())
             ? llvm::getNumBytesForUTF8(*Here)
             : 0;
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

std::string clinch::counted(size_t Count, std::string_view What) {
  std::string Text = std::to_string(Count) + " ";
  Text += What;
  return Count == 1 ? Text : Text + "s";
}

std::string_view
clinch::closestName(std::string_view Name,
                    const std::vector<std::string_view> &Names) {
  std::string_view Closest;
  size_t Nearest = 1 + (Name.size() + 1) / 3;
  for (std::string_view N : Names)
    if (N.size() < Name.size() + Nearest)
      if (size_t Distance = llvm::StringRef(Name).edit_distance(N);
          Distance < Nearest) {
        Nearest = Distance;
        Closest = N;
      }
  return Closest;
}

std::string clinch::symbolName(const std::string &Symbol) {
  llvm::ItaniumPartialDemangler D; // Refers to its text.
  if (!Symbol.starts_with("_Z") || D.partialDemangle(Symbol.c_str()))
    return Symbol;
  char *Text = D.isFunction() ? D.getFunctionName(nullptr, nullptr)
                              : D.finishDemangle(nullptr, nullptr);
  std::string Name = Text;
  std::free(Text);
  if (const size_t At = Name.rfind(")::"); At != std::string::npos)
    Name.erase(0, At + 3);
  return Name;
}
