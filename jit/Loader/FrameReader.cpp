// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads unwind information.
//
// An .eh_frame section is a list of entries: a length, then the distance back
// to the entry that several frames have in common, or zero in such an entry.

#include "FrameReader.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <vector>

using namespace clinch;

namespace {

constexpr size_t LengthBytes = 4, DistanceBytes = 4;
constexpr size_t HeadBytes = LengthBytes + DistanceBytes;

template <typename T> T read(const char *From) {
  T Value;
  std::memcpy(&Value, From, sizeof Value);
  return Value;
}

const char *next(const char *Entry) {
  return Entry + LengthBytes + read<uint32_t>(Entry);
}

/// Zero for an entry that others have in common.
int32_t distanceIn(const char *Entry) {
  return read<int32_t>(Entry + LengthBytes);
}

const char *commonOf(const char *F) { return F + LengthBytes - distanceIn(F); }

// How an address is written: a size, and what it is relative to.
constexpr unsigned SizeMask = 15, Plain = 0, Unsigned4 = 3, Unsigned8 = 4;
constexpr unsigned Signed4 = 11, Signed8 = 12, Relative = 16, Indirect = 128;
size_t bytesOf(unsigned Encoding) {
  const unsigned Size = Encoding & SizeMask;
  return Size == Unsigned4 || Size == Signed4 ? 4 : 8;
}
/// libgcc ends the process for others, and some it reads from anywhere.
bool isKnown(unsigned Encoding) {
  const unsigned Size = Encoding & SizeMask;
  return (Encoding & ~(SizeMask | Relative)) == 0 &&
         (Size == Plain || Size == Unsigned4 || Size == Unsigned8 ||
          Size == Signed4 || Size == Signed8);
}

/// Reads the beginning of an entry that others have in common.
class CommonReader {
public:
  explicit CommonReader(const char *Entry)
      : At(Entry + HeadBytes), End(next(Entry)) {}

  /// Returns how functions' addresses are written, or nullopt if the entry is
  /// not whole.
  std::optional<unsigned> encoding();

private:
  unsigned byte() { return At < End ? uint8_t(*At++) : (IsWhole = false); }
  void skipNumber() { // It has seven bits in a byte.
    while (byte() & 128)
      ;
  }

  const char *At, *End;
  bool IsWhole = true;
};

std::optional<unsigned> CommonReader::encoding() {
  const unsigned Version = byte();
  if (Version != 1 && Version != 3)
    return std::nullopt;
  const std::string_view Rest(At, size_t(End - At));
  const std::string_view Letters = Rest.substr(0, Rest.find('\0'));
  At += std::min(Letters.size() + 1, Rest.size());
  skipNumber(); // The alignment of code,
  skipNumber(); // of data,
  if (Version == 1)
    byte(); // the register of the return address,
  else
    skipNumber();
  if (Letters.substr(0, 1) != "z")
    return IsWhole ? std::optional(0U) : std::nullopt;
  skipNumber(); // the size of what the letters stand for.
  for (char Letter : Letters.substr(1)) {
    const unsigned Value = byte();
    if (Letter == 'R')
      return IsWhole && isKnown(Value) ? std::optional(Value) : std::nullopt;
    if (Letter == 'P') { // The function that says who catches.
      if (!isKnown(Value & ~Indirect))
        return std::nullopt;
      for (size_t I = bytesOf(Value); I; --I)
        byte();
    } else if (Letter != 'L') {
      break;
    }
  }
  return IsWhole ? std::optional(0U) : std::nullopt;
}

} // namespace

bool clinch::areFramesWhole(std::string_view Section) {
  std::vector<const char *> Commons;
  const char *Entry = Section.data();
  const char *End = Entry + Section.size();
  while (size_t(End - Entry) > LengthBytes && read<uint32_t>(Entry)) {
    const size_t Length = read<uint32_t>(Entry);
    if (Length < DistanceBytes || Length > size_t(End - Entry) - LengthBytes)
      return false;
    const bool IsCommon = distanceIn(Entry) == 0;
    if (!IsCommon && std::find(Commons.rbegin(), Commons.rend(),
                               commonOf(Entry)) == Commons.rend())
      return false;
    auto Encoding = CommonReader(IsCommon ? Entry : commonOf(Entry)).encoding();
    if (!Encoding ||
        (!IsCommon && Length < DistanceBytes + 2 * bytesOf(*Encoding)))
      return false;
    if (IsCommon)
      Commons.push_back(Entry);
    Entry = next(Entry);
  }
  return size_t(End - Entry) >= LengthBytes && read<uint32_t>(Entry) == 0;
}
