//===- BuildId.h - Which build a library is ---------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_COMPILER_BUILDID_H
#define CLINCH_JIT_COMPILER_BUILDID_H

#include <string>

namespace clinch {

/// What the linker wrote into the ELF file at \p Path to tell its contents
/// from any other's, or else its size and the time it was written; empty where
/// there is no such file.
std::string buildId(const std::string &Path);

/// Whether an ELF file ends before its segments do, as one of which a half was
/// copied: to load it would end the process.
bool isCutShort(const std::string &Path);

} // namespace clinch

#endif // CLINCH_JIT_COMPILER_BUILDID_H
