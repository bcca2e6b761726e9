// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What hooks get and give.

#pragma once

#include "clinch/Support/Expected.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clinch {

/// What a hook returned. A C++ hook returns a template, `double %(name)s;`,
/// which the assembler fills; a Python hook returns filled text.
struct HookText {
  std::string Text;
  bool Filled = false;
  std::string File;  ///< The author's file, if known.
  unsigned Line = 0; ///< Where in it the text begins, if known.
  /// Names that `#line`s in the text give its parts, if it was put together
  /// from several places. The rules hold in each part.
  std::vector<std::string> LineNames;
  /// The hook that errors name if the text was made of others; null: its own.
  const char *MadeOf = nullptr;
  /// Whole statements or a declaration of Clinch's own, correct in every block:
  /// neither messages nor rules are about them.
  bool Ours = false;

  HookText(std::string Template = {}) : Text(std::move(Template)) {}
  HookText(const char *Template) : Text(Template) {}
  static HookText filled(std::string Text) {
    HookText H(std::move(Text));
    H.Filled = true;
    return H;
  }
  bool empty() const { return Text.empty(); }
};

/// The keys of a template and their values, in a stable order.
class Substitutions {
public:
  void set(std::string Key, std::string Value);
  /// Returns null if there is no such key.
  const std::string *find(std::string_view Key) const;
  const std::vector<std::pair<std::string, std::string>> &items() const {
    return Items;
  }

private:
  std::vector<std::pair<std::string, std::string>> Items;
};

/// The hooks that Types and Ops have in common. Texts and lists are empty by
/// default. \p CCompiler is "c" or "c++"; most C++ overrides ignore it.
class CodeProvider {
public:
  using Strings = Expected<std::vector<std::string>>;
  virtual ~CodeProvider();

  /// The author's name for the class: "Double", "VectorTimesScalar".
  virtual std::string className() const = 0;

  virtual Strings c_headers(std::string_view CCompiler) const;
  virtual Strings c_header_dirs(std::string_view CCompiler) const;
  virtual Strings c_libraries(std::string_view CCompiler) const;
  virtual Strings c_lib_dirs(std::string_view CCompiler) const;
  virtual Strings c_compile_args(std::string_view CCompiler) const;
  virtual Strings c_no_compile_args(std::string_view CCompiler) const;
  virtual Strings c_support_code() const;
  virtual Strings c_init_code() const;
  /// The language this code needs: "c", "c++", or "" for either. Two different
  /// answers in one graph are an error.
  virtual Expected<std::string> c_compiler() const;
  /// A tuple as text, such as "(1, 0)"; part of the key. If it is empty or
  /// "()", no copy is kept on disk.
  virtual Expected<std::string> c_code_cache_version() const;
};

} // namespace clinch
