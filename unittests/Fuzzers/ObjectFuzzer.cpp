// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Object files of any bytes.

#include "jit/Loader/ObjectReader.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

using namespace clinch;

/// An object is refused, or every name stands in it, a NUL behind it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::string_view Bytes(reinterpret_cast<const char *>(Data), Size);
  Expected<ObjectSummary> Read = readObject(Bytes);
  if (!Read)
    return 0;
  for (const Import &I : Read->Imports)
    if (I.Name.data() < Bytes.data() ||
        I.Name.data() + I.Name.size() >= Bytes.data() + Size ||
        I.Name.data()[I.Name.size()] != '\0')
      std::abort();
  for (std::string_view Name : Read->Definitions)
    if (Name.data() < Bytes.data() ||
        Name.data() + Name.size() > Bytes.data() + Size)
      std::abort();
  return 0;
}
