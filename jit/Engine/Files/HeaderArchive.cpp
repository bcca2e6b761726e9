// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files kept in memory.

#include "HeaderArchive.h"

#include "lib/Support/Hash.h"

#include <cstring>
#include <vector>

using namespace clinch;
using namespace clinch::engine;

namespace {

constexpr std::string_view Magic = "CLINCHA1";
constexpr size_t HashSize = 32;
constexpr size_t HeaderSize = Magic.size() + HashSize + sizeof(uint32_t);
constexpr uint32_t DirectoryMark = UINT32_MAX;

/// An entry of the table. Offsets count from the start of the archive.
struct Record {
  uint32_t PathOffset, PathSize, TextOffset, TextSize;
};

Record recordAt(std::string_view Bytes, uint32_t Index) {
  Record R;
  std::memcpy(&R, Bytes.data() + HeaderSize + Index * sizeof(Record),
              sizeof(Record));
  return R;
}

uint32_t countOf(std::string_view Bytes) {
  uint32_t Count;
  std::memcpy(&Count, Bytes.data() + Magic.size() + HashSize, sizeof(Count));
  return Count;
}

bool inside(std::string_view Bytes, uint32_t Offset, uint32_t Size) {
  return Offset <= Bytes.size() && Size <= Bytes.size() - Offset;
}

} // namespace

HeaderArchive::HeaderArchive(std::string_view Bytes)
    : Bytes(Bytes), Count(Bytes.empty() ? 0 : countOf(Bytes)) {}

bool HeaderArchive::verify(std::string_view Bytes) {
  if (Bytes.size() < HeaderSize || Bytes.substr(0, Magic.size()) != Magic)
    return false;
  std::string_view Body = Bytes.substr(Magic.size() + HashSize);
  if (clinch::checksum(Body) != Bytes.substr(Magic.size(), HashSize))
    return false;
  uint64_t TableEnd = HeaderSize + uint64_t(countOf(Bytes)) * sizeof(Record);
  if (TableEnd > Bytes.size())
    return false;
  for (uint32_t I = 0, E = countOf(Bytes); I != E; ++I) {
    Record R = recordAt(Bytes, I);
    uint32_t TextSize = R.TextSize == DirectoryMark ? 0 : R.TextSize;
    if (!inside(Bytes, R.PathOffset, R.PathSize) ||
        !inside(Bytes, R.TextOffset, TextSize))
      return false;
  }
  return true;
}

std::string_view HeaderArchive::checksum() const {
  return Bytes.substr(Magic.size(), HashSize);
}

std::string_view HeaderArchive::path(uint32_t Index) const {
  Record R = recordAt(Bytes, Index);
  return Bytes.substr(R.PathOffset, R.PathSize);
}

HeaderArchive::Entry HeaderArchive::entry(uint32_t Index) const {
  Record R = recordAt(Bytes, Index);
  if (R.TextSize == DirectoryMark)
    return {Index, true, {}};
  return {Index, false, Bytes.substr(R.TextOffset, R.TextSize)};
}

std::optional<HeaderArchive::Entry>
HeaderArchive::find(std::string_view Path) const {
  uint32_t Low = 0, High = Count;
  while (Low < High) {
    uint32_t Middle = Low + (High - Low) / 2;
    int Order = path(Middle).compare(Path);
    if (Order == 0)
      return entry(Middle);
    (Order < 0 ? Low : High) = Order < 0 ? Middle + 1 : Middle;
  }
  return std::nullopt;
}

std::string_view HeaderArchive::text(std::string_view Path) const {
  std::optional<Entry> E = find(Path);
  return E ? E->Text : std::string_view();
}

void ArchiveBuilder::add(std::string_view Path, std::string Text) {
  Files[std::string(Path)] = std::move(Text);
  for (size_t Slash = Path.rfind('/'); Slash && Slash != Path.npos;
       Slash = Path.rfind('/')) {
    Path = Path.substr(0, Slash);
    if (!Files.emplace(Path, std::nullopt).second)
      return;
  }
}

std::string ArchiveBuilder::finish() const {
  std::vector<Record> Table;
  std::string Data;
  size_t DataStart = HeaderSize + Files.size() * sizeof(Record);
  auto Put = [&](std::string_view S) {
    uint32_t Offset = DataStart + Data.size();
    Data.append(S);
    Data.push_back('\0');
    return Offset;
  };
  for (const auto &[Path, Text] : Files) {
    uint32_t PathOffset = Put(Path);
    if (!Text) {
      Table.push_back({PathOffset, uint32_t(Path.size()), 0, DirectoryMark});
      continue;
    }
    // Align: a precompiled prefix is a stream of 32-bit words.
    Data.resize((Data.size() + DataStart + 15) / 16 * 16 - DataStart);
    uint32_t TextOffset = Put(*Text);
    Table.push_back({PathOffset, uint32_t(Path.size()), TextOffset,
                     uint32_t(Text->size())});
  }
  uint32_t Count = Table.size();
  std::string Body(reinterpret_cast<const char *>(&Count), sizeof(Count));
  Body.append(reinterpret_cast<const char *>(Table.data()),
              Table.size() * sizeof(Record));
  Body += Data;
  return std::string(Magic) + clinch::checksum(Body) + Body;
}
