// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which region a location is in.

#include "RegionMap.h"

#include "clang/Lex/Lexer.h"

#include <algorithm>

using namespace clinch;
using namespace clinch::engine;

static std::vector<const Region *> sorted(const std::vector<Region> &Regions) {
  std::vector<const Region *> Result;
  Result.reserve(Regions.size());
  for (const Region &R : Regions)
    Result.push_back(&R);
  std::stable_sort(
      Result.begin(), Result.end(),
      [](const Region *A, const Region *B) { return A->Begin < B->Begin; });
  return Result;
}

RegionMap::RegionMap(const std::vector<Region> &Regions)
    : Sorted(sorted(Regions)) {}

Status RegionMap::check(const std::vector<Region> &Regions,
                        std::string_view Text) {
  size_t End = 0;
  for (const Region *R : sorted(Regions)) {
    if (R->Begin < End || R->End < R->Begin || R->End > Text.size())
      return Error(Error::Kind::InvalidArgument,
                   "The region " + R->Name + " has the bytes " +
                       std::to_string(R->Begin) + " to " +
                       std::to_string(R->End) +
                       "; expected regions of the text that do not overlap.");
    End = R->End;
  }
  return Status::success();
}

const Region *RegionMap::at(size_t Offset) const {
  auto After =
      std::partition_point(Sorted.begin(), Sorted.end(),
                           [&](const Region *R) { return R->Begin <= Offset; });
  if (After == Sorted.begin())
    return nullptr;
  const Region *R = *std::prev(After);
  return Offset < R->End ? R : nullptr;
}

const Region *RegionMap::at(const clang::SourceManager &SM,
                            clang::SourceLocation Loc) const {
  while (Loc.isValid() && !SM.isLoadedSourceLocation(Loc)) {
    auto [File, Offset] = SM.getDecomposedExpansionLoc(Loc);
    if (File == SM.getMainFileID())
      return at(Offset);
    Loc = SM.getIncludeLoc(File);
  }
  return nullptr;
}

const Region *RegionMap::endingBefore(const clang::SourceManager &SM,
                                      const clang::LangOptions &LO,
                                      clang::SourceLocation Loc) const {
  auto [File, Offset] = SM.getDecomposedExpansionLoc(Loc);
  auto After =
      std::partition_point(Sorted.begin(), Sorted.end(),
                           [&](const Region *R) { return R->Begin <= Offset; });
  if (File != SM.getMainFileID() || After == Sorted.begin())
    return nullptr;
  const Region *R = *--After;
  // A directive is one logical line, which a raw lexer gives token by token.
  clang::Lexer L(
      SM.getLocForStartOfFile(File), LO, SM.getBufferData(File).begin(),
      SM.getBufferData(File).begin() + R->End, SM.getBufferData(File).end());
  clang::Token T;
  L.LexFromRawLexer(T);
  while (T.is(clang::tok::hash) && T.isAtStartOfLine())
    do
      L.LexFromRawLexer(T);
    while (!T.isAtStartOfLine() && T.isNot(clang::tok::eof));
  // What a text leaves open may take a part of the assertion that closes it.
  if (T.is(clang::tok::raw_identifier) &&
      (T.getRawIdentifier() == "__extension__" ||
       T.getRawIdentifier() == "static_assert"))
    while (T.isNot(clang::tok::semi) && T.isNot(clang::tok::eof))
      L.LexFromRawLexer(T);
  return SM.getFileOffset(T.getLocation()) >= Offset ? R : nullptr;
}

clang::SourceLocation RegionMap::lastToken(const Region &R,
                                           const clang::SourceManager &SM,
                                           const clang::LangOptions &LO) {
  llvm::StringRef Text = SM.getBufferData(SM.getMainFileID());
  clang::Lexer L(SM.getLocForStartOfFile(SM.getMainFileID()), LO, Text.begin(),
                 Text.begin() + R.Begin, Text.end());
  clang::SourceLocation Last;
  for (clang::Token T;;) {
    L.LexFromRawLexer(T);
    if (T.is(clang::tok::eof) || SM.getFileOffset(T.getLocation()) >= R.End)
      return Last;
    Last = T.getLocation();
  }
}
