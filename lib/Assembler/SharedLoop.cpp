//===- SharedLoop.cpp - Loops, less what others say before theirs --------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopText.h"
#include "SharedWriter.h"
#include "Sharing.h"

#include "clinch/Support/Lexer.h"

#include <algorithm>

using namespace clinch;

using Words = std::unordered_set<std::string_view>;

static Words wordsOf(std::string_view Text) {
  Words Result;
  Lexer In(Text);
  for (Token T = In.next(); T.What != Token::End; T = In.next())
    if (T.What == Token::Identifier)
      Result.insert(T.Text);
  return Result;
}

/// Those whose addresses may be kept in others.
static Words pointedAt(std::string_view Text) {
  Words Result;
  bool Address = false;
  Lexer In(Text);
  for (Token T = In.next(); T.What != Token::End; T = In.next()) {
    if (Address)
      Result.insert(T.Text);
    Address = T.is('&');
  }
  return Result;
}

/// Moves what the head alone has to the end; the number of the others.
static size_t putOwnLast(LoopText &Cut) {
  Words Rest = wordsOf(Cut.Rest), Pointed = pointedAt(Cut.Head);
  auto End = std::stable_partition(
      Cut.Locals.begin(), Cut.Locals.end(), [&](const LoopText::Local &L) {
        return Rest.count(L.Name) || Pointed.count(L.Name);
      });
  return size_t(End - Cut.Locals.begin());
}

/// Whether \p Text names what \p Declares declares of the variable \p Number.
static bool namesAny(const Words &Text, const std::string &Declares,
                     size_t Number) {
  std::string Name = "Vx" + std::to_string(Number);
  Words Declared = wordsOf(Declares);
  return std::any_of(Declared.begin(), Declared.end(), [&](auto Word) {
    return Word.find(Name) != Word.npos && Text.count(Word);
  });
}

/// A function of the same variables, and of the first \p Shared locals. \return
/// its name.
std::string Sharing::writeHead(const Function &F,
                               const std::vector<std::string> &Names,
                               const LoopText &Cut, size_t Shared) {
  std::string Declares;
  for (const std::string &Each : F.Declares)
    Declares += Each + "\n";
  for (const LoopText::Local &Local : Cut.Locals)
    Declares += Local.Declaration + "\n";
  std::string Name =
      "clinch_head_" + hashOf({F.Of->Provider->className(), Declares,
                               std::to_string(Shared), Cut.Head, F.Support});
  if (!Written.insert(Name).second)
    return Name;
  SharedWriter S(F.Support);
  S.open(Name, SharedWriter::CodeParameters, Prototypes);
  for (size_t I = 0; I < F.Variables.size(); ++I)
    S.declare(F.Declares[I], *F.Variables[I]->Provider);
  std::vector<SharedWriter::Reference> To;
  To.reserve(Names.size() + Shared);
  for (const std::string &Each : Names)
    To.push_back({Each, SharedWriter::given(To.size())});
  for (size_t I = 0; I < Cut.Locals.size(); ++I) {
    S.W.line(Cut.Locals[I].Declaration);
    if (I < Shared)
      To.push_back({Cut.Locals[I].Name, SharedWriter::given(To.size())});
  }
  S.refer(To);
  S.behaviour(Cut.Head, F.Of->Behaviour.Hook, *F.Of->Provider, true);
  S.close(true);
  Texts.push_back(S.take(F.HasModuleInit));
  return Name;
}

/// Calls the head, and loops.
void Sharing::writeRest(const Function &F,
                        const std::vector<std::string> &Names,
                        const LoopText &Cut, size_t Shared,
                        const std::string &Head) {
  std::string Prototype =
      "extern \"C\" int " + Head + "(" + SharedWriter::CodeParameters + ");";
  SharedWriter S(F.Support + Prototype);
  S.open(Calls[F.Of->Number - 1].Code, SharedWriter::CodeParameters,
         Prototypes);
  Words Rest = wordsOf(Cut.Rest);
  for (size_t I = 0; I < Shared; ++I)
    for (std::string_view Word : wordsOf(Cut.Locals[I].Declaration))
      Rest.insert(Word);
  std::vector<SharedWriter::Reference> To;
  std::string All;
  for (size_t I = 0; I < Names.size(); ++I) {
    std::string Address = SharedWriter::given(I);
    All += Address + ", ";
    if (!namesAny(Rest, F.Declares[I], I))
      continue;
    S.declare(F.Declares[I], *F.Variables[I]->Provider);
    To.push_back({Names[I], std::move(Address)});
  }
  S.refer(To);
  for (size_t I = 0; I < Shared; ++I) {
    S.W.line(Cut.Locals[I].Declaration);
    All += "&" + Cut.Locals[I].Name + ", ";
  }
  S.W.line({"{\n  void *const clinch_all[] = {", All, "};\n  if (", Head,
            "(clinch_all, clinch_subject)) ", SharedFail, "\n}"});
  S.behaviour(Cut.Rest, F.Of->Behaviour.Hook, *F.Of->Provider, true, Cut.Line);
  S.close(true);
  SharedText T = S.take(F.HasModuleInit);
  T.Calls = {Head};
  T.Lasting = false;
  Texts.push_back(std::move(T));
}

void Sharing::writeLoop(const Function &F) {
  std::vector<std::string> Names = namesOf(F);
  std::optional<LoopText> Cut = cutBeforeLoop(F.First, Names);
  if (!Cut || Cut->Head.size() < ShortText) {
    writeCode(F);
    Texts.back().Lasting = false;
    return;
  }
  size_t Shared = putOwnLast(*Cut);
  std::string Head = writeHead(F, Names, *Cut, Shared);
  writeRest(F, Names, *Cut, Shared, Head);
}
