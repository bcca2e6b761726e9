// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands in <<<...>>>.

#pragma once

#include "Problems.h"

#include <cstddef>
#include <cstdint>

namespace clinch::cuda {

/// `dim3` of CUDA, passed as it is there.
struct Extents {
  uint32_t X, Y, Z;
};

/// A launch of the thread, and its place in an author's text.
struct Launch {
  Extents Grid, Block;
  size_t Shared;
  void *Stream;
  const char *File;
  uint32_t Line;
};

/// Notes that the launch of \p Kernel failed, and where.
Code failed(Code Number, const std::string &Kernel, const std::string &Why);

/// \name What compiled code calls for `<<<...>>>`, and in the kernel's stub.
/// @{
unsigned pushLaunch(Extents Grid, Extents Block, size_t Shared, void *Stream,
                    const char *File, unsigned Line);
Code popLaunch(Extents *Grid, Extents *Block, size_t *Shared, void *Stream);
/// @}

} // namespace clinch::cuda
