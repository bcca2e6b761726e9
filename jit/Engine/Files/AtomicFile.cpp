//===- AtomicFile.cpp - Files written whole or not at all -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AtomicFile.h"

#include <atomic>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace clinch;

static bool makeFolder(const std::filesystem::path &Folder) {
  std::error_code EC;
  if (std::filesystem::is_directory(Folder, EC))
    return true;
  if (Folder.has_parent_path() && Folder.parent_path() != Folder &&
      !makeFolder(Folder.parent_path()))
    return false;
  return mkdir(Folder.c_str(), 0700) == 0 ||
         std::filesystem::is_directory(Folder, EC);
}

static bool writeAll(int File, std::string_view Text) {
  while (!Text.empty()) {
    ssize_t Written = write(File, Text.data(), Text.size());
    if (Written <= 0)
      return false;
    Text.remove_prefix(Written);
  }
  return true;
}

bool engine::writeAtomically(const std::string &Path, std::string_view Text) {
  static std::atomic<unsigned> Count{0};
  std::filesystem::path Target(Path);
  if (!makeFolder(Target.parent_path()))
    return false;
  std::string Aside =
      Target.parent_path() /
      ("." + Target.filename().string() + "." + std::to_string(getpid()) + "." +
       std::to_string(Count++) + ".tmp");
  int File = open(Aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (File < 0)
    return false;
  bool Good = writeAll(File, Text);
  Good = close(File) == 0 && Good;
  Good = Good && std::rename(Aside.c_str(), Path.c_str()) == 0;
  if (!Good)
    unlink(Aside.c_str());
  return Good;
}
