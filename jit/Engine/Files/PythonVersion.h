//===- PythonVersion.h - Versions of Python and NumPy headers ---*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs no LLVM, since the cache key uses it too.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_FILES_PYTHONVERSION_H
#define CLINCH_JIT_ENGINE_FILES_PYTHONVERSION_H

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace clinch::engine {

/// Returns the headers that give the versions and configuration of the Python
/// and NumPy in \p Folders, each from the first folder that has it.
inline std::string pythonVersion(const std::vector<std::string> &Folders) {
  std::string Result;
  for (const char *Name :
       {"patchlevel.h", "pyconfig.h", "numpy/_numpyconfig.h"})
    for (const std::string &Folder : Folders) {
      std::ifstream In(Folder + "/" + Name, std::ios::binary);
      if (!In)
        continue;
      std::ostringstream Text;
      Text << In.rdbuf();
      Result += Text.str() + '\n';
      break;
    }
  return Result;
}

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_FILES_PYTHONVERSION_H
