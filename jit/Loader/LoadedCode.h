// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that can be called.

#pragma once

#include "CrashNotes.h"
#include "PerfMap.h"
#include "clinch/Compiler/Session.h"
#include "jit/Engine/Manifest.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace llvm::orc {
class ResourceTracker;
} // namespace llvm::orc

namespace clinch {

class FrameRegistration;
struct EmulatedVariable;
struct EngineResult;

/// A loaded object: what is known of it and what its destructor must undo. The
/// destructor also destroys its global objects. Who is given one reads it.
struct LoadedCode : std::enable_shared_from_this<LoadedCode> {
  struct Symbol {
    std::string Name;
    char *Address;
  };

  LoadedCode();
  ~LoadedCode();
  LoadedCode(const LoadedCode &) = delete;
  LoadedCode &operator=(const LoadedCode &) = delete;

  /// Returns null if there is no such symbol.
  void *lookup(std::string_view Name) const;

  /// Of the compile that had it linked: its key in the registry (see
  /// codeKey()), the text's name, the record without the object.
  std::string Key, Text;
  std::shared_ptr<const EngineResult> Record;
  Manifest Linked; ///< What the link looked at.
  /// The disk cache that it came from or was offered to last, by
  /// DiskCache::place(): it need not be asked again.
  mutable std::atomic<size_t> OfferedTo{0};

  /// Names of the globals and statics that the code can change, sorted.
  std::vector<std::string> Variables;
  std::vector<std::string> SharedThreadLocals; ///< See ObjectSummary.
  std::vector<clinch::Module::Function> Functions;
  std::string Types; ///< See ObjectSummary.
  size_t ObjectBytes = 0;
  std::string Object; ///< For another link, where no disk cache has it.
  size_t Bytes = 0;   ///< Memory of code and data.

  std::vector<Symbol> Symbols; ///< Sorted by name.
  std::vector<std::shared_ptr<void>> Libraries;
  std::vector<void (*)()> Finalizers;
  /// Whether functions were registered that run or end with this code.
  bool HasExitFunctions = false;
  std::vector<EmulatedVariable *> ThreadLocals;
  std::vector<std::unique_ptr<FrameRegistration>> Frames;
  std::optional<PerfMap::Entry> PerfNames;
  std::unique_ptr<CrashNotes> Notes;
  /// Its place in a shard of OrcSession, and what frees its memory there.
  unsigned Place = 0;
  llvm::IntrusiveRefCntPtr<llvm::orc::ResourceTracker> Tracker;
};

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
