// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What two passes over one text give.

#include "SecondPass.h"

#include "../Options/DevicePlan.h"
#include "lib/Support/Faults.h"

#include "llvm/ADT/STLExtras.h"

using namespace clinch;
using namespace clinch::engine;

FileSources clinch::engine::withImage(FileSources Files,
                                      const std::string &Image,
                                      std::string &Bytes) {
  ArchiveBuilder Archive;
  Archive.add(ImagePath, Image);
  Bytes = Archive.finish();
  Files.Archives.insert(Files.Archives.begin(), HeaderArchive(Bytes));
  return Files;
}

static bool isAtSamePlace(const Diagnostic &A, const Diagnostic &B) {
  return A.Origin == B.Origin && A.Line == B.Line && A.Column == B.Column &&
         (A.Line || A.Message == B.Message);
}

/// Adds those that stand where none does.
static void addOthers(std::vector<Diagnostic> &To,
                      std::vector<Diagnostic> From) {
  for (Diagnostic &D : From)
    if (llvm::none_of(To, [&](const Diagnostic &Known) {
          return isAtSamePlace(Known, D);
        }))
      To.push_back(std::move(D));
}

Error clinch::engine::bothErrors(Error First, Error Second) {
  auto IsOfText = [](const Error &E) {
    return E.kind() == Error::Kind::Compile || E.kind() == Error::Kind::Rule;
  };
  if (!IsOfText(First) || !IsOfText(Second))
    return First;
  const Error::Kind Kind =
      First.kind() == Second.kind() ? First.kind() : Error::Kind::Rule;
  std::vector<Diagnostic> All = std::move(First.diagnostics());
  addOthers(All, std::move(Second.diagnostics()));
  std::string Message = faultCount(Kind, All.size());
  return Error(Kind, std::move(Message), std::move(All));
}

void clinch::engine::addFirst(EngineResult &Second, EngineResult First) {
  std::vector<Diagnostic> Warnings = std::move(First.Warnings);
  addOthers(Warnings, std::move(Second.Warnings));
  Second.Warnings = std::move(Warnings);
  Second.Inputs.add(First.Inputs);
  for (auto &[Name, Milliseconds] : Second.Times)
    for (const auto &[Other, Before] : First.Times)
      if (Name == Other)
        Milliseconds += Before;
}
