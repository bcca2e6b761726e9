//===- DescribedType.h - A Type of headers and libraries -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_CONTRACT_DESCRIBEDTYPE_H
#define CLINCH_LIB_CONTRACT_DESCRIBEDTYPE_H

#include "clinch/Contract/Type.h"

namespace clinch {

/// A Type whose description is a CNeeds too.
template <typename Description> class DescribedType : public Type {
public:
  explicit DescribedType(Description D) : Spec(std::move(D)) {}

  Strings c_headers(std::string_view) const override { return Spec.Headers; }
  Strings c_header_dirs(std::string_view) const override {
    return Spec.HeaderDirs;
  }
  Strings c_libraries(std::string_view) const override {
    return Spec.Libraries;
  }
  Strings c_lib_dirs(std::string_view) const override {
    return Spec.LibraryDirs;
  }

protected:
  const Description Spec;
};

} // namespace clinch

#endif // CLINCH_LIB_CONTRACT_DESCRIBEDTYPE_H
