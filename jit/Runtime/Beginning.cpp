//===- Beginning.cpp - The code that a program begins with ------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Beginning.h"

#include "../Engine/VectorNames.h"
#include "GilReleased.h"
#include "SharedCode.h"

#include <algorithm>
#include <array>

using namespace clinch;
using Kind = Beginning::Kind;

CompileOptions clinch::compileOptions(const ThunkSource &Source,
                                      const ProgramOptions &O) {
  CompileOptions Options = Source.Options;
  Options.Level = O.Level;
  Options.Debug = O.Debug;
  Options.UseDiskCache &= O.UseDiskCache;
  Options.Keep = O.Keep;
  Options.Flags.insert(Options.Flags.begin(), O.Flags.begin(), O.Flags.end());
  return Options;
}

bool clinch::keepsVariables(const Module &Code) {
  for (const std::string &Name : Code.variables())
    if (Name.find("PyArray_API") == Name.npos &&
        Name.find("PyArray_RUNTIME_VERSION") == Name.npos)
      return true;
  return false;
}

static Expected<Module> findWithoutGil(Session &S, const SourceText &Text,
                                       const CompileOptions &O) {
  GilReleased Gil;
  return S.find(Text, O);
}

static Expected<Beginning> made(Expected<Module> M, Kind What) {
  if (!M)
    return M.takeError();
  return Beginning{std::move(*M), {}, nullptr, What};
}

/// What loops call another function for in the tier max, and on floats.
static constexpr bool isVectorised(std::string_view Word) {
  for (const engine::ScalarFunction &F : engine::VectorisedFunctions) {
    std::string_view Name = F.Name;
    if (!engine::isOwnFunction(Name) && Word.substr(0, Name.size()) == Name &&
        (Word.size() == Name.size() || Word.substr(Name.size()) == "f"))
      return true;
  }
  return false;
}

/// Most words are longer than any of these, or begin otherwise.
static bool mayBeVectorised(std::string_view Word) {
  static constexpr size_t Longest = [] {
    size_t Most = 0;
    for (const engine::ScalarFunction &F : engine::VectorisedFunctions)
      Most = std::max(Most, std::string_view(F.Name).size() + 1);
    return Most;
  }();
  static constexpr auto Begins = [] {
    std::array<bool, 256> Table{};
    for (const engine::ScalarFunction &F : engine::VectorisedFunctions)
      Table[static_cast<unsigned char>(F.Name[0])] = true;
    return Table;
  }();
  return !Word.empty() && Word.size() <= Longest &&
         Begins[static_cast<unsigned char>(Word[0])];
}

/// Whether code of another tier would most likely have other bits: then it is
/// not even tried.
static bool callsVectorised(const std::string &Text, const CompileOptions &O) {
  if (O.Level != Tier::Max)
    return false;
  auto IsWord = [](char C) {
    return std::isalnum(static_cast<unsigned char>(C)) || C == '_';
  };
  for (size_t At = Text.find('('); At != Text.npos;
       At = Text.find('(', At + 1)) {
    size_t Begin = At;
    while (Begin > 0 && IsWord(Text[Begin - 1]))
      --Begin;
    std::string_view Word(&Text[Begin], At - Begin);
    if (mayBeVectorised(Word) && isVectorised(Word))
      return true;
  }
  return false;
}

/// Variables cannot be handed over from code to code, and a function's results
/// are to be the same whichever code computes them.
static Expected<Beginning> compileTier(Session &S, const ThunkSource &Source,
                                       const CompileOptions &O, Tier First) {
  const SourceText &Text = Source.Source;
  if (callsVectorised(Text.Text, O))
    return made(compileWithoutGil(S, Text, O), Kind::Whole);
  CompileOptions Quick = O;
  Quick.Level = First;
  if (Source.Short) {
    Expected<std::optional<SharingCode>> Made =
        compileShort(S, *Source.Short, Quick);
    if (!Made)
      return Made.takeError();
    if (*Made && !(*Made)->StandsIn)
      return made(compileWithoutGil(S, Text, O), Kind::Whole);
    if (*Made)
      return Beginning{std::move((*Made)->Code), std::move((*Made)->Shared),
                       std::move((*Made)->Ladder), Kind::OtherTier};
  }
  Expected<Module> M = compileWithoutGil(S, Text, std::move(Quick));
  if (M && !standsIn(*M))
    return made(compileWithoutGil(S, Text, O), Kind::Whole);
  return made(std::move(M), Kind::OtherTier);
}

static Expected<Beginning> compileQuickEntry(Session &S,
                                             const ThunkSource &Source,
                                             const CompileOptions &O) {
  CompileOptions Options = O;
  Options.Regions.clear(); // It has none of their lines.
  return made(compileWithoutGil(S, {Source.Source.Name, Source.QuickEntry},
                                std::move(Options)),
              Kind::QuickEntry);
}

Expected<Beginning> clinch::begin(Session &S, const ThunkSource &Source,
                                  const CompileOptions &Options,
                                  const ProgramOptions &O, std::string Object) {
  const SourceText &Text = Source.Source;
  if (!Object.empty()) {
    GilReleased Gil;
    return made(S.adopt(Text, Options, std::move(Object)), Kind::Whole);
  }
  bool OtherTier = O.First && Source.Shape == Form::Struct && !Source.KeepCode;
  // Whoever wants to look at the code wants all of it.
  bool QuickEntry = O.QuickFirst && !Source.QuickEntry.empty() && !O.First &&
                    !O.Debug && O.Keep.empty() && !Source.KeepCode &&
                    !Source.HasModuleInit;
  if (!OtherTier && !QuickEntry)
    return made(compileWithoutGil(S, Text, Options), Kind::Whole);
  Expected<Module> Known = findWithoutGil(S, Text, Options);
  if (!Known || *Known)
    return made(std::move(Known), Kind::Whole);
  return QuickEntry ? compileQuickEntry(S, Source, Options)
                    : compileTier(S, Source, Options, *O.First);
}
