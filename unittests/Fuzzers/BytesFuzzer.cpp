// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cache entries and messages of any bytes.

#include "jit/Cache/CacheEntry.h"
#include "jit/Compiler/Wire.h"

#include <cstdint>
#include <cstdlib>

using namespace clinch;

/// What is read as something is written as the same bytes again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::string_view Bytes(reinterpret_cast<const char *>(Data), Size);
  // libFuzzer reads the right checksum where it is compared.
  if (std::optional<EngineResult> R = decodeEntry("key", Bytes))
    if (encodeEntry("key", *R) != Bytes)
      std::abort();
  if (std::optional<Expected<EngineResult>> R = decodeReply(Bytes); R && *R) {
    std::string Entry = encodeEntry("key", **R);
    std::optional<EngineResult> Again = decodeEntry("key", Entry);
    if (!Again || encodeEntry("key", *Again) != Entry)
      std::abort();
  }
  if (std::optional<WireRequest> R = decodeRequest(Bytes)) {
    std::string Asked =
        encodeRequest(R->Config, R->Folder, R->Text, R->Options);
    std::optional<WireRequest> Again = decodeRequest(Asked);
    if (!Again || encodeRequest(Again->Config, Again->Folder, Again->Text,
                                Again->Options) != Asked)
      std::abort();
  }
  return 0;
}
