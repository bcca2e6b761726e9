//===- Types.h - The types that come with Clinch ---------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_CONTRACT_TYPES_H
#define CLINCH_CONTRACT_TYPES_H

#include "clinch/Contract/Type.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clinch {

using TypePtr = std::shared_ptr<const Type>;

/// Python's float as a C double, called `Double`.
TypePtr floatType();

/// NumPy's scalar of this dtype, such as numpy.float32(1), as a C number.
Expected<TypePtr> scalarType(std::string_view Dtype);

/// Which arrays a tensorType() takes.
struct TensorSpec {
  std::string Dtype;
  /// The required length of each dimension, or AnyLength. A broadcastable
  /// dimension has length 1.
  std::vector<int64_t> Shape;
  bool Contiguous = false; ///< Only C-contiguous arrays; else any strides.
  bool Aligned = true;     ///< Only arrays whose items are aligned.

  static constexpr int64_t AnyLength = -1;
  bool operator==(const TensorSpec &) const = default;
};

/// numpy.ndarray as a `PyArrayObject *` that owns a reference. Byte order is
/// always the machine's own.
Expected<TypePtr> tensorType(TensorSpec Spec);

/// Any Python object as a `PyObject *` that owns a reference.
TypePtr genericType();

/// Opaque C data: what it is, how to free it, and what its text needs.
struct CDataSpec {
  std::string CType;        ///< A pointer type: "struct table *".
  std::string FreeFunction; ///< "void f(void *)"; empty: nothing to free.
  std::vector<std::string> Headers, HeaderDirs, Libraries, LibraryDirs,
      CompileArgs;
  std::string SupportCode;
  std::string Version; ///< See CodeProvider::c_code_cache_version.

  bool operator==(const CDataSpec &) const;
};

/// A pointer in an unnamed PyCapsule, which frees it; NULL is None.
Expected<TypePtr> cdataType(CDataSpec Spec);

} // namespace clinch

#endif // CLINCH_CONTRACT_TYPES_H
