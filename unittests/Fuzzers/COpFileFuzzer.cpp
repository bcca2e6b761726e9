// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops in any C file.

#include "lib/Contract/COpFile.h"

#include <cstdint>
#include <cstdlib>

using namespace clinch;

/// A file is refused with an error that names it, or has sections that say
/// where in it they stand.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::string Text(reinterpret_cast<const char *>(Data), Size);
  Expected<COpFile> File = COpFile::parse({{"author.c", Text}});
  if (!File) {
    if (File.error().render().find("author.c") == std::string::npos)
      std::abort();
    return 0;
  }
  COpContext C;
  C.ClassName = "Any";
  C.Name = "node_1";
  C.InputDtypes = {"npy_float64", ""};
  C.OutputDtypes = {"npy_float32"};
  C.Inputs = {"V1", "V3"};
  C.Outputs = {"V5"};
  C.Fail = "{failure = 1; goto label_1;}";
  for (size_t S = 0; S < SectionCount; ++S)
    if (File->has(Section(S))) {
      HookText H = File->text(Section(S), C);
      if (H.File != "author.c" || !H.Line)
        std::abort();
    }
  return 0;
}
