//===- DebugRegistration.cpp - What gdb is told --------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugRegistration.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

// The names, the layout and the values are gdb's; see "JIT Compilation
// Interface" in its manual. Weak, for LLVM defines them too.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
enum { JIT_NOACTION, JIT_REGISTER_FN, JIT_UNREGISTER_FN };

struct jit_code_entry {
  jit_code_entry *next_entry;
  jit_code_entry *prev_entry;
  const char *symfile_addr;
  uint64_t symfile_size;
};

struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag;
  jit_code_entry *relevant_entry;
  jit_code_entry *first_entry;
};

__attribute__((weak)) jit_descriptor __jit_debug_descriptor = {
    1, JIT_NOACTION, nullptr, nullptr};

__attribute__((weak, noinline)) void __jit_debug_register_code() {
  asm volatile("" ::: "memory");
}
}
// NOLINTEND(bugprone-reserved-identifier)

using namespace clinch;

struct DebugRegistration::Entry {
  std::string Object;
  jit_code_entry Code{};
};

static std::mutex &debuggerLock() {
  static auto *Lock = new std::mutex;
  return *Lock;
}

static void announce(jit_code_entry *Entry, uint32_t Action) {
  __jit_debug_descriptor.relevant_entry = Entry;
  __jit_debug_descriptor.action_flag = Action;
  __jit_debug_register_code();
  __jit_debug_descriptor.action_flag = JIT_NOACTION;
  __jit_debug_descriptor.relevant_entry = nullptr;
}

DebugRegistration::DebugRegistration(std::string Object)
    : E(std::make_unique<Entry>()) {
  E->Object = std::move(Object);
  jit_code_entry &Code = E->Code;
  Code.symfile_addr = E->Object.data();
  Code.symfile_size = E->Object.size();
  std::lock_guard<std::mutex> Guard(debuggerLock());
  Code.next_entry = __jit_debug_descriptor.first_entry;
  if (Code.next_entry)
    Code.next_entry->prev_entry = &Code;
  __jit_debug_descriptor.first_entry = &Code;
  announce(&Code, JIT_REGISTER_FN);
}

DebugRegistration::~DebugRegistration() {
  std::lock_guard<std::mutex> Guard(debuggerLock());
  jit_code_entry &Code = E->Code;
  if (Code.next_entry)
    Code.next_entry->prev_entry = Code.prev_entry;
  if (Code.prev_entry)
    Code.prev_entry->next_entry = Code.next_entry;
  else
    __jit_debug_descriptor.first_entry = Code.next_entry;
  announce(&Code, JIT_UNREGISTER_FN);
}

void clinch::tellPerf(const void *Address, size_t Size,
                      const std::string &Name) {
  std::string Path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  int File = open(Path.c_str(),
                  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (File < 0)
    return;
  char Numbers[40];
  int Length = snprintf(Numbers, sizeof Numbers, "%" PRIxPTR " %zx ",
                        uintptr_t(Address), Size);
  std::string Line(Numbers, size_t(Length));
  Line += Name + "\n";
  // One write: lines of several threads do not mix.
  [[maybe_unused]] ssize_t Written = write(File, Line.data(), Line.size());
  close(File);
}
