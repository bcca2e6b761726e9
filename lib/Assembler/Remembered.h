//===- Remembered.h - What was found out about texts -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types say the same in graph after graph, so that their texts need not be read
// each time.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_ASSEMBLER_REMEMBERED_H
#define CLINCH_LIB_ASSEMBLER_REMEMBERED_H

#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace clinch {

/// Applies of a graph as large as this say too much that is never said again.
constexpr size_t TooManyToRemember = 64;

/// text -> a \p Value that follows from it alone; in a megabyte. Any thread may
/// ask.
template <typename Value> class Remembered {
public:
  std::optional<Value> find(const std::string &Text) {
    std::lock_guard<std::mutex> Guard(Lock);
    auto At = Values.find(Text);
    if (At == Values.end())
      return std::nullopt;
    return std::optional<Value>(std::in_place, At->second);
  }
  /// What is full begins anew: what is said again and again is soon back.
  void add(std::string Text, Value V) {
    if (Text.size() > Longest)
      return;
    size_t Size = 2 * Text.size() + sizeof(std::string) + sizeof(Value);
    std::lock_guard<std::mutex> Guard(Lock);
    if (Bytes + Size > Most) {
      Values.clear();
      Bytes = 0;
    }
    if (Values.emplace(std::move(Text), std::move(V)).second)
      Bytes += Size;
  }

private:
  static constexpr size_t Longest = size_t(1) << 16, Most = size_t(1) << 20;
  std::mutex Lock;
  std::unordered_map<std::string, Value> Values;
  size_t Bytes = 0;
};

} // namespace clinch

#endif // CLINCH_LIB_ASSEMBLER_REMEMBERED_H
