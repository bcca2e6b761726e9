// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which function a block is in.
//
// Deeply nested text takes quadratic time to parse and to optimise, so a long
// ladder is split into functions, each called from the innermost block of the
// one before. A variable used outside its block's function lives in the state.
// If it is a number or a pointer, that other function copies it to a local, as
// the optimiser handles thousands of members badly.

#pragma once

#include "Blueprint.h"
#include "lib/Support/Declarations.h"

#include <memory>
#include <unordered_map>

namespace clinch {

/// Where a variable is declared. Kept small, as large graphs have many.
struct Placement {
  bool Member = false;       ///< Declared in the state.
  bool PythonMember = false; ///< So is its `py_<name>`.
  /// A text needs a name of its own: to paste it, or to capture its value.
  bool Named = false;
  bool PythonSeen = false; ///< An Op's code names `py_<name>`.
  /// `py_<name>` is always None and no text names it, so it is left out.
  bool NoPython = false;
  /// Only its readers can observe that it is opened and closed, so the first
  /// function that uses it may open it.
  bool Floating = false;
  /// Floating, and its texts can break no rule, so they need no region.
  bool Harmless = false;
  unsigned Home = ~0u;            ///< The chunk of run that opens it, or none.
  unsigned First = ~0u, Last = 0; ///< Chunks of run that use it.
  std::unique_ptr<const Declarations> Declared; ///< A member's.
};

/// One function of a ladder.
struct Chunk {
  std::vector<const Block *> Blocks;
  std::vector<unsigned> Floating; ///< Variables opened before the blocks.
  std::vector<unsigned> Copied;   ///< Members that are copied to locals.
  std::vector<unsigned> Members;  ///< Members that are used directly.
  std::vector<unsigned> Bound;    ///< Those of them that lambdas may capture.
  bool ByReference = false;       ///< The bound ones are references.
  std::vector<unsigned> Structs;  ///< Applies whose struct code is visible.
  bool Releases = false; ///< Some block may release something after the next
                         ///< function has returned.
};

struct Layout {
  std::vector<Placement> Places; ///< [number - 1]; variables come first.
  std::vector<Chunk> Run, Keep;
  bool Split = false;
  size_t Harmless = 0; ///< The number of harmless variables.
};

/// Whether the texts that open and close a variable's block name its object.
bool typeNamesPython(const Block &B, const AuthorMacros &Macros);

Layout makeLayout(const Blueprint &P, const AssembleOptions &O);

/// Maps the number of a code block to the temporaries that can be released
/// after it. Empty without AssembleOptions::ReleaseEarly. They are cleaned up
/// and initialised again, so that their own blocks may clean them up as always.
using LastUses = std::unordered_map<unsigned, std::vector<const Block *>>;

LastUses findLastUses(const Blueprint &P, const Layout &L);

} // namespace clinch
