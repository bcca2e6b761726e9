// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text as it grows.

#include "Writer.h"
#include "lib/Support/Text.h"

#include <algorithm>

using namespace clinch;

void Writer::add(std::string_view Text) {
  Out += Text;
  Line += unsigned(std::count(Text.begin(), Text.end(), '\n'));
}

/// Limits the indentation: otherwise the text would grow with the square of its
/// depth, and nobody could read it.
void Writer::margin() {
  Out.append(std::min<size_t>(size_t(2) * Depth, Widest), ' ');
}

void Writer::line(std::initializer_list<std::string_view> Parts) {
  margin();
  for (std::string_view Part : Parts)
    add(Part);
  add("\n");
}

void Writer::lines(std::string_view Text) {
  while (!Text.empty()) {
    const size_t End = std::min(Text.find('\n'), Text.size());
    line(Text.substr(0, End));
    Text.remove_prefix(std::min(End + 1, Text.size()));
  }
}

void Writer::open(std::string_view Comment) {
  if (Comment.empty())
    line("{");
  else
    line({"{ // ", Comment});
  ++Depth;
}

void Writer::close() {
  --Depth;
  line("}");
}

Writer::Span Writer::authored(std::string_view Text, std::string_view Origin,
                              unsigned First) {
  Out += "#line ";
  Out += std::to_string(First);
  Out += " \"";
  Out += escaped(Origin);
  add("\"\n");
  Span Where{Out.size(), 0};
  add(Text);
  if (Text.empty() || Text.back() != '\n')
    add("\n");
  // A backslash joins two lines.
  size_t Last = Text.find_last_not_of(" \t\r\n\f\v");
  if (Last != Text.npos && Text[Last] == '\\')
    add("\n");
  Where.End = Out.size();
  Out += "#line ";
  Out += std::to_string(Line + 1);
  Out += " \"";
  Out += FileName;
  add("\"\n");
  return Where;
}

/// Returns what may fail where \p B is opened; of an output that is kept, in
/// each run, only its sync.
static Task::Kind kindOf(const Block &B, bool InInit) {
  if (B.InState && !InInit)
    return Task::Kind::Sync;
  switch (B.Kind) {
  case BlockKind::Input:
  case BlockKind::Constant:
    return Task::Kind::Extract;
  case BlockKind::Output:
    if (std::string_view(B.Behaviour.Hook) == "c_extract_out")
      return Task::Kind::ExtractOut;
    [[fallthrough]];
  case BlockKind::Temporary:
    return Task::Kind::Init;
  case BlockKind::InitStruct:
    return Task::Kind::InitStruct;
  case BlockKind::Validate:
    return Task::Kind::Validate;
  case BlockKind::Code:
    break;
  }
  return Task::Kind::Code;
}

static Task makeTask(const Block &B, bool InInit) {
  Task T;
  T.Number = B.Number;
  T.What = kindOf(B, InInit);
  T.Subject = T.What == Task::Kind::Sync ? B.origin(B.Syncs->Own) : B.failing();
  T.Var = B.Var;
  T.Node = B.Node;
  T.InInit = InInit;
  return T;
}

const char *Task::hook() const {
  switch (What) {
  case Kind::Extract:
    return "c_extract";
  case Kind::ExtractOut:
    return "c_extract_out";
  case Kind::Init:
    return "c_init";
  case Kind::Validate:
    return "c_validate_update";
  case Kind::InitStruct:
    return "c_init_code_struct";
  case Kind::Sync:
    return "c_sync";
  case Kind::Code:
    break;
  }
  return "c_code";
}

std::string Task::label() const { return failLabel(Number); }

std::vector<Task> clinch::makeTasks(const Blueprint &P) {
  std::vector<Task> Tasks;
  Tasks.reserve(P.Blocks.size());
  std::vector<const Block *> Init;
  for (const Block &B : P.Blocks) {
    if (B.InState)
      Init.push_back(&B);
    if (B.inRun())
      Tasks.push_back(makeTask(B, false));
  }
  for (const Block *B : Init)
    Tasks.push_back(makeTask(*B, true));
  return Tasks;
}

const Task *clinch::findTask(const std::vector<Task> &Tasks, unsigned Number,
                             bool InInit) {
  auto Begin = std::partition_point(Tasks.begin(), Tasks.end(),
                                    [&](auto &T) { return T.InInit < InInit; });
  auto It = std::partition_point(Begin, Tasks.end(), [&](const Task &T) {
    return T.InInit == InInit && T.Number < Number;
  });
  if (It == Tasks.end() || It->Number != Number || It->InInit != InInit)
    return nullptr;
  return &*It;
}
