//===- Flights.h - One makes what several want ------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_FLIGHTS_H
#define CLINCH_JIT_ENGINE_FLIGHTS_H

#include "clinch/Support/Forks.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

namespace clinch {

/// How a thread stands to what it wants.
enum class Boarding {
  Leads,         ///< It is to make it, and must call land() then.
  Landed,        ///< Another thread made it.
  Left,          ///< It was interrupted while another thread made it.
  WaitsForItself ///< It is made by this thread, or by one that waits for this.
};

/// While one thread makes something, others that want the same wait for that.
/// In a child of a fork nobody makes what a thread of the parent was making: it
/// is begun anew.
template <typename Result> class Flights {
public:
  struct Ticket {
    Boarding How = Boarding::Leads;
    std::shared_ptr<const Result> Made; ///< When it landed.
  };

  Ticket board(const std::string &Key,
               const std::function<bool()> &Interrupted) {
    std::shared_ptr<Flight> F;
    {
      std::lock_guard<std::mutex> Guard(Lock);
      std::shared_ptr<Flight> &Slot = Open[Key];
      if (!Slot || Slot->isOfAParent()) {
        // What the threads of the parent wait for is theirs.
        if (Slot)
          new std::shared_ptr<Flight>(std::move(Slot));
        Slot = std::make_shared<Flight>();
        return {};
      }
      F = Slot;
      if (waitsForMe(*F))
        return {Boarding::WaitsForItself, nullptr};
      Waiting[std::this_thread::get_id()] = F;
    }
    bool Left = !wait(*F, Interrupted);
    std::lock_guard<std::mutex> Guard(Lock);
    Waiting.erase(std::this_thread::get_id());
    if (Left)
      return {Boarding::Left, nullptr};
    return {Boarding::Landed, F->Made};
  }

  void land(const std::string &Key, Result R) {
    // Released when nothing is locked: the last user of what was made may go.
    std::shared_ptr<Flight> F;
    {
      std::lock_guard<std::mutex> Guard(Lock);
      auto Found = Open.find(Key);
      if (Found == Open.end())
        return;
      F = std::move(Found->second);
      Open.erase(Found);
      F->Made = std::make_shared<const Result>(std::move(R));
    }
    F->Done.happen();
  }

private:
  struct Flight {
    Event Done;
    std::shared_ptr<const Result> Made;
    std::thread::id Leader = std::this_thread::get_id();
    unsigned Generation = forkGate().generation();

    bool isOfAParent() const { return Generation != forkGate().generation(); }
  };

  /// Follows who waits for whom.
  bool waitsForMe(const Flight &F) const {
    for (const Flight *At = &F;;) {
      if (At->Leader == std::this_thread::get_id())
        return true;
      auto Next = Waiting.find(At->Leader);
      if (Next == Waiting.end() || Next->second->isOfAParent())
        return false;
      At = Next->second.get();
    }
  }

  static bool wait(const Flight &F, const std::function<bool()> &Interrupted) {
    constexpr std::chrono::milliseconds Interval(50);
    while (!F.Done.wait(Interval))
      if ((Interrupted && Interrupted()) || F.isOfAParent())
        return false;
    return true;
  }

  std::mutex Lock;
  std::unordered_map<std::string, std::shared_ptr<Flight>> Open;
  std::unordered_map<std::thread::id, std::shared_ptr<Flight>> Waiting;
};

} // namespace clinch

#endif // CLINCH_JIT_ENGINE_FLIGHTS_H
