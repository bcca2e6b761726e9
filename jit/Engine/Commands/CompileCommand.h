// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One file compiled, one assembled.

#pragma once

#include "../Files/EngineFileSystem.h"
#include "Commands.h"

#include "llvm/ADT/ArrayRef.h"

namespace clinch::engine {

/// Does what Clang's driver passes to `clang -cc1`.
class CompileCommand {
public:
  CompileCommand(FileSources Files, const ObjectStore &Store)
      : Files(std::move(Files)), Store(Store) {}

  /// Returns the exit status. An object that is stored is not made again.
  int run(llvm::ArrayRef<const char *> Arguments) const;

private:
  using FileSystem = llvm::IntrusiveRefCntPtr<EngineFileSystem>;
  static int compile(llvm::ArrayRef<const char *> Arguments,
                     const FileSystem &FS);
  /// Returns nothing if there is more to a compile than one object.
  static std::optional<std::string>
  keyOf(llvm::ArrayRef<const char *> Arguments, const FileSystem &FS);

  const FileSources Files;
  const ObjectStore &Store;
};

/// Does what Clang's driver passes to `clang -cc1as`.
int assemble(llvm::ArrayRef<const char *> Arguments);

} // namespace clinch::engine
