// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the hooks of a graph.

#pragma once

#include "Blueprint.h"

#include <set>
#include <unordered_map>
#include <unordered_set>

namespace clinch {

/// Makes a Blueprint of a graph, one step after another.
class Builder {
public:
  Builder(const Graph &G, const AssembleOptions &O);
  Expected<Blueprint> run();

private:
  // Variables.cpp: which variables have blocks, and the texts of these.
  Status addVariables();
  Status planVariables();
  Status planApply(const Apply &A, std::vector<const Variable *> &Temporaries);
  Status planConstant(const Variable &V);
  void plan(const Variable &V, BlockKind Kind);
  void addBlock(const Variable &V, BlockKind Kind, size_t Width);
  void tellApart(const std::vector<Block *> &Named);
  Status callTypes();
  Status callType(Block &B);
  Status place(Block &B, const Type &T);
  Status behave(Block &B, const Type &T, const Type::Args &A);
  void setVariableSub(const Block &B);

  // Applies.cpp: the blocks of applies. MayNot has no `fail`.
  Status addApplies();
  Status addApply(const Apply &A);
  Status nameOwnArguments(const Op::Args &A);
  void noteUses(const Apply &A);
  Status addStructCode(const Op::Args &May);
  Status addValidate(const Op::Args &May, const Op::Args &MayNot);
  Status addCode(const Op::Args &May, const Op::Args &MayNot);
  Status addApplyGlobals(const Op::Args &A);
  Status addOutputChecks(Block &B, const Op::Args &Of);
  Block &newApplyBlock(const Apply &A, const std::string &Name, BlockKind K);

  // PythonNames.cpp: objects of computed inputs, made before their use.
  Status addPythonNames();
  Status addPythonNames(Block &B);

  Status checkStructCode();

  // Globals.cpp: what Types and Ops ask of the module.
  Status addGlobals();
  Status chooseLanguage();
  Status addProvider(const CodeProvider &C);
  Status addFolders(const CodeProvider &C);
  Status addVersion(const CodeProvider &C, Expected<std::string> Version);
  void addInclude(const std::string &Header, const CodeProvider *C);
  Status addTexts(std::vector<GlobalPiece> &List, CodeProvider::Strings Texts,
                  const char *Hook, const CodeProvider &C);
  void addGlobal(std::vector<GlobalPiece> &List, Piece Text,
                 const CodeProvider &C, const Apply *A,
                 const std::string &Subject);

  void addCells();
  void forgetDtypes();
  /// Fills in what a hook returned and checks it.
  Status take(Piece &Out, Expected<HookText> Text, const char *Hook,
              const Substitutions &Sub, const CodeProvider &C,
              const std::string &Subject);
  Status fill(Piece &Out, Expected<HookText> Text, const char *Hook,
              const Substitutions &Sub, const CodeProvider &C,
              const std::string &Subject);
  // Builder.cpp
  Status check(const Piece &Text, const CodeProvider &C,
               const std::string &Subject);

  const Graph &G;
  const AssembleOptions &O;
  Blueprint P;
  /// What is known of a variable before it has a block.
  struct VariableFacts {
    bool IsInput : 1 = false, IsOutput : 1 = false;
    bool HasReader : 1 = false;
    bool ReaderChecks : 1 = false; ///< Some reader wants it checked.
    bool MakerChecks : 1 = false;  ///< Its maker does.
    bool HasBlock : 1 = false;
  };
  std::vector<VariableFacts> About; ///< By Variable::index().
  /// The variables that get blocks, in order.
  std::vector<std::pair<const Variable *, BlockKind>> Planned;
  unsigned FirstUse = 0;                  ///< Of the current apply.
  std::vector<const Type *> LiteralTypes; ///< Of constants without blocks.
  std::unordered_set<const Variable *> NoRecycling;
  /// Distinct Types in order of use, then distinct Ops.
  std::vector<const CodeProvider *> Providers;
  std::unordered_set<const CodeProvider *> Known;
  /// Is it init code, and the text.
  std::set<std::pair<bool, std::string>> SeenGlobals;
  unsigned AppliesDone = 0; ///< With the current one.
  std::vector<GlobalPiece> ApplySupport, ApplyInit;
  std::string CompilerName = "c";
  Substitutions Failing, NoFail; ///< Reused from hook to hook.
};

/// hookOrigin(), and the author's file if it is known.
std::string pieceOrigin(const CodeProvider &C, const Piece &P,
                        const std::string &Subject);

/// "`Double.c_extract` for `x`".
std::string hookOrigin(const CodeProvider &P, const char *Hook,
                       const std::string &Subject);

} // namespace clinch
