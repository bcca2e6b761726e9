// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which line an address comes from.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clinch {

/// A section of machine code and where it was loaded.
struct LoadedSection {
  std::string Name;
  const char *Begin;
  const char *End;
};

struct LoadedFunction {
  const char *Begin;
  size_t Size;
  std::string Name; ///< Of its symbol.
};

/// The lines of loaded code, as its object's debug information has them.
/// Reading it allocates nothing, so that a signal handler can.
class LineTable {
public:
  struct Line {
    const char *File; ///< As `#line` or the compiler names it.
    unsigned Number;
    bool IsHeader; ///< The file is one of an `#include`.
  };

  /// \p Object is relocatable ELF. The table stays empty without line tables.
  LineTable(std::string_view Object, std::vector<LoadedSection> Sections,
            std::vector<LoadedFunction> Functions = {});

  bool contains(uintptr_t Address) const;
  /// Returns false if no line is known.
  bool find(uintptr_t Address, Line &Found) const;
  /// Returns the symbol of the function that an address is in, or null.
  const std::string *functionAt(uintptr_t Address) const;

private:
  static constexpr unsigned NoFile = ~0U; ///< Of the end of a sequence.
  struct Row {
    uintptr_t Address;
    unsigned File;   ///< In Files.
    unsigned Number; ///< 0: of no line.
  };
  std::vector<LoadedSection> Sections;
  std::vector<LoadedFunction> Functions;
  std::vector<Row> Rows; ///< Sorted by address.
  std::vector<std::string> Files;
};

} // namespace clinch
