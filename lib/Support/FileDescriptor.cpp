// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An open file.

#include "lib/Support/FileDescriptor.h"

#include <cerrno>
#include <unistd.h>

using namespace clinch;

FileDescriptor::~FileDescriptor() {
  if (Number >= 0)
    ::close(Number);
}

std::optional<struct stat> FileDescriptor::regular() const {
  struct stat S;
  if (Number < 0 || fstat(Number, &S) != 0 || !S_ISREG(S.st_mode))
    return std::nullopt;
  return S;
}

std::optional<std::string> FileDescriptor::read(size_t Size) const {
  std::string Bytes(Size, '\0');
  size_t Have = 0;
  while (Have < Size) {
    ssize_t Got = ::read(Number, Bytes.data() + Have, Size - Have);
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got <= 0)
      return std::nullopt;
    Have += size_t(Got);
  }
  return Bytes;
}
