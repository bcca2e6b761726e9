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

/// What c_literal of a scalar type answers: the value that the host reads for
/// \p Constant, or nothing when it reads none.
std::string constantText(const Variable &Constant, const ScalarInfo &Dtype);

} // namespace clinch

#endif // CLINCH_LIB_CONTRACT_CONSTANTTEXT_H
