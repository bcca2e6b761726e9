//===- LibraryFinder.h - Libraries by -l and -L ----------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_LIBRARYFINDER_H
#define CLINCH_JIT_LOADER_LIBRARYFINDER_H

#include "clinch/Support/Expected.h"

#include <memory>
#include <string>
#include <vector>

namespace clinch {

/// What dlopen gave; closed with its last user.
using LibraryHandle = std::shared_ptr<void>;

/// Loads each of \p Names, as a linker would find it for `-lNAME` and `-LDIR`:
/// `m`, `:libm.so.6`, or a path. One error names all that are missing.
Expected<std::vector<LibraryHandle>>
openLibraries(const std::vector<std::string> &Names,
              const std::vector<std::string> &Dirs);

} // namespace clinch

#endif // CLINCH_JIT_LOADER_LIBRARYFINDER_H
