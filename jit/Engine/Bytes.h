// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Serializes an engine's results.
//
// The format is valid only for this build of Clinch on this machine: in the
// cache, and between two processes.

#pragma once

#include "Engine.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace clinch {

class ByteWriter {
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
    for (const Diagnostic::FixIt &F : D.FixIts) {
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
  void result(const EngineResult &R) {
    text(R.Object);
    diagnostics(R.Warnings);
    number(R.Kept.size());
    for (const auto &[Name, Text] : R.Kept) {
      number(uint64_t(Name));
      text(Text);
    }
    manifest(R.Inputs);
  }
  void manifest(const Manifest &M) {
    number(M.DependsOnMore);
    number(M.Entries.size());
    for (const Manifest::Entry &E : M.Entries) {
      number(uint64_t(E.K));
      text(E.Path);
      text(E.Hash);
      const auto &[Device, Inode, Size, Modified, Changed] = E.Stamp;
      for (uint64_t N :
           {Device, Inode, Size, uint64_t(Modified), uint64_t(Changed)})
        number(N);
    }
  }

  std::string Out;
};

/// Reads what ByteWriter wrote. After the first item that does not fit, Good is
/// false and all reads return zeros and empty texts.
class ByteReader {
public:
  explicit ByteReader(std::string_view In) : In(In) {}

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
  /// Reads a number of items, of at least eight bytes each.
  size_t count() {
    uint64_t N = number();
    if (N > In.size() / sizeof N)
      Good = false;
    return Good ? size_t(N) : 0;
  }
  // NOLINTNEXTLINE(misc-no-recursion)
  Diagnostic diagnostic(unsigned Depth) {
    Diagnostic D;
    D.Level = Diagnostic::Severity(number());
    D.Origin = text();
    D.Line = unsigned(number());
    D.Column = unsigned(number());
    D.Message = text();
    D.SourceLine = text();
    for (size_t N = count(); N; --N) {
      Diagnostic::FixIt F;
      F.BeginColumn = unsigned(number());
      F.EndColumn = unsigned(number());
      F.Replacement = text();
      D.FixIts.push_back(std::move(F));
    }
    D.Notes = diagnostics(Depth + 1);
    return D;
  }
  // NOLINTNEXTLINE(misc-no-recursion)
  std::vector<Diagnostic> diagnostics(unsigned Depth = 0) {
    std::vector<Diagnostic> Diags;
    constexpr unsigned DeepestNote = 8;
    if (Depth > DeepestNote)
      Good = false;
    for (size_t N = count(); N && Good; --N)
      Diags.push_back(diagnostic(Depth));
    return Diags;
  }

  EngineResult result() {
    EngineResult R;
    R.Object = text();
    R.Warnings = diagnostics();
    for (size_t N = count(); N; --N) {
      auto Name = Stage(number());
      R.Kept.emplace_back(Name, text());
    }
    R.Inputs = manifest();
    return R;
  }
  Manifest manifest() {
    Manifest M;
    M.DependsOnMore = number() != 0;
    for (size_t N = count(); N; --N) {
      Manifest::Entry &E = M.Entries.emplace_back();
      E.K = Manifest::Kind(number());
      E.Path = text();
      E.Hash = text();
      auto &[Device, Inode, Size, Modified, Changed] = E.Stamp;
      Device = number(), Inode = number(), Size = number();
      Modified = int64_t(number()), Changed = int64_t(number());
    }
    return M;
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

} // namespace clinch
