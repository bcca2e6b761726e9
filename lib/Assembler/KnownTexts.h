//===- KnownTexts.h - Texts that were looked at before ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_ASSEMBLER_KNOWNTEXTS_H
#define CLINCH_LIB_ASSEMBLER_KNOWNTEXTS_H

#include <mutex>
#include <string>
#include <unordered_set>

namespace clinch {

/// Texts that are whole and have nothing that may meet what others have: no
/// label, no macro that stays. Types say the same in graph after graph, so
/// theirs need not be read each time. Any thread may ask.
class KnownTexts {
public:
  static KnownTexts &process();
  bool contains(const std::string &Text);
  void add(const std::string &Text);

private:
  static constexpr size_t Longest = size_t(1) << 16, Most = size_t(1) << 20;
  std::mutex Lock;
  std::unordered_set<std::string> Texts;
  size_t Bytes = 0;
};

} // namespace clinch

#endif // CLINCH_LIB_ASSEMBLER_KNOWNTEXTS_H
