// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program clinch-bake.
//
//   clinch-bake ARCHIVE CLANG OWN FOLDER...
//
// writes the archive that the engine carries; OWN is the folder of Clinch's own
// headers, the others are those of Python.h and of NumPy.

#include "jit/Engine/Prefix/Bake.h"
#include "lib/Contract/PythonPrefix.h"

#include <cstdio>
#include <fstream>

using namespace clinch;

/// The headers of Python and NumPy that texts include beside the prefix's.
static constexpr const char *Headers[] = {"numpy/ufuncobject.h",
                                          "numpy/halffloat.h",
                                          "numpy/npy_3kcompat.h",
                                          "numpy/noprefix.h",
                                          "numpy/old_defines.h",
                                          "numpy/random/bitgen.h",
                                          "numpy/random/distributions.h",
                                          "numpy/npy_cpu.h",
                                          "numpy/npy_endian.h",
                                          "numpy/npy_os.h",
                                          "numpy/npy_interrupt.h",
                                          "structmember.h",
                                          "frameobject.h",
                                          "datetime.h",
                                          "marshal.h"};

/// The headers that texts include, and OpenMP's.
static constexpr const char *Own[] = {"clinch/add_at.h",
                                      "clinch/array.h",
                                      "clinch/array_of.h",
                                      "clinch/extreme.h",
                                      "clinch/gemm.h",
                                      "clinch/loops.h",
                                      "clinch/reduction.h",
                                      "clinch/search.h",
                                      "clinch/slice.h",
                                      "clinch/thunk.h",
                                      "omp.h"};

int main(int Count, char **Words) {
  if (Count < 4) {
    std::fputs("usage: clinch-bake ARCHIVE CLANG OWN FOLDER...\n", stderr);
    return 2;
  }
  auto Archive = engine::bakeArchive({PythonPrefix,
                                      {std::begin(Headers), std::end(Headers)},
                                      {Words + 4, Words + Count},
                                      {std::begin(Own), std::end(Own)},
                                      Words[3],
                                      Words[2]});
  if (!Archive) {
    std::fputs(Archive.error().render().c_str(), stderr);
    return 1;
  }
  std::ofstream Out(Words[1], std::ios::binary);
  Out << *Archive;
  Out.close();
  if (!Out)
    std::fprintf(stderr, "`%s` cannot be written.\n", Words[1]);
  return Out ? 0 : 1;
}
