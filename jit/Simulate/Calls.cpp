// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a device that print, synchronise and allocate.

#include "Calls.h"
#include "Block.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

using namespace clinch;
using namespace clinch::simulate;

// The block whose threads run on this thread of the process.
static thread_local Block *Running = nullptr;

void simulate::enterBlock(Block *B) { Running = B; }

/// What a function with frames of its own may need.
constexpr size_t LeastStack = size_t(16) << 10;

namespace {

ThreadView *self() {
  Thread &T = *Running->Current;
  const Program &P = T.Of->G.Notes.P;
  if (static_cast<char *>(__builtin_frame_address(0)) - T.StackLow <
      static_cast<ptrdiff_t>(LeastStack + P.LocalBytes)) {
    T.Of->G.Notes.add("stack", 0, 0,
                      T.Of->nameOf(T) +
                          " has no stack left: it calls too deep");
    T.Of->abandon(T);
  }
  return &T;
}

uint32_t barrier(Thread *T, uint32_t Id, uint32_t Count, uint32_t Kind,
                 uint32_t Value, uint32_t Site) {
  return T->Of->meet(*T, Id, Count, static_cast<Barrier>(Kind), Value != 0,
                     Site);
}

uint64_t warp(Thread *T, uint32_t Kind, uint32_t Mask, uint64_t Value,
              uint32_t Other, uint32_t Clamp, uint32_t Site) {
  return T->Of->meetWarp(*T, static_cast<Meeting>(Kind), Mask, Value, Other,
                         Clamp, Site);
}

void note(Thread *T, char *At, uint64_t Size, uint32_t What) {
  const uint32_t Align = What >> AccessBits & ((1U << AlignBits) - 1);
  T->Of->access(*T, At, Size,
                static_cast<Access>(What & ((1U << AccessBits) - 1)),
                1U << Align, What >> (AccessBits + AlignBits));
}

void callee(Thread *T, const void *Callee, uint32_t Site) {
  T->Of->call(*T, Callee, Site);
}

void poll(Thread *T) { T->Of->poll(*T); }

void fence(Thread *T) { T->Of->fence(*T); }
void idle(Thread *T, uint32_t Site, uint32_t InVain) {
  if (InVain)
    T->Of->idle(*T, Site);
  else
    T->Idle = 0;
}

uint32_t print(Thread *T, const char *Format, const char *Arguments) {
  unsigned Count = 0;
  T->Of->G.Notes.print(formatted(Format, Arguments, Count));
  return Count;
}

void fail(Thread *T, const char *Expression, const char *File, uint32_t Line,
          const char *Function, uint32_t Site) {
  T->Of->G.Notes.add("assert", Site, Site,
                     T->Of->nameOf(*T) + ": assertion `" + Expression +
                         "` failed (" + Function + ", " + File + ":" +
                         std::to_string(Line) + ")");
  T->Of->abandon(*T);
}

void trap(Thread *T, uint32_t Site) {
  T->Of->G.Notes.add("trap", Site, Site, T->Of->nameOf(*T) + " traps");
  T->Of->abandon(*T);
}

void leave(Thread *T) { T->Of->end(*T); }

struct Entry {
  const char *Name;
  void *Address;
};
} // namespace

void *simulate::findSimulation(std::string_view Name) {
  const Entry Entries[] = {
      {"clinch_sim_self", reinterpret_cast<void *>(self)},
      {"clinch_sim_barrier", reinterpret_cast<void *>(barrier)},
      {"clinch_sim_warp", reinterpret_cast<void *>(warp)},
      {"clinch_sim_access", reinterpret_cast<void *>(note)},
      {"clinch_sim_callee", reinterpret_cast<void *>(callee)},
      {"clinch_sim_poll", reinterpret_cast<void *>(poll)},
      {"clinch_sim_fence", reinterpret_cast<void *>(fence)},
      {"clinch_sim_idle", reinterpret_cast<void *>(idle)},
      {"clinch_sim_print", reinterpret_cast<void *>(print)},
      {"clinch_sim_assert", reinterpret_cast<void *>(fail)},
      {"clinch_sim_trap", reinterpret_cast<void *>(trap)},
      {"clinch_sim_exit", reinterpret_cast<void *>(leave)},
  };
  for (const Entry &E : Entries)
    if (Name == E.Name)
      return E.Address;
  return nullptr;
}

namespace {
class Reader {
public:
  explicit Reader(const char *At) : At(At) {}
  template <typename T> T next() {
    At += -reinterpret_cast<uintptr_t>(At) & (sizeof(T) - 1);
    T Value;
    std::memcpy(static_cast<void *>(&Value), At, sizeof(T));
    At += sizeof(T);
    return Value;
  }

private:
  const char *At;
};

template <typename T> std::string print(const std::string &Format, T Value) {
  const int Size = std::snprintf(nullptr, 0, Format.c_str(), Value);
  std::string Text(Size > 0 ? static_cast<size_t>(Size) : 0, '\0');
  std::snprintf(Text.data(), Text.size() + 1, Format.c_str(), Value);
  return Text;
}

/// Prints one argument as \p Format, such as "%5ld", says.
std::string printOne(const std::string &Format, Reader &R) {
  const size_t Longs = Format.find_first_of("ljzt");
  switch (Format.back()) {
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    return print(Format, R.next<double>());
  case 's':
    if (const auto *Text = R.next<const char *>())
      return print(Format, Text);
    return "(null)";
  case 'p':
    return print(Format, R.next<const void *>());
  case 'c':
    return print(Format, R.next<int>());
  default:
    return Longs != std::string::npos ? print(Format, R.next<int64_t>())
                                      : print(Format, R.next<int>());
  }
}
} // namespace

std::string simulate::formatted(const char *Format, const char *Arguments,
                                unsigned &Count) {
  std::string Out;
  Reader R(Arguments);
  Count = 0;
  for (const char *At = Format; *At;) {
    if (*At != '%') {
      Out += *At++;
      continue;
    }
    if (At[1] == '%') {
      Out += '%';
      At += 2;
      continue;
    }
    std::string One(1, *At++);
    while (*At && std::strchr("-+ #0123456789.*hljztL", *At)) {
      if (*At == '*') {
        One += std::to_string(R.next<int>());
        ++Count;
      } else {
        One += *At;
      }
      ++At;
    }
    if (!*At)
      return Out + One;
    One += *At++;
    if (!std::strchr("diouxXfFeEgGaAcsp", One.back())) {
      Out += One;
      continue;
    }
    Out += printOne(One, R);
    ++Count;
  }
  return Out;
}
