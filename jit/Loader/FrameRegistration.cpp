//===- FrameRegistration.cpp - Frames that exceptions cross --------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameRegistration.h"

using namespace clinch;

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" void __register_frame(void *);
extern "C" void __deregister_frame(void *);
// NOLINTEND(bugprone-reserved-identifier)

FrameRegistration::FrameRegistration(char *Section) : Section(Section) {
  __register_frame(Section);
}

FrameRegistration::~FrameRegistration() { __deregister_frame(Section); }
