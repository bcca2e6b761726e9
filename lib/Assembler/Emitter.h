// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From blocks to text.

#pragma once

#include "Blueprint.h"
#include "Layout.h"
#include "SharedScope.h"
#include "Writer.h"

#include <algorithm>
#include <string>
#include <vector>

namespace clinch {

/// Returns whether \p B begins with its cell's value; others begin with None.
bool readsCell(const Block &B);
bool hasCell(const Block &B);

/// Writes a Blueprint as one text.
class Emitter {
public:
  Emitter(const Blueprint &P, const AssembleOptions &O);
  Expected<ThunkSource> run();

private:
  void makeRoom();

  // State.cpp: all that comes before the functions.
  void prelude();
  void assertions();
  void state();
  void stateTypes();
  void members(const Block &B);
  void structMembers(const StructPiece &S);
  void prototypes();
  void moduleInit();

  // Ladder.cpp: nested blocks, each with its label.
  void openBlocks(const std::vector<const Block *> &Blocks, bool First);
  void openBlock(const Block &B);
  void closeBlock(const Block &B);
  void releaseAfter(const Block &B);
  void forgetObject(const Block &B);
  bool isRenewed(const Block &B) const;
  void openVariable(const Block &B);
  void openFloating(const Chunk &C, const Block &B);
  void declare(const std::string &Name, const std::string &Value);
  void fetch(const Block &B, bool IsMember);
  std::string failUnopened(const Block &B) const;
  void sync(const Block &B);
  void pythonFirst(const Block &B);
  void outputCheck(const Block &B);
  void behaviour(const Block &B, const Piece &Text);
  bool sharesScope(const Block &B) const { return Shared[B.Number - 1]; }
  void closeShared(const Block &B);
  bool staysOpen(const Block &B) const;
  /// Whether \p B is in the ladder of a run, but was opened in init.
  bool isKept(const Block &B) const { return B.InState && !InInit; }
  void openBehaviour(const Block &B, const Piece &Text);
  void closeBehaviour(const Block &B, const Piece &Text);
  std::string labelToFailTo(const Block &B, const Piece &Text) const;
  void assertTo(const std::string &Fail);
  void openTry(const Piece &Text);
  /// \p Then is what fails, or empty if failing is forbidden.
  void closeTry(const std::string &Origin, const std::string &Then);
  void authored(const Block &B, const Piece &Text, Region::Role Role);
  void region(std::string_view Text, const Piece &Of, std::string Origin,
              Author Whose, Region::Role Role, const Block *B);
  void global(const GlobalPiece &G, std::string_view Text);
  void close(std::string_view Text);
  void assertNothing();

  // Functions.cpp: a ladder is one function, or several.
  void runFunctions();
  void keepFunctions();
  void runFunction(size_t Index);
  void keepFunction(size_t Index);
  void runBody(size_t Index);
  void aliases(const Chunk &C, bool Define);
  void fetchCells(const Chunk &C);
  void load(const Chunk &C, size_t Index, bool Declare);
  void bind(const Chunk &C);
  void store(const Chunk &C, size_t Index);
  std::string call(const char *Ladder, size_t Index, const char *Argument);
  std::string signature(const char *Ladder, size_t Index, const char *Parameter,
                        bool InStruct);

  // Functions.cpp: the thunk's entry points.
  void functionForm();
  void structForm();
  void findSelf();
  void initEntry();
  void cleanupEntry();
  void entry(std::string_view Signature);

  bool cxx() const { return Out.Options.Lang == Language::CXX; }
  bool hasState() const { return HasState; }
  /// Returns whether init opens any block.
  bool keeps() const { return !L.Keep.front().Blocks.empty(); }
  const char *self() const { return cxx() ? "this->" : "clinch_self->"; }
  const Block &block(unsigned Number) const { return P.Blocks[Number - 1]; }

  const Blueprint &P;
  Layout L;
  LastUses Ending;
  std::vector<bool> Shared;      ///< See findSharedScopes.
  const Block *Around = nullptr; ///< The block that was opened last.
  bool Untouched = false;        ///< No block of the ladder is open yet.
  bool InInit = false;           ///< Writing the ladder of init and cleanup.
  ThunkSource Out;
  Writer W;
  bool HasState = false;
  bool HasObjects = false; ///< The C++ state is constructed and destroyed.
  /// By Apply::index(), in C: the members that its struct code declares.
  std::unordered_map<unsigned, std::vector<std::string>> StructNames;
};

class Table {
public:
  using Row = std::vector<std::string>;
  explicit Table(Row Head) { add(std::move(Head)); }
  void add(Row R) {
    Width.resize(std::max(Width.size(), R.size()));
    for (size_t I = 0; I < R.size(); ++I)
      Width[I] = std::max(Width[I], columns(R[I]));
    Rows.push_back(std::move(R));
  }

  /// Two spaces between columns, none at the end of a line.
  std::string render() const {
    std::string Out;
    for (const Row &R : Rows) {
      for (size_t I = 0; I + 1 < R.size(); ++I)
        Out += R[I] + std::string(Width[I] - columns(R[I]) + 2, ' ');
      Out += R.back() + "\n";
    }
    return Out;
  }

private:
  /// Characters, not bytes.
  static size_t columns(const std::string &S) {
    return size_t(std::count_if(S.begin(), S.end(), [](unsigned char C) {
      return (C & 0xc0) != 0x80;
    }));
  }

  std::vector<Row> Rows;
  std::vector<size_t> Width;
};

} // namespace clinch
