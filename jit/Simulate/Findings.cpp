// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong with a kernel.

#include "Findings.h"

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
