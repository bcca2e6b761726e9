// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How wide vectors should be.

#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace clinch::engine {

/// Prefers vectors of 256 bits if \p M does little but move data. With 512 bits
/// every access of a large array crosses a cache line (malloc puts its data 16
/// bytes after a boundary), which costs a tenth of the time; with more
/// computation wider vectors win. Functions that set a width keep it.
void preferWidthOfMemory(llvm::Module &M);

/// Leaves what is over in a loop of few, known iterations (6 with vectors of 4)
/// to scalars, in the whole process. LLVM masks the last vector, which takes up
/// to ten times as long, with the masks of AVX-512 too.
void leaveRestsToScalars();

} // namespace clinch::engine
