//===- Fingerprint.cpp - The build and the CPU as parts of the key -------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildFingerprint.h"
#include "jit/Engine/Engine.h"
#include "jit/Engine/Options/Processor.h"

using namespace clinch;

std::string clinch::buildFingerprint() { return CLINCH_BUILD_FINGERPRINT; }

std::string clinch::hostCPUFingerprint() {
  return engine::Processor::host().text();
}
