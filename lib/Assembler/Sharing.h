//===- Sharing.h - Texts that many thunks have in common -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Type says the same for each of its variables, and an Op for each of its
// applies to the same Types; only the names differ. Where a thunk must be there
// soon, such texts are functions in texts of their own, which are compiled once
// for all thunks, and the thunk calls them.
//
// A function gets the block's variables by their addresses and has them under
// names that are the same for all. So it is only made where that cannot be told
// from the text in its place: where all it declares are numbers and pointers,
// and nothing in it depends on where it stands.
//
// Where every block can be such a function, the thunk has no text at all.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_ASSEMBLER_SHARING_H
#define CLINCH_LIB_ASSEMBLER_SHARING_H

#include "Blueprint.h"
#include "LastUses.h"
#include "Layout.h"
#include "LoopText.h"
#include "SharedNames.h"

#include "clinch/Assembler/Rungs.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace clinch {

/// What is called in place of a block's texts; empty: the texts stay.
struct SharedCalls {
  std::string Open, Close; ///< Of a variable.
  std::string Code;        ///< Of an apply.
  /// The variable is only seen by functions, so it may be any pointer.
  bool Opaque = false;
};

/// Finds what can be shared in a Blueprint whose language is C++.
class Sharing {
public:
  Sharing(const Blueprint &P, const Layout &L);

  const SharedCalls &calls(const Block &B) const { return Calls[B.Number - 1]; }
  /// Whether the thunk's own text still needs what \p Users say globally.
  bool needs(const std::vector<const void *> &Users) const;
  /// What an apply's function is given: the names of its variables.
  std::vector<std::string> argumentsOf(const Block &B) const;
  /// Declarations of all functions, for the thunk's own text.
  const std::string &prototypes() const { return Prototypes; }
  std::vector<SharedText> take() { return std::move(Texts); }
  /// Whether all blocks are functions; then rungs() is the ladder.
  bool isComplete() const { return Complete; }
  std::shared_ptr<const Rungs> rungs(const LastUses &Ending) const;

private:
  struct Facts {
    bool Plain = false;   ///< Nothing but numbers and pointers.
    bool Pointer = false; ///< One pointer, of the variable's name.
    std::vector<std::string> Names;
  };
  /// A function's parts, renamed.
  struct Function {
    std::string Hash;
    std::vector<const Block *> Variables;
    std::vector<std::string> Declares; ///< Of each variable.
    std::string First, Sync, Last; ///< Behaviour or code, c_sync, c_cleanup.
    std::vector<const void *> Users;
    std::string Support;
    bool HasModuleInit = false;
    const Block *Of = nullptr;
  };
  /// A call is no gain where a text is shorter.
  static constexpr size_t ShortText = 150;

  void readFacts();
  bool variablesAreFunctions() const;
  std::vector<Function> findFunctions(size_t Shortest) const;
  void findCode();
  void findOpaque();
  void findNeeds();
  void shareVariable(const Block &B);
  std::optional<Function> variableFunction(const Block &B) const;
  std::optional<Function> codeFunction(const Block &B) const;
  std::vector<const Block *> variablesOf(const Block &B) const;
  bool addGlobals(Function &F, const SharedNames &Names) const;
  bool addInit(Function &F, const SharedNames &Names) const;
  std::string hashOf(std::initializer_list<std::string_view> Parts) const;
  std::vector<std::string> namesOf(const Function &F) const;
  void writeVariable(const Function &F);
  void writeCode(const Function &F);
  void writeLoop(const Function &F);
  std::string writeHead(const Function &F,
                        const std::vector<std::string> &Names,
                        const LoopText &Cut, size_t Shared);
  void writeRest(const Function &F, const std::vector<std::string> &Names,
                 const LoopText &Cut, size_t Shared, const std::string &Head);
  void addCommon();
  void addMath();

  const Blueprint &P;
  const Layout &L;
  std::vector<SharedCalls> Calls;            ///< [number - 1]
  std::vector<Facts> Known;                  ///< [number - 1]
  std::unordered_set<const Apply *> HasMore; ///< Than its code.
  std::unordered_set<const void *> Needed;
  std::unordered_set<std::string> Written;
  std::vector<SharedText> Texts;
  std::string Prototypes;
  bool Complete = false;
};

} // namespace clinch

#endif // CLINCH_LIB_ASSEMBLER_SHARING_H
