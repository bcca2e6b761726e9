//===- COpText.cpp - Sections with their macros --------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineDirective.h"
#include "clinch/Contract/COpFile.h"
#include "clinch/Contract/Scalar.h"

#include <algorithm>

using namespace clinch;

namespace {
/// `#define`s before a section, and `#undef`s after it, last first.
class Macros {
public:
  /// \p Name may have arguments: "APPLY_SPECIFIC(str)".
  void define(const std::string &Name, const std::string &Value) {
    Before += "#define " + Name + " " + Value + "\n";
    After = "#undef " + Name.substr(0, Name.find('(')) + "\n" + After;
  }
  void dtype(const std::string &What, const std::string &Dtype);

  std::string Before, After;
};
} // namespace

/// float16 has no arithmetic here, but its storage has a type all the same.
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

/// What a macro can stand for.
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
  Macros M;
  if (S == Section::SupportCode || S == Section::InitCode)
    return M;
  M.define("APPLY_SPECIFIC(str)", "str##_" + C.Name);
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

/// What messages call the place: the hook too, where rules depend on it.
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
  Macros M = macrosFor(S, C);
  HookText H = HookText::filled(std::move(M.Before));
  H.File = All[0].File;
  H.Line = All[0].Line;
  for (const Part &P : All) {
    std::string Name = placeName(S, C, P.File);
    H.Text += lineDirective(P.Line, Name) + P.Text;
    H.LineNames.push_back(std::move(Name));
  }
  H.Text += M.After;
  return H;
}

/// \p Given, then NULL until there are \p Wanted.
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
  Macros M;
  M.define("APPLY_SPECIFIC(str)", "str##_" + C.Name);
  paramMacros(M, C);
  return HookText::filled(M.Before + "if (" + Function + "(" + Arguments +
                          ") != 0) {\n  " + C.Fail + "\n}\n" + M.After);
}
