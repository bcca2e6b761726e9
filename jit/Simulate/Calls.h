// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose calls simulated code makes.

#pragma once

namespace clinch::simulate {

class Block;

/// What runs on this thread of the process are the threads of \p B; null: none.
void enterBlock(Block *B);

} // namespace clinch::simulate
