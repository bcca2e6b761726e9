// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands in <<<...>>>.

#include "Launches.h"

#include <array>

using namespace clinch;
using namespace clinch::cuda;

/// A launch may stand among the arguments of another.
constexpr size_t MostNested = 16;

namespace {
struct Stack {
  std::array<Launch, MostNested> Pushed;
  size_t Count;
  Launch Current;
};
} // namespace

static thread_local constinit Stack Launches{};

Code cuda::failed(Code Number, const std::string &Kernel,
                  const std::string &Why) {
  const Launch &L = Launches.Current;
  return note(Number, "The launch of `" + Kernel + "` failed: " + Why,
              L.File ? L.File : "", L.Line);
}

unsigned cuda::pushLaunch(Extents Grid, Extents Block, size_t Shared,
                          void *Stream, const char *File, unsigned Line) {
  if (Launches.Count == MostNested) {
    note(InvalidConfiguration,
         "A launch stands among the arguments of 16 "
         "others: that is too deep.",
         File, Line);
    return 1; // Then nothing is launched.
  }
  Launches.Pushed[Launches.Count++] = {Grid, Block, Shared, Stream, File, Line};
  return 0;
}

Code cuda::popLaunch(Extents *Grid, Extents *Block, size_t *Shared,
                     void *Stream) {
  if (!Launches.Count)
    return note(InvalidConfiguration,
                "A kernel was called as a function: expected a launch.");
  const Launch &L = Launches.Current = Launches.Pushed[--Launches.Count];
  *Grid = L.Grid;
  *Block = L.Block;
  *Shared = L.Shared;
  *static_cast<void **>(Stream) = L.Stream;
  return Success;
}
