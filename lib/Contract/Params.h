//===- Params.h - Parameters of Ops ----------------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_CONTRACT_PARAMS_H
#define CLINCH_LIB_CONTRACT_PARAMS_H

#include "clinch/Contract/Type.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace clinch {

struct ParamField {
  std::string Name; ///< A member of the struct: `%(params)s->name`.
  TypePtr T;
};

/// A struct with a member for each field; the variable is a pointer to it. Its
/// values are dicts with these keys, or objects with these attributes.
class ParamsType : public Type {
public:
  virtual const std::vector<ParamField> &fields() const = 0; ///< By name.
  /// "struct clinch_params_...", the value of `PARAMS_TYPE`.
  virtual const std::string &structType() const = 0;
};

/// Fails if a name cannot be a member in C and C++, or occurs twice.
Expected<std::shared_ptr<const ParamsType>>
paramsType(std::vector<ParamField> Fields);

struct EnumConstant {
  std::string Name;  ///< Capitals, digits and underscores: a macro in C.
  std::string Alias; ///< Another name; also a macro if it looks like one.
  std::variant<int64_t, double> Value = int64_t(0);
};

/// A choice among constants that C text names as macros.
struct EnumSpec {
  enum Kind {
    Values, ///< EnumType: each constant has a value.
    List,   ///< EnumList: 0, 1, 2 and so on; values given here are ignored.
    CNames  ///< CEnumType: C knows them already, from a header or a macro.
  };
  Kind What = Values;
  std::string CType = "double"; ///< Of the variable.
  std::vector<EnumConstant> Constants;
  /// For CNames: what declares the constants.
  std::vector<std::string> Headers, HeaderDirs, Libraries, LibraryDirs;
  std::string SupportCode;
};

/// Python's value is the constant's number; for CNames, its list position.
Expected<TypePtr> enumType(EnumSpec Spec);

} // namespace clinch

#endif // CLINCH_LIB_CONTRACT_PARAMS_H
