// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers unwind information.

#pragma once

#include <string_view>

namespace clinch {

/// Room for libgcc's record of a registration: six words, or a few more.
struct FrameNote {
  alignas(16) char Bytes[128] = {};
};

/// Registers an .eh_frame section with the unwinder for its own lifetime. Its
/// frames are whole; see FrameReader.h.
class FrameRegistration {
public:
  explicit FrameRegistration(std::string_view Section);
  ~FrameRegistration();
  FrameRegistration(const FrameRegistration &) = delete;
  FrameRegistration &operator=(const FrameRegistration &) = delete;

private:
  std::string_view Section;
  FrameNote Note;
};

} // namespace clinch
