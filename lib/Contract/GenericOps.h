//===- GenericOps.h - Ops whose code Types provide -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_CONTRACT_GENERICOPS_H
#define CLINCH_LIB_CONTRACT_GENERICOPS_H

#include "clinch/Contract/Op.h"

#include <memory>
#include <optional>
#include <string>

namespace clinch {

/// The Ops whose C code each class of Types provides.
enum class GenericOp { DeepCopy, View, Shape, ShapeI };

/// C code for values of one class of Types. `%(iname)s` is the input,
/// `%(oname)s` the output, `%(fail)s` as in hooks, and for Shape_i `%(i)s` the
/// dimension.
struct RegisteredCode {
  std::string Code;
  std::string CheckInput; ///< Runs before Code; only for Shape_i.
  std::string Version;    ///< If empty, the Op has no version for any Type.
};

/// Registers or replaces the code for the class \p TypeKey (Type::registryKey).
/// That of arrays, scalars, floats and objects is built in.
void registerCode(GenericOp Op, std::string TypeKey, RegisteredCode Code);
std::optional<RegisteredCode> registeredCode(GenericOp Op,
                                             const std::string &TypeKey);

/// Makes a copy that shares nothing.
std::shared_ptr<const Op> deepCopyOp();
/// Returns its input; its viewMap says so.
std::shared_ptr<const Op> viewOp();
/// The lengths of all dimensions, a vector of int64.
std::shared_ptr<const Op> shapeOp();
/// The length of dimension \p I, a zero-dimensional array of int64.
std::shared_ptr<const Op> shapeIOp(unsigned I);

} // namespace clinch

#endif // CLINCH_LIB_CONTRACT_GENERICOPS_H
