// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From object to code.

#pragma once

#include "LoadedCode.h"
#include "clinch/Compiler/Options.h"

#include <memory>
#include <string_view>

namespace clinch {

/// Links \p Object, relocatable ELF that was compiled by \p O, into this
/// process with ORC and runs its initialisers. Frames that exceptions may cross
/// are known to the unwinder, code to be debugged to gdb and perf.
Expected<std::shared_ptr<LoadedCode>> linkObject(std::string_view Object,
                                                 const CompileOptions &O);

} // namespace clinch
