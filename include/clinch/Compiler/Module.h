//===- Module.h - Machine code that can be called ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_COMPILER_MODULE_H
#define CLINCH_COMPILER_MODULE_H

#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clinch {

struct StageTime {
  std::string Name; ///< "parse", "irgen", "opt", "codegen", "load", ...
  double Milliseconds = 0;
};

enum class CacheResult { Miss, HitMemory, HitDisk };

struct CompileStats {
  std::vector<StageTime> Stages;
  size_t SourceBytes = 0;
  size_t ObjectBytes = 0;
  size_t CodeBytes = 0; ///< Of memory, code and data.
  CacheResult Cache = CacheResult::Miss;
};

/// A compiled text. Copies share it; the code goes with the last copy.
class Module {
public:
  Module() = default;

  /// Null when there is no such symbol.
  void *lookup(std::string_view Name) const;
  template <typename Fn> Fn lookupAs(std::string_view Name) const {
    return reinterpret_cast<Fn>(lookup(Name));
  }
  /// Names of what the code can change: its globals and statics. Sorted.
  const std::vector<std::string> &variables() const;

  explicit operator bool() const { return Data != nullptr; }
  const std::string &key() const;
  const CompileStats &stats() const;
  const std::vector<Diagnostic> &warnings() const;
  /// The ELF object that the code was loaded from, when CompileOptions::Keep
  /// names Stage::Obj, else empty: it is larger than the code.
  const std::string &object() const;
  /// The text of a stage named in CompileOptions::Keep, else null.
  const std::string *stage(Stage S) const;

private:
  friend class Session;
  struct Info;
  std::shared_ptr<const Info> Data;
};

} // namespace clinch

#endif // CLINCH_COMPILER_MODULE_H
