// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Type of headers and libraries.

#pragma once

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
