// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Detects changed headers.

#include "FileDependencies.h"

#include "lib/Support/FileDescriptor.h"
#include "lib/Support/Hash.h"

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

using namespace clinch;

/// A file that is not regular, such as an included pipe, counts as changed.
static bool isUnchanged(const FileDependency &F) {
  if (F.Hash.empty())
    return access(F.Path.c_str(), F_OK) != 0;
  FileDescriptor File(open(F.Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::optional<struct stat> S = File.regular();
  if (!S)
    return false;
  std::optional<std::string> Text = File.read(size_t(S->st_size));
  return Text && contentHash(*Text) == F.Hash;
}

bool clinch::areUnchanged(const std::vector<FileDependency> &Files) {
  return std::all_of(Files.begin(), Files.end(), isUnchanged);
}
