// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries and archives that a text names.

#pragma once

#include "clinch/Support/Expected.h"
#include "jit/Engine/Manifest.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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

/// Either a shared library or an archive.
struct Library {
  std::shared_ptr<void> Handle; ///< From dlopen; its last user closes it.
  std::shared_ptr<const StaticLibrary> Archive;
};

/// Opens each of \p Names as a linker would for `-lNAME` and `-LDIR`: `m`,
/// `:libm.so.6`, or a path. Takes an archive if a folder has no shared library.
/// One error names all that are missing. \p LookedAt receives what the search
/// depends on.
Expected<std::vector<Library>>
openLibraries(const std::vector<std::string> &Names,
              const std::vector<std::string> &Dirs, Manifest &LookedAt);

} // namespace clinch
