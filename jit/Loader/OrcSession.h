// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one ExecutionSession of the process.
//
// Modules live in JITDylibs of 1,024 places each, called shards: the tables of
// a single one would stall while they grow, and never shrink. Empty shards are
// removed. All shards name their places alike, so the string pool does not
// grow. Layers have such tables too, so each serves only some shards.
//
// If memory runs out, std::bad_alloc leaves ORC half-way, with its locks held:
// the next link would wait for ever. So that session is abandoned: its code
// stays, and the next link makes a new one (test_every_allocation.py).

#pragma once

#include "CodeMemoryManager.h"
#include "lib/Support/Forks.h"

#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

#include <memory>
#include <vector>

namespace clinch {

struct LoadedCode;

class OrcSession {
public:
  /// Returns JITLink's graph of an object, whose bytes must stay until it is
  /// linked. They are trusted: what is stored or sent has a checksum.
  static Expected<std::unique_ptr<llvm::jitlink::LinkGraph>>
  read(std::string_view Object);
  /// Links the objects of \p Job in the session of the process and fills in its
  /// results. Runs none of their code. The session is never destroyed, because
  /// code may run until the process exits, and it survives a fork.
  static Status link(LinkJob &Job);
  /// Frees the place and the memory of code that link() has linked.
  static void remove(LoadedCode &Code) noexcept;

private:
  struct Shard;

  OrcSession();
  static OrcSession &process();
  Shard &place(LinkJob &Job);
  std::shared_ptr<llvm::orc::ObjectLinkingLayer> makeLayer(const LinkJob &Job);
  llvm::orc::ObjectLinkingLayer &layerFor(Shard &Home, const LinkJob &Job);
  Shard &shardFor(const LinkJob &Job);
  Shard &newShard(unsigned Places);
  llvm::Error linkInto(Shard &Home, LinkJob &Job);
  bool removeNow(LoadedCode &Code);
  bool leave(Shard &Home, unsigned Place);
  void note(llvm::Error E);

  /// Held in every call of ORC, so that no lock of ORC is held over a fork.
  static std::mutex &lock() { return lockOf(ProcessLock::Linking); }
  static OrcSession *Now; ///< The session of the process, once made.
  llvm::orc::ExecutionSession Session;
  LinkJob *Current = nullptr;
  std::shared_ptr<llvm::orc::ObjectLinkingLayer> Plain, Debugged;
  std::vector<std::unique_ptr<Shard>> Shards;
  unsigned Links = 0, ShardsMade = 0;
  unsigned ShardsOfPlain = 0, ShardsGone = 0; ///< Since the last reset.
};

} // namespace clinch
