//===- SharedCode.cpp - Functions that many programs call -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedCode.h"

#include "Beginning.h"
#include "GilReleased.h"
#include "Raise.h"

#include <algorithm>
#include <list>
#include <unordered_map>

using namespace clinch;

namespace {

/// A module, and what it calls itself.
struct Kept {
  Module Code, Helpers;
};

/// What programs to come will most likely call: the last ones called.
class Recent {
public:
  static Recent &process() {
    static auto *R = new Recent;
    return *R;
  }

  void use(Kept K) {
    auto At = std::find_if(List.begin(), List.end(), [&](const Kept &Old) {
      return Old.Code.key() == K.Code.key();
    });
    if (At != List.end())
      List.erase(At);
    List.push_front(std::move(K));
    if (List.size() > Most)
      List.pop_back();
  }
  void clear() { std::list<Kept>().swap(List); }

private:
  static constexpr size_t Most = 128;
  std::list<Kept> List;
};

/// Compiles a short text and what it calls.
class Sharer {
public:
  Sharer(Session &S, const CompileOptions &O) : S(S), O(O) {}
  /// False where \p T cannot be a text of its own.
  Expected<bool> add(const SharedText &T);
  Expected<bool> finish(const ThunkSource &Short);
  bool canStandIn() const { return Result.StandsIn; }
  SharingCode take() { return std::move(Result); }

private:
  Expected<bool> compile(const SourceText &Text, CompileOptions Own,
                         Module &Out);

  Session &S;
  const CompileOptions &O;
  CompileOptions optionsOf(const SharedText &T) const;
  bool lookUp(const SharedText &T, const Module &M);

  SharingCode Result;
  std::vector<SymbolDefinition> Helpers;
  std::unordered_map<std::string, void *> All;
};

} // namespace

bool clinch::standsIn(const Module &M) {
  return !keepsVariables(M) && !M.lookup("clinch_other_bits");
}

/// Whoever asks for the whole text gets its errors, and better ones; only what
/// is no error of the text is passed on.
Expected<bool> Sharer::compile(const SourceText &Text, CompileOptions Own,
                               Module &Out) {
  Expected<Module> M = compileWithoutGil(S, Text, std::move(Own));
  if (!M && M.error().kind() == ErrorKind::Host)
    return M.takeError();
  if (!M)
    return false;
  Out = std::move(*M);
  Result.StandsIn &= standsIn(Out);
  return true;
}

/// Puts the address of NumPy's table where \p Code expects it.
static bool giveNumPy(const Module &Code, const Module &Helpers) {
  using ImportFn = int (*)(void ***, int *);
  auto *Table = Code.lookupAs<void ***const *>("clinch_PyArray_API");
  if (!Table)
    return true;
  auto *Version = Code.lookupAs<int *const *>("clinch_PyArray_RUNTIME_VERSION");
  auto *Import = Helpers.lookupAs<ImportFn>("clinch_import_array");
  PendingError Aside;
  return Import && Import(*Table, Version ? *Version : nullptr) == 0;
}

CompileOptions Sharer::optionsOf(const SharedText &T) const {
  CompileOptions Own = O;
  Own.Regions = T.Regions;
  Own.MathApart = T.MathApart;
  Own.Symbols = Helpers;
  for (const std::string &Name : T.Calls)
    Own.Symbols.push_back({Name, All.at(Name)});
  return Own;
}

/// Whoever else has the module has seen to all this; it does no harm twice,
/// but for the code of authors.
bool Sharer::lookUp(const SharedText &T, const Module &M) {
  if (T.HasModuleInit && M.stats().Cache != CacheResult::HitMemory) {
    PendingError Aside;
    if (!initializeModule(M).ok())
      return false;
  }
  for (const std::string &Name : T.Symbols) {
    void *Address = M.lookup(Name);
    if (!Address)
      return false;
    All.emplace(Name, Address);
    // The first text has what the others call.
    if (Result.Shared.empty())
      Helpers.push_back({Name, Address});
  }
  return Result.Shared.empty() || giveNumPy(M, Result.Shared.front());
}

Expected<bool> Sharer::add(const SharedText &T) {
  Module M;
  Expected<bool> Fits = compile(T.Source, optionsOf(T), M);
  if (!Fits || !*Fits)
    return Fits;
  if (!lookUp(T, M))
    return false;
  if (T.Lasting)
    Recent::process().use(
        {M, Result.Shared.empty() ? Module() : Result.Shared.front()});
  Result.Shared.push_back(std::move(M));
  return true;
}

Expected<bool> Sharer::finish(const ThunkSource &Short) {
  if (Short.Ladder) {
    Result.Code = Result.Shared.front();
    Result.Ladder = RungLadder::create(*Short.Ladder, [&](const auto &Name) {
      auto At = All.find(Name);
      return At == All.end() ? nullptr : At->second;
    });
    return Result.Ladder != nullptr;
  }
  CompileOptions Own = O;
  Own.Regions = Short.Options.Regions;
  Own.Symbols.clear();
  for (const auto &[Name, Address] : All)
    Own.Symbols.push_back({Name, Address});
  Expected<bool> Fits = compile(Short.Source, std::move(Own), Result.Code);
  if (Fits && *Fits && !giveNumPy(Result.Code, Result.Shared.front()))
    return false;
  return Fits;
}

Expected<std::optional<SharingCode>>
clinch::compileShort(Session &S, const ThunkSource &Short,
                     const CompileOptions &O) {
  Sharer Of(S, O);
  for (const SharedText &T : Short.Apart) {
    Expected<bool> Fits = Of.add(T);
    if (!Fits)
      return Fits.takeError();
    if (!*Fits)
      return std::optional<SharingCode>();
    if (!Of.canStandIn())
      return std::optional(Of.take());
  }
  Expected<bool> Fits = Of.finish(Short);
  if (!Fits)
    return Fits.takeError();
  return *Fits ? std::optional(Of.take()) : std::nullopt;
}

void clinch::forgetSharedCode() { Recent::process().clear(); }
