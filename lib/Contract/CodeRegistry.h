//===- CodeRegistry.h - Ops whose code Types bring -------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_CONTRACT_CODEREGISTRY_H
#define CLINCH_LIB_CONTRACT_CODEREGISTRY_H

#include "clinch/Contract/Op.h"

#include <memory>
#include <optional>
#include <string>

namespace clinch {

/// The Ops that know nothing of values: each class of Types says in C how.
enum class GenericOp { DeepCopy, View, Shape, ShapeI };

/// C code for values of one class of Types. `%(iname)s` is the input,
/// `%(oname)s` the output, `%(fail)s` as ever, and for Shape_i `%(i)s` the
/// dimension.
struct RegisteredCode {
  std::string Code;
  std::string CheckInput; ///< Before Code; of Shape_i only.
  std::string Version;    ///< Empty: the Op has no version then, for no Type.
};

/// Says or replaces the code for the class \p TypeKey (Type::registryKey).
/// Arrays, scalars, floats and objects have theirs from the start.
void registerCode(GenericOp Op, std::string TypeKey, RegisteredCode Code);
std::optional<RegisteredCode> registeredCode(GenericOp Op,
                                             const std::string &TypeKey);

/// A copy that shares nothing.
std::shared_ptr<const Op> deepCopyOp();
/// The same value again; its viewMap says so.
std::shared_ptr<const Op> viewOp();
/// The lengths of all dimensions, a vector of int64.
std::shared_ptr<const Op> shapeOp();
/// The length of dimension \p I, an array of no dimensions of int64.
std::shared_ptr<const Op> shapeIOp(unsigned I);

} // namespace clinch

#endif // CLINCH_LIB_CONTRACT_CODEREGISTRY_H
