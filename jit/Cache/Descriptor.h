//===- Descriptor.h - A file that is open ----------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_CACHE_DESCRIPTOR_H
#define CLINCH_JIT_CACHE_DESCRIPTOR_H

#include <optional>
#include <string>
#include <sys/stat.h>

namespace clinch {

/// A file descriptor that closes itself; below 0: nothing could be opened.
struct Descriptor {
  explicit Descriptor(int Number) : Number(Number) {}
  ~Descriptor();
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;

  /// Nothing unless it is a regular file: a pipe is not waited for, when it was
  /// opened with O_NONBLOCK.
  std::optional<struct stat> regular() const;
  /// The first \p Size bytes, or nothing when there are fewer.
  std::optional<std::string> read(size_t Size) const;

  int Number;
};

} // namespace clinch

#endif // CLINCH_JIT_CACHE_DESCRIPTOR_H
