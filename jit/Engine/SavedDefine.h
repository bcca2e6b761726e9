//===- SavedDefine.h - Texts that become files ------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_SAVEDDEFINE_H
#define CLINCH_JIT_ENGINE_SAVEDDEFINE_H

namespace clinch {

/// Among CompileOptions::Defines: the object is linked to a file on disk, which
/// finds nothing of Clinch where it is loaded.
constexpr const char *SavedDefine = "__CLINCH_SAVED__";

} // namespace clinch

#endif // CLINCH_JIT_ENGINE_SAVEDDEFINE_H
