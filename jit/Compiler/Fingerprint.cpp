//===- Fingerprint.cpp - The build and the CPU as parts of the key -------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildFingerprint.h"
#include "jit/Engine/Engine.h"

#include <cpuid.h>

using namespace clinch;

std::string clinch::buildFingerprint() { return CLINCH_BUILD_FINGERPRINT; }

std::string clinch::hostCPUFingerprint() {
  std::string Out;
  for (unsigned Leaf :
       {0U, 1U, 7U, 0xdU, 0x14U, 0x19U, 0x80000001U, 0x80000008U}) {
    unsigned A = 0, B = 0, C = 0, D = 0;
    if (!__get_cpuid_count(Leaf, 0, &A, &B, &C, &D))
      continue;
    if (Leaf == 1)
      B &= 0xff00; // The rest depends on the core this runs on.
    for (unsigned Register : {A, B, C, D})
      Out += std::to_string(Register) + ",";
  }
  return Out;
}
