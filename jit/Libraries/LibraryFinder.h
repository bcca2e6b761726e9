// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries by -l and -L.

#pragma once

#include "StaticLibrary.h"
#include "jit/Engine/Manifest.h"

#include <memory>
#include <string>
#include <vector>

namespace clinch {

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
