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
