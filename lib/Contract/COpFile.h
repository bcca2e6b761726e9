// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that are written in C files.

#pragma once

#include "clinch/Contract/Hook.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace clinch {

/// What a `#section` line may name. The tags are these names in lower case with
/// underscores, "init_code_struct".
enum class Section {
  SupportCode,
  SupportCodeApply,
  SupportCodeStruct,
  InitCode,
  InitCodeApply,
  InitCodeStruct,
  CleanupCodeStruct,
  Code,
  CodeCleanup
};
inline constexpr size_t SectionCount = 9;

/// "init_code_struct".
const char *sectionTag(Section S);

/// The values of the macros of one apply.
struct COpContext {
  std::string ClassName; ///< For messages: "VectorTimesVector".
  std::string Name;      ///< Of the apply: "node_3".
  /// NumPy's names; empty if a Type has none. Both lists must be empty if the
  /// Op's check_input is false.
  std::vector<std::string> InputDtypes, OutputDtypes;
  std::vector<std::string> Inputs, Outputs; ///< Names of C variables.
  std::string Fail;
  std::string Params;     ///< The C variable; empty: the Op has none.
  std::string ParamsType; ///< The C type it points to.
  /// Maps the name of a parameter to the C type of its items.
  std::vector<std::pair<std::string, std::string>> ParamDtypes;
};

/// The sections of one or several C files.
class COpFile {
public:
  /// Sections of the same tag, in one file or several, are joined in order.
  /// CRLF is read as LF, and a UTF-8 byte order mark is skipped. Errors name
  /// the file and, for bad text, the line.
  static Expected<COpFile> read(const std::vector<std::string> &Paths);
  static Expected<COpFile>
  parse(const std::vector<std::pair<std::string, std::string>> &NamesAndTexts);

  bool has(Section S) const { return !Parts[size_t(S)].empty(); }

  /// Returns the text of a section with its macros before it and `#undef`s
  /// after it; `#line` names the author's own file and line.
  HookText text(Section S, const COpContext &C) const;
  /// Returns a call of \p Function with all inputs, all outputs' addresses and
  /// the parameters, padded with NULLs to \p NumInputs and \p NumOutputs.
  static HookText call(const std::string &Function, unsigned NumInputs,
                       unsigned NumOutputs, const COpContext &C);
  /// Changes with every byte of the files.
  const std::string &hash() const { return Hash; }

private:
  struct Part {
    std::string File;
    unsigned Line; ///< Of its first line.
    std::string Text;
  };
  Status addFile(const std::string &File, std::string Text);

  std::array<std::vector<Part>, SectionCount> Parts;
  std::string Hash;
};

} // namespace clinch
