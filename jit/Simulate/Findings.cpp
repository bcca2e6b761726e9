// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a checker finds.

#include "Findings.h"
#include "Block.h"

#include <algorithm>

using namespace clinch;
using namespace clinch::simulate;

/// What follows the first wrong things is seldom of use.
constexpr size_t MostFindings = 20;

static std::string coordinates(uint64_t I, const uint32_t Extent[3]) {
  return "(" + std::to_string(I % Extent[0]) + ", " +
         std::to_string(I / Extent[0] % Extent[1]) + ", " +
         std::to_string(I / Extent[0] / Extent[1]) + ")";
}

std::string Findings::nameOfThread(uint32_t Thread) const {
  return "thread " + coordinates(Thread, O.Block);
}

std::string Findings::nameOfBlock(uint64_t Block) const {
  return "block " + coordinates(Block, O.Grid);
}

std::string Findings::nameOf(uint64_t Block, uint32_t Thread) const {
  return nameOfThread(Thread) + " of " + nameOfBlock(Block);
}

std::string Findings::nameOf(uint32_t Site, uint32_t Near) const {
  const simulate::Site &S = P.Sites[Site];
  if (!S.Line)
    return "an unknown line";
  std::string Line = "line " + std::to_string(S.Line);
  if (P.Sites[Near].Line && std::string_view(P.Sites[Near].File) != S.File)
    Line += std::string(" of ") + S.File;
  return Line;
}

Diagnostic Findings::diagnostic(uint32_t Site,
                                const std::string &Message) const {
  Diagnostic D;
  const simulate::Site &S = P.Sites[Site];
  D.Origin = S.Line ? S.File : "";
  D.Line = S.Line;
  D.Column = S.Column;
  D.Message = Message;
  return D;
}

void Findings::add(const char *What, uint32_t Site, uint32_t Other,
                   const std::string &Message, std::vector<Diagnostic> Notes) {
  const std::lock_guard<std::mutex> Lock(Mutex);
  if (Found.size() >= MostFindings ||
      !Seen.emplace(What, std::min(Site, Other), std::max(Site, Other)).second)
    return;
  Diagnostic D =
      diagnostic(Site, std::string("in kernel `") + K.Name + "`, " + Message);
  D.Notes = std::move(Notes);
  for (Diagnostic &Note : D.Notes)
    Note.Level = Diagnostic::Severity::Note;
  Found.push_back(std::move(D));
}

void Findings::print(std::string_view Text) {
  const std::lock_guard<std::mutex> Lock(Mutex);
  if (O.Printed)
    O.Printed->append(Text);
}

Status Findings::result() {
  const std::lock_guard<std::mutex> Lock(Mutex);
  if (Interrupted)
    return Error(Error::Kind::Limit,
                 std::string("The kernel `") + K.Name + "` was interrupted.");
  if (Found.empty())
    return Status::success();
  std::string Message = std::string("The kernel `") + K.Name +
                        "` is wrong: " + Found.front().Message + ".";
  if (Found.size() > 1)
    Message += " There are " + std::to_string(Found.size()) + " findings.";
  return Error(Error::Kind::Rule, Message, std::move(Found));
}

void Block::makeShadows() {
  const Program &P = G.Notes.P;
  for (uint32_t I = 0; I < P.NumVariables; ++I) {
    const Variable &V = P.Variables[I];
    if (V.IsShared)
      Regions.emplace_back(std::string("shared `") + V.Name + "`",
                           Threads[0].Shared +
                               reinterpret_cast<uintptr_t>(V.Address),
                           V.Bytes, true, Shadow::Shared);
    else
      Regions.emplace_back(std::string("`") + V.Name + "`", V.Address, V.Bytes,
                           !V.IsConstant,
                           V.IsConstant ? Shadow::Constant : Shadow::Global);
  }
  if (G.Notes.O.SharedBytes)
    Regions.emplace_back("the dynamic shared memory", Threads[0].Dynamic,
                         G.Notes.O.SharedBytes, true, Shadow::Shared);
  for (const Allocation &A : G.Notes.O.Memory)
    Regions.emplace_back(A.Name, A.Begin, A.Bytes, A.Writable, Shadow::Global);
  Last = Regions.empty() ? nullptr : &Regions.front();
}

Shadow *Block::find(const char *At) {
  if (Last && Last->contains(At))
    return Last;
  for (Shadow &S : Regions)
    if (S.contains(At))
      return Last = &S;
  return nullptr;
}

/// Returns "reads" or what else an access is, in a sentence.
static const char *verb(Access Kind) {
  switch (Kind) {
  case Access::Read:
  case Access::Copy:
    return "reads";
  case Access::Write:
    return "writes";
  default:
    return "accesses atomically";
  }
}

static std::string bytes(size_t Count) {
  return std::to_string(Count) + (Count == 1 ? " byte" : " bytes");
}

void Block::access(Thread &T, char *At, size_t Size, Access Kind,
                   uint32_t Align, uint32_t Site) {
  poll(T);
  if (!Size ||
      static_cast<size_t>(At - T.StackLow) < Memory.bounds(T.Number).Bytes)
    return; // The thread's own variables.
  Shadow *S = find(At);
  const bool Writes = Kind != Access::Read && Kind != Access::Copy &&
                      Kind != Access::AtomicRead;
  if (!S || Size > S->Bytes - static_cast<size_t>(At - S->Begin) ||
      (Writes && !S->Writable)) {
    reportBounds(T, At, Size, Kind, Site);
    abandon(T);
  }
  if (reinterpret_cast<uintptr_t>(At) % Align) {
    G.Notes.add("misaligned", Site, Site,
                whatDoes(T, *S, At, Size, Kind) +
                    ", which is misaligned: a device needs a multiple of " +
                    std::to_string(Align));
    abandon(T);
  }
  if (S->Of == Shadow::Constant)
    return;
  const AccessAt A{{static_cast<uint32_t>(Index << ThreadBits) | T.Number,
                    Clocks.now(T.Number), Site},
                   Kind};
  if (auto Found = S->note(Clocks, T.Number, At, Size, A))
    reportCollision(T, *S, Size, Kind, Site, *Found);
  if (Kind == Access::AtomicRead || Kind == Access::AtomicWrite ||
      Kind == Access::AtomicUpdate)
    Clocks.atomic(T.Number, At, Kind != Access::AtomicWrite,
                  Kind != Access::AtomicRead);
}

void Block::call(Thread &T, const void *Callee, uint32_t Site) {
  const Program &P = G.Notes.P;
  const void *const *End = P.Functions + P.NumFunctions;
  if (std::find(P.Functions, End, Callee) != End)
    return;
  G.Notes.add("callee", Site, Site,
              nameOf(T) + " calls " +
                  (Callee ? "what is no function of the program"
                          : "a null function pointer"));
  abandon(T);
}

/// Returns "thread ... writes 4 bytes at offset 1 of argument 1".
std::string Block::whatDoes(const Thread &T, const Shadow &S, const char *At,
                            size_t Size, Access Kind) const {
  return nameOf(T) + " " + verb(Kind) + " " + bytes(Size) + " at offset " +
         std::to_string(At - S.Begin) + " of " + S.Name;
}

void Block::reportBounds(Thread &T, const char *At, size_t Size, Access Kind,
                         uint32_t Site) {
  const std::string What =
      nameOf(T) + " " + verb(Kind) + " " + bytes(Size) + " ";
  if (const Shadow *S = find(At); S && !S->Writable) {
    G.Notes.add("read-only", Site, Site,
                What + "of " + S->Name + ", which is read-only");
    return;
  }
  // Nearest to it: what was probably meant.
  const Shadow *Nearest = nullptr;
  size_t Least = ~size_t(0);
  for (const Shadow &S : Regions) {
    const bool IsBefore = At < S.Begin;
    const size_t Distance = IsBefore ? S.Begin - At : At - S.Begin;
    const size_t Gap =
        IsBefore || Distance < S.Bytes ? Distance : Distance - S.Bytes;
    if (Gap < Least || (Gap == Least && !IsBefore)) {
      Least = Gap;
      Nearest = &S;
    }
  }
  constexpr size_t Near = size_t(1) << 20;
  std::string Where = "where nothing is that the kernel may use";
  if (Nearest && Least < Near)
    Where = "at offset " + std::to_string(At - Nearest->Begin) + " of " +
            Nearest->Name + ", which has " + bytes(Nearest->Bytes);
  G.Notes.add("bounds", Site, Site, What + Where);
}

void Block::reportCollision(Thread &T, const Shadow &S, size_t Size,
                            Access Kind, uint32_t Site, const Collision &C) {
  const std::string What = whatDoes(T, S, S.Begin + C.Offset, Size, Kind);
  if (C.What == Collision::Unwritten) {
    G.Notes.add("unwritten", Site, Site,
                What + ", which no thread has written");
    return;
  }
  const Findings &N = G.Notes;
  const char *Does = C.OtherIsAtomic ? "accesses atomically"
                     : C.OtherWrites ? "writes"
                                     : "reads";
  const uint64_t From = C.Other.Who >> ThreadBits;
  const uint32_t Number = C.Other.Who & ((1U << ThreadBits) - 1);
  const std::string Who =
      From == Index ? N.nameOfThread(Number) : N.nameOf(From, Number);
  G.Notes.add("race", Site, C.Other.Site,
              "a race: " + What + ", which " + Who + " " + Does + " at " +
                  N.nameOf(C.Other.Site, Site) + ", and nothing orders the two",
              {N.diagnostic(C.Other.Site, "the other access")});
}
