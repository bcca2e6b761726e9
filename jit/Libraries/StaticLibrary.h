// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An archive of object files.

#pragma once

#include "clinch/Support/Expected.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace clinch {

/// The objects of one `libNAME.a`, indexed by the symbols they define.
class StaticLibrary {
public:
  static Expected<std::shared_ptr<const StaticLibrary>>
  open(const std::string &Path);

  /// Returns the object that defines \p Name, or empty if there is none.
  std::string_view objectDefining(std::string_view Name) const;

private:
  std::string Bytes; ///< A copy: the file may change while it is read.
  std::unordered_map<std::string_view, std::string_view> Objects;
};

} // namespace clinch
