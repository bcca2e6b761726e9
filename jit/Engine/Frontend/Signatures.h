// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a text.

#pragma once

#include "clang/AST/ASTConsumer.h"

#include <memory>
#include <string>

namespace clinch::engine {

/// Returns a consumer that describes the functions which a text defines for
/// others in \p Lines: the contents of FunctionsSection.
std::unique_ptr<clang::ASTConsumer> createSignatureWriter(std::string &Lines);

} // namespace clinch::engine
