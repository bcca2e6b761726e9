// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of Ops in C: their parts and their texts.

#include "CNames.h"
#include "lib/Contract/COpFile.h"
#include "lib/Contract/Scalar.h"
#include "lib/Support/Hash.h"

#include <algorithm>
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

namespace {
/// The macros that are defined around a section or expanded in it.
class Macros {
public:
  explicit Macros(std::string Suffix) : Suffix(std::move(Suffix)) {}
  void define(const std::string &Name, const std::string &Value) {
    All.emplace_back(Name, Value);
  }
  void dtype(const std::string &What, const std::string &Dtype);

  std::string defines() const;
  std::string undefs() const; ///< Last first.
  std::string expand(std::string_view Text) const;

private:
  const std::string *find(std::string_view Name) const;
  std::string Suffix; ///< What APPLY_SPECIFIC adds; empty: no macros at all.
  std::vector<std::pair<std::string, std::string>> All;
};
} // namespace

std::string Macros::defines() const {
  if (Suffix.empty())
    return {};
  std::string Text = "#define APPLY_SPECIFIC(str) str##_" + Suffix + "\n";
  for (const auto &[Name, Value] : All)
    Text.append("#define ").append(Name).append(" ").append(Value).append("\n");
  return Text;
}

std::string Macros::undefs() const {
  if (Suffix.empty())
    return {};
  std::string Text;
  for (auto It = All.rbegin(); It != All.rend(); ++It)
    Text.append("#undef ").append(It->first).append("\n");
  return Text + "#undef APPLY_SPECIFIC\n";
}

const std::string *Macros::find(std::string_view Name) const {
  for (const auto &[Key, Value] : All)
    if (Key == Name)
      return &Value;
  return nullptr;
}

/// Expands these macros as the preprocessor would: the names of members must be
/// known before any preprocessor sees the text.
std::string Macros::expand(std::string_view Text) const {
  constexpr std::string_view Specific = "APPLY_SPECIFIC", Blanks = " \t\n";
  std::string Out;
  for (size_t At = 0; At < Text.size();) {
    size_t End = At;
    while (End < Text.size() && isIdentifier(Text.substr(At, End + 1 - At)))
      ++End;
    std::string_view Word = Text.substr(At, End - At);
    size_t Open = Text.find_first_not_of(Blanks, End);
    size_t Close = Text.find(')', End);
    if (Word == Specific && Open < Text.size() && Text[Open] == '(' &&
        Close != Text.npos) {
      std::string Given(Text.substr(Open + 1, Close - Open - 1));
      Given.erase(0, Given.find_first_not_of(Blanks));
      Given.erase(Given.find_last_not_of(Blanks) + 1);
      Out.append(Given).append("_" + Suffix);
      At = Close + 1;
    } else if (const std::string *Value = find(Word)) {
      Out += *Value;
      At = End;
    } else {
      At = std::max(End, At + 1);
      Out += Word.empty() ? Text.substr(At - 1, 1) : Word;
    }
  }
  return Out;
}

void Macros::dtype(const std::string &What, const std::string &Dtype) {
  if (Dtype.empty())
    return;
  const ScalarInfo *S = findScalar(Dtype);
  std::string Upper = Dtype;
  for (char &C : Upper)
    C = C >= 'a' && C <= 'z' ? static_cast<char>(C - 'a' + 'A') : C;
  define("DTYPE_" + What, S ? std::string(S->CType) : "npy_" + Dtype);
  define("TYPENUM_" + What, S ? std::string(S->TypeNum) : "NPY_" + Upper);
  define("ITEMSIZE_" + What,
         S ? std::to_string(S->Size) : "((int)sizeof(npy_" + Dtype + "))");
}

static bool isCode(Section S) {
  return S == Section::Code || S == Section::CodeCleanup;
}

/// A macro's value must be one line.
static std::string oneLine(std::string Text) {
  std::replace(Text.begin(), Text.end(), '\n', ' ');
  return Text;
}

static void paramMacros(Macros &M, const COpContext &C) {
  if (C.ParamsType.empty())
    return;
  M.define("PARAMS_TYPE", C.ParamsType);
  for (const auto &[Key, CType] : C.ParamDtypes)
    if (!CType.empty())
      M.define("DTYPE_PARAM_" + Key, CType);
}

static Macros macrosFor(Section S, const COpContext &C) {
  if (S == Section::SupportCode || S == Section::InitCode)
    return Macros("");
  Macros M(C.Name);
  for (size_t I = 0; I < C.InputDtypes.size(); ++I)
    M.dtype("INPUT_" + std::to_string(I), C.InputDtypes[I]);
  for (size_t I = 0; I < C.OutputDtypes.size(); ++I)
    M.dtype("OUTPUT_" + std::to_string(I), C.OutputDtypes[I]);
  paramMacros(M, C);
  if (!isCode(S) && S != Section::InitCodeStruct)
    return M;
  M.define("FAIL", oneLine(C.Fail));
  if (!C.Params.empty())
    M.define("PARAMS", C.Params);
  if (!isCode(S))
    return M;
  for (size_t I = 0; I < C.Inputs.size(); ++I)
    M.define("INPUT_" + std::to_string(I), C.Inputs[I]);
  for (size_t I = 0; I < C.Outputs.size(); ++I)
    M.define("OUTPUT_" + std::to_string(I), C.Outputs[I]);
  return M;
}

/// Returns what messages call the section: with its hook if rules depend on it.
static std::string placeName(Section S, const COpContext &C,
                             const std::string &File) {
  if (S == Section::SupportCode || S == Section::InitCode)
    return File;
  return "`" + C.ClassName + ".c_" + sectionTag(S) + "` for `" + C.Name +
         "` in " + File;
}

HookText COpFile::text(Section S, const COpContext &C) const {
  const std::vector<Part> &All = Parts[size_t(S)];
  if (All.empty())
    return {};
  const Macros M = macrosFor(S, C);
  HookText H = HookText::filled("");
  H.File = All[0].File;
  H.Line = All[0].Line;
  if (S == Section::SupportCodeStruct) {
    // Struct members have expanded macros and no `#line`s. Each part begins
    // where the one before it ended, or at its original line if that is later.
    for (const Part &P : All) {
      size_t Now = H.Line + std::count(H.Text.begin(), H.Text.end(), '\n');
      if (P.File == H.File && P.Line > Now)
        H.Text.append(P.Line - Now, '\n');
      H.Text += M.expand(P.Text);
    }
    return H;
  }
  H.Text = M.defines();
  for (const Part &P : All) {
    std::string Name = placeName(S, C, P.File);
    H.Text += lineDirective(P.Line, Name) + P.Text;
    H.LineNames.push_back(std::move(Name));
  }
  H.Text += M.undefs();
  return H;
}

/// Adds \p Given, padded with NULLs to \p Wanted arguments.
static void addArguments(std::string &List,
                         const std::vector<std::string> &Given,
                         const char *Before, size_t Wanted) {
  for (size_t I = 0; I < std::max(Given.size(), Wanted); ++I) {
    if (!List.empty())
      List += ", ";
    List += I < Given.size() ? Before + Given[I] : "NULL";
  }
}

HookText COpFile::call(const std::string &Function, unsigned NumInputs,
                       unsigned NumOutputs, const COpContext &C) {
  std::string Arguments;
  addArguments(Arguments, C.Inputs, "", NumInputs);
  addArguments(Arguments, C.Outputs, "&", NumOutputs);
  if (!C.Params.empty())
    addArguments(Arguments, {C.Params}, "", 0);
  Macros M(C.Name);
  paramMacros(M, C);
  return HookText::filled(M.defines() + "if (" + Function + "(" + Arguments +
                          ") != 0) {\n  " + C.Fail + "\n}\n" + M.undefs());
}
