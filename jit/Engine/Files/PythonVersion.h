//===- PythonVersion.h - Which Python and NumPy headers are of -*- C++
//-*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs no LLVM: the key of a compile has it too.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_FILES_PYTHONVERSION_H
#define CLINCH_JIT_ENGINE_FILES_PYTHONVERSION_H

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace clinch::engine {

/// The headers that say which Python and which NumPy \p Folders are of, and how
/// these were configured; each from the first folder that has it.
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
