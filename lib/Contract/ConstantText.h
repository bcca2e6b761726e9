//===- ConstantText.h - A constant as C text -------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_CONTRACT_CONSTANTTEXT_H
#define CLINCH_LIB_CONTRACT_CONSTANTTEXT_H

#include "lib/Contract/Scalar.h"

#include <string>

namespace clinch {

class Variable;

/// Returns what c_literal of a scalar type does: the host's value of
/// \p Constant as C text, or an empty text if the host cannot read it.
std::string constantText(const Variable &Constant, const ScalarInfo &Dtype);

} // namespace clinch

#endif // CLINCH_LIB_CONTRACT_CONSTANTTEXT_H
