// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a graph to the text of a thunk.

#include "Builder.h"
#include "Blueprint.h"
#include "Emitter.h"
#include "lib/Assembler/Assembler.h"
#include "lib/Contract/CNames.h"
#include "lib/Support/Declarations.h"
#include "lib/Support/Faults.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

using namespace clinch;

Builder::Builder(const Graph &G, const AssembleOptions &O)
    : G(G), O(O), NoRecycling(O.NoRecycling.begin(), O.NoRecycling.end()) {
  P.G = &G;
  P.Shape = O.Shape;
  P.SyncMayFail = O.SyncMayFail;
  P.CheckPending = O.CheckPending;
  P.ReleaseEarly = O.ReleaseEarly;
}

Status Builder::take(Piece &Out, Expected<HookText> Text, const char *Hook,
                     const Substitutions &Sub, const CodeProvider &C,
                     const std::string &Subject) {
  Status S = fill(Out, std::move(Text), Hook, Sub, C, Subject);
  if (S)
    S = check(Out, C, Subject);
  if (S)
    return S;
  Error E = S.takeError();
  for (Diagnostic &D : E.diagnostics())
    Author{&C, Hook, Subject, 0, 0, fileOf(Out)}.name(D);
  return E;
}

/// Replaces the keys in what a hook returned by their values.
Status Builder::fill(Piece &Out, Expected<HookText> Text, const char *Hook,
                     const Substitutions &Sub, const CodeProvider &C,
                     const std::string &Subject) {
  Out.Hook = Hook;
  if (!Text)
    return Text.takeError();
  Out.Ours = Text->Ours;
  if (Text->empty())
    return Status::success();
  if (Text->Line > 1 || !Text->File.empty() || !Text->LineNames.empty())
    Out.Source = std::make_unique<PieceSource>(
        PieceSource{std::move(Text->File), std::max(Text->Line, 1u),
                    std::move(Text->LineNames), Text->MadeOf});
  if (Text->Filled) {
    Out.Text = std::move(Text->Text);
  } else {
    // Only an error needs the origin.
    Expected<std::string> Filled = fillTemplate(Text->Text, Sub, "");
    if (!Filled)
      return fillTemplate(Text->Text, Sub, hookOrigin(C, Hook, Subject))
          .takeError();
    Out.Text = std::move(*Filled);
  }
  ++P.Texts;
  P.TextBytes += Out.Text.size();
  return Status::success();
}

/// Adds the cells of a thunk: inputs, outputs and constants.
void Builder::addCells() {
  P.CellOf.assign(G.variables().size(), 0);
  auto Add = [&](const Variable *V) {
    if (P.CellOf[V->index()])
      return;
    P.Cells.push_back(V);
    P.CellOf[V->index()] = unsigned(P.Cells.size());
  };
  for (const Variable *V : G.inputs())
    Add(V);
  for (const Variable *V : G.outputs())
    Add(V);
  for (const Block &B : P.Blocks)
    if (B.Kind == BlockKind::Constant)
      Add(B.Var);
}

/// Drops the names of dtypes that our own Types declare, if no text can use
/// them.
void Builder::forgetDtypes() {
  if (P.NamesDtypes || !P.Options.Flags.empty() ||
      !std::all_of(P.Includes.begin(), P.Includes.end(),
                   [](const Include &I) { return isInPrefix(I.Header); }))
    return;
  for (Block &B : P.Blocks)
    if (B.Declare.Ours && B.Declare.Text.starts_with("typedef "))
      B.Declare.Text.erase(0, B.Declare.Text.find('\n') + 1);
}

Expected<Blueprint> Builder::run() {
  CLINCH_TRY_ASSIGN(P.Order, G.order());
  CLINCH_TRY(addVariables());
  addCells();
  CLINCH_TRY(callTypes());
  CLINCH_TRY(addApplies());
  CLINCH_TRY(addGlobals());
  CLINCH_TRY(addPythonNames());
  forgetDtypes();
  return std::move(P);
}

Expected<Blueprint> clinch::buildBlueprint(const Graph &G,
                                           const AssembleOptions &O) {
  return Builder(G, O).run();
}

void Author::name(Diagnostic &D) const {
  D.Class = Provider ? Provider->className() : "";
  D.Hook = Hook;
  D.Subject = Subject;
  D.Block = Block;
  D.Apply = Apply;
  D.File = File ? *File : "";
}

/// Maps the name of a text, or of a part of it, to its author.
using Authors = std::unordered_map<std::string_view, const Author *>;

static void nameEach(std::vector<Diagnostic> &Diagnostics, const Authors &Texts,
                     const Authors &Parts) {
  for (Diagnostic &D : Diagnostics) {
    if (auto At = Texts.find(D.Origin); At != Texts.end()) {
      At->second->name(D);
    } else if (auto In = Parts.find(D.Origin); In != Parts.end()) {
      In->second->name(D);
      D.File = D.Origin;
    }
    nameEach(D.Notes, Texts, Parts);
  }
}

void clinch::nameAuthors(std::vector<Diagnostic> &Diagnostics,
                         const ThunkSource &Source) {
  Authors Texts, Parts;
  const std::vector<Region> &Regions = Source.Options.Regions;
  for (size_t I = 0; I < Source.Authors.size(); ++I) {
    Texts.emplace(Regions[I].Name, &Source.Authors[I]);
    for (const std::string &Part : Regions[I].Parts)
      Parts.emplace(Part, &Source.Authors[I]);
  }
  nameEach(Diagnostics, Texts, Parts);
}

Expected<ThunkSource> clinch::assemble(const Graph &G,
                                       const AssembleOptions &O) {
  CLINCH_TRY_ASSIGN(Blueprint P, buildBlueprint(G, O));
  return Emitter(P, O).run();
}

/// Reads `#line 12 "name"` into \p D. Returns false for other lines.
static bool readLine(std::string_view Line, Diagnostic &D) {
  if (Line.substr(0, 6) != "#line ")
    return false;
  size_t Open = Line.find('"'), Close = Line.rfind('"');
  if (Open == Line.npos || Open == Close)
    return false;
  D.Line = unsigned(strtoul(Line.data() + 6, nullptr, 10));
  D.Origin = Line.substr(Open + 1, Close - Open - 1);
  return true;
}

/// Sets the name and number that the `#line`s give to the line at \p Offset.
static void locate(std::string_view Text, size_t Offset, Diagnostic &D) {
  for (size_t At = 0, End; (End = Text.find('\n', At)) < Offset; At = End + 1)
    if (!readLine(Text.substr(At, End - At), D))
      ++D.Line;
}

/// An error that points into the author's text.
static Error textError(const Piece &Text, const std::string &Origin,
                       size_t Offset, const std::string &Message) {
  const std::string &T = Text.Text;
  size_t Newline = Offset ? T.rfind('\n', Offset - 1) : std::string::npos;
  size_t Begin = Newline == std::string::npos ? 0 : Newline + 1;
  size_t End = std::min(T.find('\n', Offset), T.size());
  Diagnostic D;
  D.Origin = Origin;
  D.Line = Text.line();
  locate(T, Offset, D);
  D.Column = unsigned(Offset - Begin) + 1;
  D.Message = Message;
  D.SourceLine = T.substr(Begin, End - Begin);
  if (!D.SourceLine.empty() && D.SourceLine.back() == '\r')
    D.SourceLine.pop_back();
  nameText(D, D.Origin, Origin,
           Text.Source ? Text.Source->LineNames : std::vector<std::string>());
  std::string What = D.Origin + ": " + Message;
  return Error(Error::Kind::Hook, std::move(What), {std::move(D)});
}

/// Returns the message for a byte that is not UTF-8 text.
static std::string noText(unsigned char Byte) {
  static constexpr char Hex[] = "0123456789abcdef";
  if (!Byte)
    return "a NUL character stands in this text";
  return std::string("this text is not UTF-8: the byte 0x") + Hex[Byte >> 4] +
         Hex[Byte & 15] + " stands here";
}

/// Whether the text, or a header that it includes and that is not ours, may use
/// `dtype_V1`.
static bool mayNameDtypes(const Piece &Text) {
  constexpr std::string_view Include = "include", Ours = " <clinch/";
  const std::string_view T = Text.Text;
  if (Text.Ours)
    return false;
  for (size_t At = 0; (At = T.find(Include, At)) != T.npos;) {
    At += Include.size();
    if (T.substr(At, Ours.size()) != Ours)
      return true;
  }
  return T.find("dtype_") != T.npos;
}

Status Builder::check(const Piece &Text, const CodeProvider &C,
                      const std::string &Subject) {
  P.Asserts |= beginsName(Text.Text, "assert");
  P.NamesDtypes |= mayNameDtypes(Text);
  size_t At = findNoText(Text.Text);
  if (At == Text.Text.npos)
    return Status::success();
  return textError(Text, pieceOrigin(C, Text, Subject), At,
                   noText(static_cast<unsigned char>(Text.Text[At])));
}

/// A struct in C has only variables without initialisers, and their names must
/// be known before any preprocessor sees them.
static std::string needsCxx(const Declarations &D, const NameSet &Macros) {
  if (D.Functions)
    return "a function at struct scope needs C++: return \"c++\" from "
           "c_compiler, or move it to c_support_code_apply";
  if (D.Initialised)
    return "a member with a value needs C++: return \"c++\" from c_compiler, "
           "or "
           "set it in c_init_code_struct";
  for (const std::string &Name : D.Names)
    if (Macros.count(Name))
      return "a member that the macro `" + Name +
             "` declares or names needs C++: return \"c++\" from c_compiler, "
             "or "
             "write it out";
  return {};
}

Status Builder::checkStructCode() {
  if (P.Options.Lang == Language::CXX || P.StructSupport.empty())
    return Status::success();
  for (const StructPiece &S : P.StructSupport) {
    const Piece &Text = S.Global.Text;
    std::string Why = needsCxx(readDeclarations(Text.Text), P.Macros.All);
    if (!Why.empty())
      return textError(Text, S.Global.Origin,
                       Text.Text.find_first_not_of(" \t\r\n"), Why);
  }
  return Status::success();
}
