// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns that line up.

#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace clinch {

class Table {
public:
  using Row = std::vector<std::string>;
  explicit Table(Row Head) { add(std::move(Head)); }
  void add(Row R) {
    Width.resize(std::max(Width.size(), R.size()));
    for (size_t I = 0; I < R.size(); ++I)
      Width[I] = std::max(Width[I], columns(R[I]));
    Rows.push_back(std::move(R));
  }

  /// Two spaces between columns, none at the end of a line.
  std::string render() const {
    std::string Out;
    for (const Row &R : Rows) {
      for (size_t I = 0; I + 1 < R.size(); ++I)
        Out += R[I] + std::string(Width[I] - columns(R[I]) + 2, ' ');
      Out += R.back() + "\n";
    }
    return Out;
  }

private:
  /// Characters, not bytes.
  static size_t columns(const std::string &S) {
    return size_t(std::count_if(S.begin(), S.end(), [](unsigned char C) {
      return (C & 0xc0) != 0x80;
    }));
  }

  std::vector<Row> Rows;
  std::vector<size_t> Width;
};

} // namespace clinch
