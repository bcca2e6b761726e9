// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What blocks in CUDA call.

#include "Runtime.h"

#include "Images.h"
#include "Names.h"

using namespace clinch;
using namespace clinch::cuda;

namespace {
struct Entry {
  std::string_view Name;
  void *Address;
};

template <typename Function> void *addressOf(Function *F) {
  return reinterpret_cast<void *>(F);
}

} // namespace

void *cuda::findRuntime(std::string_view Name) {
  const bool IsSimulated = Name.starts_with(SimulatedPrefix);
  if (!IsSimulated && !Name.starts_with(DevicePrefix))
    return nullptr;
  Name.remove_prefix((IsSimulated ? SimulatedPrefix : DevicePrefix).size());
  const auto Launch = IsSimulated ? launchSimulated : launchOnDevice;
  const auto Wait = IsSimulated ? waitSimulated : waitOnDevice;
  const Entry Entries[] = {
#define CLINCH_CUDA_ENTRY(Name, Is) {#Name, addressOf(Is)},
      CLINCH_CUDA_RUNTIME(CLINCH_CUDA_ENTRY)
#undef CLINCH_CUDA_ENTRY
  };
  for (const Entry &E : Entries)
    if (E.Name == Name)
      return E.Address;
  return nullptr;
}
