// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From C files to sections.

#include "lib/Contract/COpFile.h"
#include "lib/Support/Hash.h"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

using namespace clinch;

static constexpr const char *Tags[SectionCount] = {
    "support_code",    "support_code_apply", "support_code_struct", "init_code",
    "init_code_apply", "init_code_struct",   "cleanup_code_struct", "code",
    "code_cleanup"};

const char *clinch::sectionTag(Section S) { return Tags[size_t(S)]; }

static constexpr std::string_view Blanks = " \t\f\v";

/// An error about line \p Line of \p File.
static Error lineError(const std::string &File, unsigned Line,
                       std::string_view Source, const std::string &Message) {
  Diagnostic D;
  D.Origin = File;
  D.Line = Line;
  D.Column = 1;
  D.Message = Message;
  D.SourceLine = Source;
  return {Error::Kind::Compile,
          "`" + File + "`, line " + std::to_string(Line) + ": " + Message,
          {D}};
}

static std::string listOfTags() {
  std::string List;
  for (const char *Tag : Tags)
    List += std::string(List.empty() ? "`" : ", `") + Tag + "`";
  return List;
}

/// Removes byte order marks and CRLFs; ends the last line.
static Status normalise(const std::string &File, std::string &Text) {
  if (Text.starts_with("\xFF\xFE") || Text.starts_with("\xFE\xFF"))
    return Error(Error::Kind::Compile,
                 "`" + File + "` is in UTF-16: save it as UTF-8.");
  if (Text.starts_with("\xEF\xBB\xBF"))
    Text.erase(0, 3);
  size_t To = 0;
  for (size_t From = 0; From < Text.size(); ++From)
    if (Text[From] != '\r' || From + 1 == Text.size() || Text[From + 1] != '\n')
      Text[To++] = Text[From];
  Text.resize(To);
  if (!Text.empty() && Text.back() != '\n')
    Text += '\n';
  return Status::success();
}

static std::string_view trim(std::string_view Line) {
  size_t Begin = Line.find_first_not_of(Blanks);
  if (Begin == Line.npos)
    return {};
  return Line.substr(Begin, Line.find_last_not_of(Blanks) - Begin + 1);
}

/// Returns whether \p Line is a `#section` line, and sets \p Tag.
static bool isSectionLine(std::string_view Line, std::string_view &Tag) {
  Line = trim(Line);
  if (!Line.starts_with('#'))
    return false;
  Line = trim(Line.substr(1));
  if (!Line.starts_with("section"))
    return false;
  Tag = Line.substr(7);
  if (!Tag.empty() && Blanks.find(Tag[0]) == Tag.npos)
    return false;
  Tag = trim(Tag);
  return true;
}

static int sectionOf(std::string_view Tag) {
  for (size_t I = 0; I < SectionCount; ++I)
    if (Tag == Tags[I])
      return static_cast<int>(I);
  return -1;
}

/// Returns whether \p Line has only comments and blanks. \p InComment is the
/// state from line to line.
static bool saysNothing(std::string_view Line, bool &InComment) {
  for (size_t I = 0; I < Line.size(); ++I) {
    if (InComment) {
      size_t End = Line.find("*/", I);
      if (End == Line.npos)
        return true;
      InComment = false;
      I = End + 1;
    } else if (Line.substr(I).starts_with("//")) {
      return true;
    } else if (Line.substr(I).starts_with("/*")) {
      InComment = true;
      ++I;
    } else if (Blanks.find(Line[I]) == Blanks.npos) {
      return false;
    }
  }
  return true;
}

Status COpFile::addFile(const std::string &File, std::string Text) {
  CLINCH_TRY(normalise(File, Text));
  std::vector<Part> *Current = nullptr;
  bool InComment = false;
  unsigned Number = 0;
  for (size_t At = 0; At < Text.size();) {
    size_t End = Text.find('\n', At);
    std::string_view Line(Text.data() + At, End - At), Tag;
    At = End + 1;
    ++Number;
    if (isSectionLine(Line, Tag)) {
      int Index = sectionOf(Tag);
      if (Index < 0)
        return lineError(File, Number, Line,
                         "there is no section `" + std::string(Tag) +
                             "`: there are " + listOfTags() + ".");
      Current = &Parts[Index];
      Current->push_back({File, Number + 1, ""});
    } else if (Current) {
      Current->back().Text.append(Line).append("\n");
    } else if (!saysNothing(Line, InComment)) {
      return lineError(File, Number, Line,
                       "text before the first `#section` line belongs to no "
                       "hook; there may be comments only.");
    }
  }
  if (!Current)
    return Error(Error::Kind::Compile, "`" + File +
                                           "` has no `#section` line, such as "
                                           "`#section code`.");
  return Status::success();
}

Expected<COpFile> COpFile::parse(
    const std::vector<std::pair<std::string, std::string>> &NamesAndTexts) {
  COpFile F;
  KeyBuilder Key;
  for (const auto &[Name, Text] : NamesAndTexts) {
    Key.add(Text);
    CLINCH_TRY(F.addFile(Name, Text));
  }
  F.Hash = Key.finish();
  return F;
}

Expected<COpFile> COpFile::read(const std::vector<std::string> &Paths) {
  std::vector<std::pair<std::string, std::string>> Texts;
  for (const std::string &Path : Paths) {
    std::ifstream In(Path, std::ios::binary);
    std::string Text((std::istreambuf_iterator<char>(In)), {});
    if (!In.is_open() || In.bad())
      return Error(Error::Kind::IO,
                   "The C file `" + Path + "` of an Op cannot be read: " +
                       std::generic_category().message(errno) + ".");
    Texts.emplace_back(Path, std::move(Text));
  }
  return parse(Texts);
}
