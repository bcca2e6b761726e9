//===- GenericOps.h - Ops whose code Types provide -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_CONTRACT_GENERICOPS_H
#define CLINCH_LIB_CONTRACT_GENERICOPS_H

#include "clinch/Contract/Op.h"

#include <optional>
#include <string>

namespace clinch {

/// What registerCode() was given.
struct RegisteredCode {
  std::string Code, Version, CheckInput;
};
std::optional<RegisteredCode> registeredCode(GenericOp Op,
                                             const std::string &TypeKey);

} // namespace clinch

#endif // CLINCH_LIB_CONTRACT_GENERICOPS_H
