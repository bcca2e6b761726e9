// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One file compiled, one assembled.

#pragma once

#include "Commands.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace clinch::engine {

/// Does what Clang's driver passes to `clang -cc1`.
class CompileCommand {
public:
  CompileCommand(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS,
                 const ObjectStore &Store)
      : FS(std::move(FS)), Store(Store) {}

  /// Returns the exit status. An object that is stored is not made again.
  int run(llvm::ArrayRef<const char *> Arguments) const;

private:
  int compile(llvm::ArrayRef<const char *> Arguments) const;
  /// Returns nothing where the outcome is not the text's alone.
  std::optional<std::string>
  keyOf(llvm::ArrayRef<const char *> Arguments) const;

  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS;
  const ObjectStore &Store;
};

/// Does what Clang's driver passes to `clang -cc1as`.
int assemble(llvm::ArrayRef<const char *> Arguments);

} // namespace clinch::engine
