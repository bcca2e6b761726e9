//===- Upgrade.h - Better code for what runs already ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may begin with the code of a quick tier. The code of the tier that
// was asked for is compiled on a thread of its own meanwhile, and thunks go
// over to it between two runs: the text is the same, so the state is too.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_UPGRADE_H
#define CLINCH_JIT_RUNTIME_UPGRADE_H

#include "clinch/Runtime/Program.h"

#include <atomic>
#include <mutex>
#include <optional>

namespace clinch {

class Upgrade : public std::enable_shared_from_this<Upgrade> {
public:
  /// \p S outlives everything. \p Size: of the state that will be handed over.
  Upgrade(Session &S, SourceText Text, CompileOptions O, bool HasModuleInit,
          size_t Size)
      : S(S),
        What(std::make_shared<Request>(Request{std::move(Text), std::move(O)})),
        HasModuleInit(HasModuleInit), StateSize(Size) {}

  /// Asks for it, once; does not wait.
  void request();
  /// Compiles it here, or waits for whoever does. Needs no GIL, and should
  /// not have it.
  void compile();

  enum class Progress { Waiting, Compiled, Failed };
  Progress progress() const { return Now.load(std::memory_order_acquire); }

  /// The new code once it is there, with its module initialised, else null.
  /// The GIL is held; nothing is raised.
  const Program::Entries *take();

private:
  struct Request {
    SourceText Text;
    CompileOptions Options;
  };

  Session &S;
  std::shared_ptr<const Request> What; ///< Null once it is done.
  bool HasModuleInit;
  size_t StateSize;
  std::atomic<bool> Requested{false};
  std::atomic<Progress> Now{Progress::Waiting};
  std::mutex Lock; ///< Of What and Code; for a moment, as hosts fork.
  Module Code;
  std::optional<Program::Entries> Found; ///< Guarded by the GIL.
};

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_UPGRADE_H
