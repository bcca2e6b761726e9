//===- CacheEntry.cpp - An entry of the cache as bytes -------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheEntry.h"
#include "clinch/Support/Hash.h"

#include <cstdint>
#include <cstring>

using namespace clinch;

namespace {

// The last byte is the version of the layout below.
constexpr std::string_view Magic("clinch\0\1", 8);
constexpr size_t ChecksumBytes = 32;

class Writer {
public:
  void number(uint64_t N) {
    Out.append(reinterpret_cast<const char *>(&N), sizeof N);
  }
  void text(std::string_view T) {
    number(T.size());
    Out += T;
  }
  void diagnostic(const Diagnostic &D) {
    number(uint64_t(D.Level));
    text(D.Origin);
    number(D.Line);
    number(D.Column);
    text(D.Message);
    text(D.SourceLine);
    number(D.FixIts.size());
    for (const FixIt &F : D.FixIts) {
      number(F.BeginColumn);
      number(F.EndColumn);
      text(F.Replacement);
    }
    diagnostics(D.Notes);
  }
  void diagnostics(const std::vector<Diagnostic> &Diags) {
    number(Diags.size());
    for (const Diagnostic &D : Diags)
      diagnostic(D);
  }

  std::string Out;
};

/// Reads what Writer wrote; from the first thing that does not fit on, only
/// zeros and empty texts, and Good is false.
class Reader {
public:
  explicit Reader(std::string_view In) : In(In) {}

  uint64_t number() {
    uint64_t N = 0;
    if (!has(sizeof N))
      return 0;
    std::memcpy(&N, In.data(), sizeof N);
    In.remove_prefix(sizeof N);
    return N;
  }
  std::string text() {
    uint64_t Size = number();
    if (!has(Size))
      return {};
    std::string T(In.substr(0, Size));
    In.remove_prefix(Size);
    return T;
  }
  /// A number of items; each takes at least eight bytes.
  size_t count() {
    uint64_t N = number();
    if (N > In.size() / sizeof N)
      Good = false;
    return Good ? size_t(N) : 0;
  }
  // NOLINTNEXTLINE(misc-no-recursion)
  Diagnostic diagnostic(unsigned Depth) {
    Diagnostic D;
    D.Level = Severity(number());
    D.Origin = text();
    D.Line = unsigned(number());
    D.Column = unsigned(number());
    D.Message = text();
    D.SourceLine = text();
    for (size_t N = count(); N; --N) {
      FixIt F;
      F.BeginColumn = unsigned(number());
      F.EndColumn = unsigned(number());
      F.Replacement = text();
      D.FixIts.push_back(std::move(F));
    }
    D.Notes = diagnostics(Depth + 1);
    return D;
  }
  // NOLINTNEXTLINE(misc-no-recursion)
  std::vector<Diagnostic> diagnostics(unsigned Depth) {
    std::vector<Diagnostic> Diags;
    constexpr unsigned DeepestNote = 8;
    if (Depth > DeepestNote)
      Good = false;
    for (size_t N = count(); N && Good; --N)
      Diags.push_back(diagnostic(Depth));
    return Diags;
  }

  bool atEnd() const { return Good && In.empty(); }

private:
  bool has(uint64_t Bytes) {
    if (Bytes > In.size())
      Good = false;
    return Good;
  }

  std::string_view In;
  bool Good = true;
};

/// Of everything behind the checksum, and of the key it must stand under.
std::string checksum(std::string_view Key, std::string_view Payload) {
  return KeyBuilder().add(Key).add(Payload).finish();
}

} // namespace

std::string clinch::encodeEntry(std::string_view Key, const EngineResult &R) {
  Writer W;
  W.text(R.Object);
  W.diagnostics(R.Warnings);
  W.number(R.Kept.size());
  for (const auto &[Name, Text] : R.Kept) {
    W.number(uint64_t(Name));
    W.text(Text);
  }
  W.number(R.Files.size());
  for (const FileDependency &F : R.Files) {
    W.text(F.Path);
    W.text(F.Hash);
  }
  std::string Out(Magic);
  Out += checksum(Key, W.Out);
  return Out + W.Out;
}

std::optional<EngineResult> clinch::decodeEntry(std::string_view Key,
                                                std::string_view Bytes) {
  if (Bytes.size() < Magic.size() + ChecksumBytes ||
      Bytes.substr(0, Magic.size()) != Magic)
    return std::nullopt;
  std::string_view Sum = Bytes.substr(Magic.size(), ChecksumBytes);
  std::string_view Payload = Bytes.substr(Magic.size() + ChecksumBytes);
  if (Sum != checksum(Key, Payload))
    return std::nullopt;
  Reader In(Payload);
  EngineResult R;
  R.Object = In.text();
  R.Warnings = In.diagnostics(0);
  for (size_t N = In.count(); N; --N) {
    auto Name = Stage(In.number());
    R.Kept.emplace_back(Name, In.text());
  }
  for (size_t N = In.count(); N; --N) {
    FileDependency F;
    F.Path = In.text();
    F.Hash = In.text();
    R.Files.push_back(std::move(F));
  }
  if (!In.atEnd())
    return std::nullopt;
  return R;
}
