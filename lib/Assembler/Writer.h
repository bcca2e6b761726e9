// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text as it grows.

#pragma once

#include "Blueprint.h"

#include <initializer_list>
#include <string>
#include <string_view>

namespace clinch {

/// A growing text that counts its lines, so that the lines after an author's
/// text are numbered as the thunk's own again.
class Writer {
public:
  explicit Writer(std::string FileName) : FileName(std::move(FileName)) {}

  /// Writes a line of ours, joined from \p Parts, at the current depth.
  void line(std::initializer_list<std::string_view> Parts);
  void line(std::string_view Only) { line({Only}); }
  /// Writes each line of \p Text at the current depth.
  void lines(std::string_view Text);
  void blank() { add("\n"); }
  struct Span {
    size_t Begin, End;
  };
  /// Writes an author's lines unchanged; messages call them \p Origin. Returns
  /// their position.
  Span authored(std::string_view Text, std::string_view Origin, unsigned Line);

  void open(std::string_view Comment = "");
  void close();
  /// Limits the indentation of lines.
  void limitMargin(size_t Spaces) { Widest = Spaces; }
  void indent() { ++Depth; }
  void dedent() { --Depth; }

  void reserve(size_t Bytes) { Out.reserve(Bytes); }
  std::string take() { return std::move(Out); }
  size_t size() const { return Out.size(); }

private:
  void add(std::string_view Text);
  void margin();

  std::string Out, FileName;
  unsigned Line = 1, Depth = 0;
  size_t Widest = 20;
};

/// Returns one task for each block: those of run, then those of init.
std::vector<Task> makeTasks(const Blueprint &P);

} // namespace clinch
