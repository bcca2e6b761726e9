// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What many texts begin with.

#include "Openings.h"

#include "lib/Support/Hash.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

using namespace clinch;
using namespace clinch::engine;

namespace {

/// How often an opening comes before it is precompiled.
constexpr unsigned Often = 3;
/// Comes after it.
constexpr unsigned Refused = Often + 1;
/// Each prefix takes some MB in memory.
constexpr unsigned MostPrefixes = 8;
constexpr size_t MostSeen = 1024;

/// Reads the lines that may open a text.
class Reader {
public:
  Reader(llvm::StringRef Text, bool QuotesAllowed)
      : Text(Text), QuotesAllowed(QuotesAllowed) {}

  size_t read() {
    while (At != Text.size() && readLine())
      if (HasInclude && !Depth) {
        End = At;
        HasInclude = false;
      }
    return End;
  }

private:
  /// Returns the rest of the line at `At`, which moves behind it.
  llvm::StringRef takeLine() {
    const size_t Begin = At;
    At = std::min(Text.find('\n', At), Text.size() - 1) + 1;
    return Text.slice(Begin, At).trim();
  }

  /// Returns false at what is not of an opening.
  bool readLine() {
    const llvm::StringRef Line = takeLine();
    if (Line.ends_with("\\") || Line.contains("??"))
      return false;
    if (Line.empty() || Line.starts_with("//"))
      return true;
    if (Line.starts_with("/*"))
      return readComment(Line);
    return Line.front() == '#' && readDirective(Line.drop_front().ltrim());
  }

  /// It may end in another line, and nothing follows it there.
  bool readComment(llvm::StringRef Line) {
    Line = Line.drop_front(2);
    while (!Line.contains("*/") && At != Text.size())
      Line = takeLine();
    return Line.contains("*/") && Line.split("*/").second.empty();
  }

  bool readDirective(llvm::StringRef Line) {
    const llvm::StringRef Name = Line.take_while(llvm::isAlpha);
    const llvm::StringRef Rest = Line.drop_front(Name.size()).trim();
    if (Rest.contains("/*") || Rest.contains("R\"") ||
        (!QuotesAllowed && Rest.contains("__has_")))
      return false;
    if (Name == "include")
      return readInclude(Rest);
    if (Name.starts_with("if"))
      ++Depth;
    else if (Name == "endif")
      --Depth;
    else
      return Depth >= 0 &&
             (Name == "define" || Name == "undef" || Name.starts_with("el"));
    return Depth >= 0;
  }

  bool readInclude(llvm::StringRef Rest) {
    const llvm::StringRef Closing = Rest.starts_with("<") ? ">" : "\"";
    if (!Rest.starts_with("<") && !(QuotesAllowed && Rest.starts_with("\"")))
      return false;
    auto [File, Behind] = Rest.drop_front().split(Closing);
    HasInclude = true;
    return Behind.trim().empty() || Behind.trim().starts_with("//");
  }

  const llvm::StringRef Text;
  const bool QuotesAllowed;
  size_t At = 0, End = 0;
  int Depth = 0; ///< Of conditions.
  bool HasInclude = false;
};

/// Whether the text's own lines show in what is made of it.
bool isShown(const CompileOptions &O) {
  return O.Debug || !O.Keep.empty() || !O.Regions.empty() ||
         std::any_of(
             O.Flags.begin(), O.Flags.end(), [](const std::string &Flag) {
               return Flag.starts_with("-g") || Flag.starts_with("-X") ||
                      Flag.starts_with("-fsanitize");
             });
}

} // namespace

size_t clinch::engine::openingSize(const SourceText &Text) {
  // Quotes mean the folder of the file first.
  return Reader(Text.Text, Text.Name.find('/') == Text.Name.npos).read();
}

std::optional<OpenedText> Openings::find(const SourceText &Text,
                                         const CompileOptions &O,
                                         const std::string &Options) {
  if (!O.Prefix.empty() || !O.Device.empty() || isShown(O))
    return std::nullopt;
  const size_t Size = openingSize(Text);
  if (!Size)
    return std::nullopt;
  OpenedText Result{Text, O, {}};
  Result.Options.Prefix = Text.Text.substr(0, Size);
  Result.Key = KeyBuilder().add(Options).add(Result.Options.Prefix).finish();
  {
    std::lock_guard<std::mutex> Guard(Lock);
    if (Seen.size() >= MostSeen && !Seen.count(Result.Key))
      return std::nullopt;
    unsigned &Count = Seen[Result.Key];
    if (Count < Often) {
      ++Count;
      if (Count == Often && Prefixes++ >= MostPrefixes)
        Count = Refused;
    }
    if (Count != Often)
      return std::nullopt;
  }
  std::replace_if(
      Result.Text.Text.begin(), Result.Text.Text.begin() + ptrdiff_t(Size),
      [](char C) { return C != '\n'; }, ' ');
  return Result;
}

void Openings::refuse(const std::string &Key) {
  std::lock_guard<std::mutex> Guard(Lock);
  Seen[Key] = Refused;
}
