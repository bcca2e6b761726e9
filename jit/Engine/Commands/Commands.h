// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang and LLD as commands.
//
// What the program clinch-engine does where it is started with a command: `cc`
// and `c++` take gcc's arguments, `ld` those of a linker of ELF. The process is
// the command's own: it prints, and may exit.

#pragma once

#include "../Manifest.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace clinch {

/// Keeps the objects that `cc -c` makes. The functions may be empty.
struct ObjectStore {
  std::function<std::optional<std::string>(const std::string &Key)> Find;
  std::function<void(const std::string &Key, std::string Object,
                     Manifest Inputs)>
      Store;
};

/// Type and name of the function that runs a command, whose name is the first
/// of \p Words. Returns its exit status.
using RunCommandFn = int (*)(const std::vector<std::string> &Words,
                             const ObjectStore &Store);
constexpr const char *RunCommandSymbol = "clinch_engine_run";

} // namespace clinch
