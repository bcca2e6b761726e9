// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf of a device.

#include "Print.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

using namespace clinch;

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
