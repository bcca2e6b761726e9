// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compressed bytes on disk.

#include "Packing.h"

#include "lib/Support/Hash.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"

#include <cstring>

using namespace clinch;
namespace zstd = llvm::compression::zstd;

/// A precompiled header is half as long by level 1, and 5 % shorter by level 3.
static constexpr int Level = 1;

/// Before what is compressed, with a checksum and its size; before what is not.
static constexpr std::string_view Mark = "CLINCHZ1", PlainMark = "CLINCHP1";

static llvm::ArrayRef<uint8_t> bytesOf(std::string_view S) {
  return llvm::arrayRefFromStringRef({S.data(), S.size()});
}

std::string engine::packed(std::string_view Bytes) {
  if (!zstd::isAvailable())
    return std::string(PlainMark).append(Bytes);
  const uint64_t Size = Bytes.size();
  llvm::SmallVector<uint8_t, 0> Short;
  zstd::compress(bytesOf(Bytes), Short, Level);
  std::string Body(reinterpret_cast<const char *>(&Size), sizeof Size);
  Body.append(Short.begin(), Short.end());
  return std::string(Mark).append(checksum(Body)).append(Body);
}

std::string engine::unpacked(std::string_view Packed) {
  if (Packed.starts_with(PlainMark))
    return std::string(Packed.substr(PlainMark.size()));
  const size_t Head = Mark.size() + checksum({}).size();
  uint64_t Size = 0;
  if (!zstd::isAvailable() || !Packed.starts_with(Mark) ||
      Packed.size() < Head + sizeof Size)
    return {};
  std::string_view Body = Packed.substr(Head);
  if (checksum(Body) != Packed.substr(Mark.size(), Head - Mark.size()))
    return {};
  std::memcpy(&Size, Body.data(), sizeof Size);
  std::string Result(Size, '\0');
  size_t Written = Size;
  if (llvm::errorToBool(zstd::decompress(
          bytesOf(Body.substr(sizeof Size)),
          reinterpret_cast<uint8_t *>(Result.data()), Written)) ||
      Written != Size)
    return {};
  return Result;
}
