//===- Blueprint.h - Blocks, before they are text --------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph whose hooks have all been called: numbered blocks of filled text,
// and what the whole module needs. Private to the assembler.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_ASSEMBLER_BLUEPRINT_H
#define CLINCH_LIB_ASSEMBLER_BLUEPRINT_H

#include "lib/Assembler/Assembler.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace clinch {

/// Nothing but white space.
inline bool isBlank(std::string_view Text) {
  return Text.find_first_not_of(" \t\r\n\f\v") == Text.npos;
}

/// Where a text comes from, when its author said that.
struct PieceSource {
  std::string File;
  unsigned Line = 1;                  ///< What the first line is called.
  std::vector<std::string> LineNames; ///< Of parts; see HookText.
  const char *MadeOf = nullptr;       ///< See HookText.
};

/// What one hook returned, filled. There are several for each block, so it is
/// kept small.
struct Piece {
  const char *Hook = ""; ///< "c_extract".
  std::string Text;
  std::unique_ptr<const PieceSource> Source; ///< Mostly null.

  unsigned line() const { return Source ? Source->Line : 1; }
  bool empty() const { return isBlank(Text); }
};

/// The author's file, or null.
std::shared_ptr<const std::string> fileOf(const Piece &P);

enum class BlockKind : unsigned char {
  Input,
  Constant,
  Temporary,
  Output,
  InitStruct, ///< An apply's c_init_code_struct and c_cleanup_code_struct.
  Validate,   ///< c_validate_update and its cleanup.
  Code
};

/// Numbers of global texts, sorted.
using Sight = std::vector<unsigned>;

/// A hook's text outside its own block, and whose it is.
struct GlobalPiece {
  Piece Text;
  Author Whose;
  std::string Origin;
  unsigned Number = 0; ///< What it leaves is known by; not of a c_sync.
};

/// What few blocks have.
struct BlockSyncs {
  Piece Own; ///< An output's c_sync.
  /// c_sync of computed inputs whose Python object the code names.
  std::vector<std::pair<const Type *, GlobalPiece>> PythonFirst;
};

/// Number n: what it declares, does and releases. Large graphs have many: it is
/// kept small.
struct Block {
  unsigned Number = 0;
  unsigned Apply = 0; ///< Which, from 1, in the order of running; 0: none.
  BlockKind Kind = BlockKind::Code;
  bool InState = false; ///< Opened in init, kept from run to run.
  /// Where in Blueprint::Uses the variables are that the block may touch.
  unsigned FirstUse = 0, LastUse = 0;
  const Variable *Var = nullptr; ///< One of these two.
  const clinch::Apply *Node = nullptr;
  /// Whose hooks speak here. The graph itself is far away in memory: who goes
  /// through all blocks should not have to look there.
  const CodeProvider *Provider = nullptr;
  std::string Name;    ///< "V3", "node_5".
  std::string Subject; ///< "`x`", as a message says it.
  Piece Declare, Behaviour, Cleanup;
  std::unique_ptr<BlockSyncs> Syncs; ///< Mostly null.

  bool isVariable() const { return Var != nullptr; }
  BlockSyncs &addSyncs() {
    if (!Syncs)
      Syncs = std::make_unique<BlockSyncs>();
    return *Syncs;
  }
  /// "`Double.c_extract` for `x`".
  std::string origin(const Piece &P) const;
  Author author(const Piece &P) const;
  /// The same for what can fail when the block is opened.
  std::string failing() const;
};

/// A header, and whose hook asks for it; the caller's have no origin.
struct Include {
  std::string Header; ///< In its quotes or brackets.
  Author Whose;
  std::string Origin;
};

/// An apply's text at struct scope.
struct StructPiece {
  GlobalPiece Global;
  const Apply *Node = nullptr;
};

/// Everything that will be written. Its name is its own: libclinch.so has a
/// clinch::Program as well, and two types of one name would be merged.
struct Blueprint {
  const Graph *G = nullptr;
  Form Shape = Form::Struct;
  bool SyncMayFail = false;
  bool CheckPending = false;
  bool ReleaseEarly = false;
  std::vector<const Apply *> Order;
  std::vector<Block> Blocks; ///< Blocks[n - 1] has number n.
  size_t Variables = 0;      ///< So many blocks are of variables, the first.
  /// By Variable::index(): its name, a literal, or nothing.
  std::vector<std::string> Names;
  /// By Variable::index(): the number of its block, 0 when it has none.
  std::vector<unsigned> Numbers;
  std::vector<unsigned> Uses; ///< Numbers of variables; see Block.
  /// Blocks of outputs that the caller gives as inputs: the apply writes
  /// these, and the variable stays what the caller gave.
  std::unordered_map<const Variable *, unsigned> Shadows;
  std::vector<const Variable *> Cells;
  std::vector<unsigned> CellOf; ///< By Variable::index(); 0 or position + 1.

  std::vector<Include> Includes;
  std::vector<GlobalPiece> Support, InitCode;
  std::vector<StructPiece> StructSupport;
  /// By Type, Op or Apply: the numbers of its global texts.
  std::unordered_map<const void *, Sight> Globals;
  std::unordered_map<unsigned, Sight> Sights; ///< What a global text may see.
  CompileOptions Options;                     ///< All but the regions.
  /// What hooks have said so far, to foresee how long the whole will be.
  size_t Texts = 0, TextBytes = 0;
  std::string Versions;  ///< Part of the key.
  bool KeepCode = false; ///< See ThunkSource.

  /// The global texts that a text of \p C may use: its own and, for an apply
  /// of an Op, those of the Types around it.
  Sight sight(const CodeProvider &C, const Apply *A) const;

  /// The number of what an apply writes for its output \p V.
  unsigned outputNumber(const Variable *V) const {
    auto It = Shadows.find(V);
    return It == Shadows.end() ? Numbers[V->index()] : It->second;
  }
};

/// "label_3": where block 3 fails to.
std::string failLabel(unsigned Number);
/// Where its c_sync fails to, when that may: behind the sync, because a jump
/// back to label_3 would be a loop to LLVM.
std::string syncFailLabel(unsigned Number);
/// "{failure = 3; goto label_3;}".
std::string failTo(unsigned Number, const std::string &Label);

/// Calls every hook that \p G needs, each once.
Expected<Blueprint> buildBlueprint(const Graph &G, const AssembleOptions &O);

/// A user's name as a message may show it: printable, and not too long.
std::string displayName(const std::string &Name);

} // namespace clinch

#endif // CLINCH_LIB_ASSEMBLER_BLUEPRINT_H
