// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The keys of compiled code.

#pragma once

#include "clinch/Compiler/Options.h"
#include "clinch/Compiler/Session.h"

#include <string>

namespace clinch {

/// Returns the content key: a hash of everything that the object depends on,
/// except the files that the compile looks at, which its manifest lists. It is
/// the same in every process.
std::string contentKey(const SourceText &Text, const CompileOptions &O,
                       const Session::Options &S);

/// Returns whether the code may depend on this machine's processor.
bool usesHost(const CompileOptions &O);

/// Returns the key of loaded code: the content key, the objects that are linked
/// with it and the host's addresses.
std::string codeKey(const std::string &ContentKey, const CompileOptions &O);

} // namespace clinch
