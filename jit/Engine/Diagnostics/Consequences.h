//===- Consequences.h - Errors that follow from others -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_DIAGNOSTICS_CONSEQUENCES_H
#define CLINCH_JIT_ENGINE_DIAGNOSTICS_CONSEQUENCES_H

#include "clinch/Support/Expected.h"

#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace clinch::engine {

/// The name that an error calls unknown; empty: it is about something else.
struct UnknownName {
  std::string Name;
  bool IsGuessed = false; ///< Clang went on with another name in its place.
};

/// Knows which errors of a text only follow from one that was said already: a
/// name that is missing is missing wherever it is used, and so is what would
/// have been declared with it; what Clang makes of a line in which it has
/// guessed a name is no news, nor what else is wrong with one use of a macro.
class Consequences {
public:
  /// Whether \p D, about \p Unknown, follows from an error before it; if not,
  /// it is remembered.
  bool follows(const Diagnostic &D, const UnknownName &Unknown);

private:
  void rememberDeclared(const Diagnostic &D, const std::string &Type);

  std::set<std::string> Missing;
  std::set<std::pair<std::string, unsigned>> Guessed; ///< Origin and line.
  std::set<std::tuple<std::string, unsigned, unsigned>> Places;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_DIAGNOSTICS_CONSEQUENCES_H
