// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers unwind information.
//
// libgcc's __register_frame crashes if it gets no memory for its record. So the
// functions below are used, which take a record.

#include "FrameRegistration.h"
#include "lib/Support/Forks.h"

using namespace clinch;

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" void __register_frame_info(const void *, void *);
extern "C" void *__deregister_frame_info(const void *);
// NOLINTEND(bugprone-reserved-identifier)

FrameRegistration::FrameRegistration(std::string_view Section)
    : Section(Section) {
  LockGuard Guard(lockOf(ProcessLock::Frames));
  __register_frame_info(Section.data(), &Note);
}

FrameRegistration::~FrameRegistration() {
  LockGuard Guard(lockOf(ProcessLock::Frames));
  __deregister_frame_info(Section.data());
}
