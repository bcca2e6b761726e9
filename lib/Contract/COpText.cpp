// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections with their macros.

#include "CNames.h"
#include "LineDirective.h"
#include "lib/Contract/COpFile.h"
#include "lib/Contract/Scalar.h"

#include <algorithm>

using namespace clinch;

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
