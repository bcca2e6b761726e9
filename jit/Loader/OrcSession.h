//===- OrcSession.h - The one ExecutionSession of the process ---*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Modules live in JITDylibs of 1,024 places each, called shards: the tables of
// a single one would stall while they grow, and never shrink. Empty shards are
// removed. All shards name their places alike, so the string pool does not
// grow. Layers have such tables too, so each serves only some shards.
//
// If memory runs out, std::bad_alloc leaves ORC half-way, with its locks held.
// That session is then abandoned: its code stays, and the next link makes a new
// one.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_ORCSESSION_H
#define CLINCH_JIT_LOADER_ORCSESSION_H

#include "CodeMemoryManager.h"
#include "lib/Support/Forks.h"

#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

#include <memory>
#include <vector>

namespace clinch {

class LinkedModule;

class OrcSession {
public:
  /// Links the objects of \p Job in the session of the process and fills in its
  /// results. Runs none of their code. The session is never destroyed, because
  /// code may run until the process exits, and it survives a fork.
  static Expected<std::unique_ptr<LinkedModule>> link(LinkJob &Job);

private:
  friend class LinkedModule;
  struct Shard;

  OrcSession();
  static OrcSession &process();
  void abandon() noexcept;
  std::unique_ptr<LinkedModule> place(LinkJob &Job);
  std::shared_ptr<llvm::orc::ObjectLinkingLayer> makeLayer(const LinkJob &Job);
  llvm::orc::ObjectLinkingLayer &layerFor(Shard &Home, const LinkJob &Job);
  Shard &shardFor(const LinkJob &Job);
  Shard &newShard(unsigned Places);
  llvm::Error linkInto(LinkedModule &M, LinkJob &Job);
  llvm::Error add(LinkedModule &M, LinkJob &Job, size_t Object);
  void remove(LinkedModule &M) noexcept;
  bool removeNow(LinkedModule &M);
  bool leave(Shard &Home, unsigned Place);
  void note(llvm::Error E);

  /// Held in every call of ORC, so that no lock of ORC is held over a fork.
  static std::mutex &lock() { return lockOf(ProcessLock::Linking); }
  static OrcSession *Now; ///< The session of the process, once made.
  bool IsAbandoned = false;
  llvm::orc::ExecutionSession Session;
  LinkJob *Current = nullptr;
  std::shared_ptr<llvm::orc::ObjectLinkingLayer> Plain, Debugged;
  std::vector<std::unique_ptr<Shard>> Shards;
  unsigned Links = 0, ShardsMade = 0;
  unsigned ShardsOfPlain = 0, ShardsGone = 0; ///< Since the last reset.
};

/// Owns a module's place and code.
class LinkedModule {
public:
  ~LinkedModule() { Session.remove(*this); }
  LinkedModule(const LinkedModule &) = delete;
  LinkedModule &operator=(const LinkedModule &) = delete;

private:
  friend class OrcSession;
  explicit LinkedModule(OrcSession &Session) : Session(Session) {}

  OrcSession &Session;
  llvm::orc::ResourceTrackerSP Tracker;
  OrcSession::Shard *Home = nullptr;
  unsigned Place = 0;
};

} // namespace clinch

#endif // CLINCH_JIT_LOADER_ORCSESSION_H
