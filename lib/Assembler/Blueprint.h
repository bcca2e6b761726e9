// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks, before they are text.
//
// A graph whose hooks have all been called: numbered blocks of filled text,
// and what the whole module needs. Private to the assembler.

#pragma once

#include "lib/Assembler/Assembler.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace clinch {

// What a macro hides is known only to the preprocessor, long after the text was
// laid out. So where a layout depends on what a text names, a text that uses a
// macro of an author's gets the layout that is right in any case.

/// Names in texts that outlive it.
using NameSet = std::unordered_set<std::string_view>;

struct AuthorMacros {
  NameSet All;
  /// Those with parameters, but for APPLY_SPECIFIC of C files, which is ours.
  NameSet Functions;
  bool Paste = false;   ///< Some macro has a `##`.
  bool Python = false;  ///< Some macro has a `py_`.
  bool Bracket = false; ///< Some macro has a `[`, which may begin a lambda.
  bool OpenMP = false;  ///< Some macro may have a pragma of OpenMP.
  bool Types = false;   ///< Some macro may ask for the type of a name.

  /// Adds the macros that \p Text defines.
  void add(std::string_view Text);
};

/// Whether \p Text may have a pragma of OpenMP.
bool mayUseOpenMP(std::string_view Text);

/// Whether \p Text may ask for the type of a name.
bool asksForTypes(std::string_view Text);

/// Whether \p Text uses one of \p Any, and not as the name of a member.
bool usesAny(std::string_view Text, const NameSet &Any);

/// Whether some word in \p Text begins with \p Prefix, if only in a comment:
/// `npy_float64` does not begin with `py_`.
bool beginsName(std::string_view Text, std::string_view Prefix);

/// Whether some name in \p Text begins with \p Prefix, which begins with
/// `py_`, or may do so behind a macro of \p Support or of its own.
bool namesPython(std::string_view Text, std::string_view Prefix,
                 const AuthorMacros &Support);

/// Returns whether \p Text is only white space.
inline bool isBlank(std::string_view Text) {
  return Text.find_first_not_of(" \t\r\n\f\v") == Text.npos;
}

/// Returns whether \p Text only includes a header that the engine carries, so
/// that no message is about it.
inline bool includesOurs(std::string_view Text) {
  return Text.starts_with("#include <clinch/") && Text.find('\n') == Text.npos;
}

/// Returns whether the prefix has the header, so that it is there.
inline bool isInPrefix(std::string_view Header) {
  return Header == "<numpy/arrayobject.h>" ||
         Header == "<numpy/arrayscalars.h>" || Header == "<math.h>";
}

/// Where a text comes from, if its author said so.
struct PieceSource {
  std::string File;
  unsigned Line = 1;                  ///< The number of the first line.
  std::vector<std::string> LineNames; ///< Of parts; see HookText.
  const char *MadeOf = nullptr;       ///< See HookText.
};

/// The filled text of one hook. Kept small, as each block has several.
struct Piece {
  const char *Hook = ""; ///< "c_extract".
  std::string Text;
  std::unique_ptr<const PieceSource> Source; ///< Mostly null.
  bool Ours = false;                         ///< See HookText.

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

/// A hook's text outside its own block, and its author.
struct GlobalPiece {
  Piece Text;
  Author Whose;
  std::string Origin;
};

/// What only few blocks have.
struct BlockSyncs {
  Piece Own; ///< An output's c_sync.
  /// c_sync of computed inputs whose Python object the code names.
  std::vector<std::pair<const Variable *, GlobalPiece>> PythonFirst;
};

/// Block n: what it declares, does and releases. Kept small, as large graphs
/// have many.
struct Block {
  unsigned Number = 0;
  unsigned Apply = 0; ///< From 1, in execution order; 0: none.
  BlockKind Kind = BlockKind::Code;
  bool InState = false; ///< Opened in init, kept from run to run.
  /// The range in Blueprint::Uses of the variables that the block may use.
  unsigned FirstUse = 0, LastUse = 0;
  const Variable *Var = nullptr; ///< Either Var or Node is set.
  const clinch::Apply *Node = nullptr;
  /// Whose hooks these are. Kept here so that a pass over all blocks need not
  /// touch the graph's memory.
  const CodeProvider *Provider = nullptr;
  std::string Name;    ///< "V3", "node_5".
  std::string Subject; ///< "`x`", as in messages.
  Piece Declare, Behaviour, Cleanup;
  std::unique_ptr<BlockSyncs> Syncs; ///< Mostly null.
  /// Checks what an Op's code has left; see Type::outputCheck. Mostly null.
  std::unique_ptr<std::string> OutputCheck;

  bool isVariable() const { return Var != nullptr; }
  /// Returns whether it is in the ladder of each run. An output that is kept is
  /// in both: each run writes its cell.
  bool inRun() const { return !InState || Kind == BlockKind::Output; }
  BlockSyncs &addSyncs() {
    if (!Syncs)
      Syncs = std::make_unique<BlockSyncs>();
    return *Syncs;
  }
  /// "`Double.c_extract` for `x`".
  std::string origin(const Piece &P) const;
  Author author(const Piece &P) const;
  /// The origin of what can fail when the block is opened.
  std::string failing() const;
};

/// A header and the hook that asks for it; the caller's have no origin.
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

/// Everything that will be written. Not named Program, as libclinch.so has a
/// clinch::Program too (One Definition Rule).
struct Blueprint {
  const Graph *G = nullptr;
  Form Shape = Form::Struct;
  bool SyncMayFail = false;
  bool CheckPending = false;
  bool ReleaseEarly = false;
  std::vector<const Apply *> Order;
  std::vector<Block> Blocks; ///< Blocks[n - 1] has number n.
  size_t Variables = 0; ///< How many blocks are of variables; they are first.
  /// By Variable::index(): its name, a literal, or nothing.
  std::vector<std::string> Names;
  /// By Variable::index(): the number of its block, 0 if it has none.
  std::vector<unsigned> Numbers;
  std::vector<unsigned> Uses; ///< Numbers of variables; see Block.
  /// Blocks of outputs that are also inputs. The apply writes these; the
  /// variable keeps the caller's value.
  std::unordered_map<const Variable *, unsigned> Shadows;
  std::vector<const Variable *> Cells;
  std::vector<unsigned> CellOf; ///< By Variable::index(); 0 or position + 1.

  std::vector<Include> Includes;
  std::vector<GlobalPiece> Support, InitCode;
  std::vector<StructPiece> StructSupport;
  AuthorMacros Macros;    ///< Those of Support and StructSupport.
  CompileOptions Options; ///< All but the regions.
  /// Number and bytes of the hooks' texts so far, to estimate the final size.
  size_t Texts = 0, TextBytes = 0;
  std::string Versions;       ///< Part of the key.
  bool KeepCode = false;      ///< See ThunkSource.
  bool ChecksOutputs = false; ///< Some block does.
  bool Asserts = false;       ///< Some text may use `assert`.
  bool NamesDtypes = false;   ///< Some text may use `dtype_V1`.

  /// Returns the number of the block that an apply writes for its output \p V.
  unsigned outputNumber(const Variable *V) const {
    auto It = Shadows.find(V);
    return It == Shadows.end() ? Numbers[V->index()] : It->second;
  }
};

/// "label_3": where block 3 jumps when it fails.
std::string failLabel(unsigned Number);
/// Where a c_sync that may fail jumps: after the sync, because LLVM would take
/// a jump back to label_3 for a loop. If it runs before the code of an apply's
/// block, this stands after the cleanup of that block.
std::string syncFailLabel(unsigned Number);
/// "{failure = 3; goto label_3;}".
std::string failTo(unsigned Number, const std::string &Label);

/// Calls every hook that \p G needs once.
Expected<Blueprint> buildBlueprint(const Graph &G, const AssembleOptions &O);

/// Returns a user's name as messages show it: printable and not too long.
std::string displayName(const std::string &Name);

} // namespace clinch
