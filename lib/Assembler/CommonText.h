//===- CommonText.h - Text of ours that stands in several places -*- C++
//-*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_ASSEMBLER_COMMONTEXT_H
#define CLINCH_LIB_ASSEMBLER_COMMONTEXT_H

#include "Blueprint.h"

namespace clinch {

/// The body of `void clinch_thrown(const char *Hook, const char *Subject)
/// noexcept`: says on whose text an exception came out of. One that is pending
/// already says more.
extern const std::string_view ThrownBody;

/// Where a module has the address of NumPy's table: whoever loads it puts it
/// there, instead of running NumPy's long way to it.
extern const std::string_view NumPyTable;

/// `import_array();` and nothing else: NumPyTable can stand in its place.
bool isNumPyImport(const GlobalPiece &G);

} // namespace clinch

#endif // CLINCH_LIB_ASSEMBLER_COMMONTEXT_H
