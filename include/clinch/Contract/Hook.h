//===- Hook.h - What hooks get and give ------------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_CONTRACT_HOOK_H
#define CLINCH_CONTRACT_HOOK_H

#include "clinch/Support/Expected.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clinch {

/// What a hook returned. A C++ hook returns a template, `double %(name)s;`,
/// that the assembler fills; a Python hook returns text that is filled already.
struct HookText {
  std::string Text;
  bool Filled = false;
  std::string File;  ///< The author's file, when known.
  unsigned Line = 0; ///< Where in it the text begins, when known.
  /// The names that `#line` in the text gives to its parts: a text put together
  /// from several places. The rules hold in each.
  std::vector<std::string> LineNames;
  /// The hook to name where a text made of others fails; null: the one it is.
  const char *MadeOf = nullptr;

  HookText() = default;
  HookText(const char *Template) : Text(Template) {}
  HookText(std::string Template) : Text(std::move(Template)) {}
  static HookText filled(std::string Text) {
    HookText H(std::move(Text));
    H.Filled = true;
    return H;
  }
  bool empty() const { return Text.empty(); }
};

/// The keys of a template and what each is replaced by, in a stable order.
class Substitutions {
public:
  void set(std::string Key, std::string Value);
  /// Null when there is no such key.
  const std::string *find(std::string_view Key) const;
  const std::vector<std::pair<std::string, std::string>> &items() const {
    return Items;
  }

private:
  std::vector<std::pair<std::string, std::string>> Items;
};

/// The hooks that Types and Ops have in common. Texts and lists default to
/// nothing. A C++ override ignores \p CCompiler unless it cares.
class CodeProvider {
public:
  using Strings = Expected<std::vector<std::string>>;
  virtual ~CodeProvider();

  /// As the author calls it: "Double", "VectorTimesScalar".
  virtual std::string className() const = 0;

  virtual Strings c_headers(std::string_view CCompiler) const;
  virtual Strings c_header_dirs(std::string_view CCompiler) const;
  virtual Strings c_libraries(std::string_view CCompiler) const;
  virtual Strings c_lib_dirs(std::string_view CCompiler) const;
  virtual Strings c_compile_args(std::string_view CCompiler) const;
  virtual Strings c_no_compile_args(std::string_view CCompiler) const;
  virtual Strings c_support_code() const;
  virtual Strings c_init_code() const;
  /// "", "c" or "c++": the back end this code needs. Two different answers in
  /// one graph are an error.
  virtual Expected<std::string> c_compiler() const;
  /// A tuple of anything, as text, "(1, 0)": part of the key. Nothing, or "()":
  /// no copy is kept on disk.
  virtual Expected<std::string> c_code_cache_version() const;
};

} // namespace clinch

#endif // CLINCH_CONTRACT_HOOK_H
