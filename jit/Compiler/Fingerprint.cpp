// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The build and the CPU as parts of the key.

#include "BuildFingerprint.h"
#include "jit/Engine/Engine.h"
#include "jit/Engine/Options/Processor.h"

using namespace clinch;

std::string clinch::buildFingerprint() { return CLINCH_BUILD_FINGERPRINT; }

std::string clinch::hostCPUFingerprint() {
  return engine::Processor::host().text();
}
