//===- Rungs.cpp - A ladder that needs no text ---------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clinch/Assembler/Rungs.h"

#include "Emitter.h"
#include "Sharing.h"

using namespace clinch;

namespace {

/// Where a variable's pointer and its Python object are.
struct Words {
  unsigned Object = Rung::None, Value = Rung::None;
};

/// Gives each variable its words: members of the state in their order, all
/// else behind them.
class WordMap {
public:
  WordMap(const Blueprint &P, const Layout &L, Rungs &R) : Of(P.Variables) {
    for (size_t I = 0; I < P.Variables; ++I) {
      const Placement &Pl = L.Places[I];
      place(Of[I].Object, Pl.PythonMember, R.StateWords);
      place(Of[I].Value, Pl.Member, R.StateWords);
    }
    R.Words = R.StateWords;
    for (size_t I = 0; I < P.Variables; ++I) {
      const Placement &Pl = L.Places[I];
      place(Of[I].Object, !Pl.NoPython && !Pl.PythonMember, R.Words);
      place(Of[I].Value, !Pl.Member, R.Words);
    }
  }
  const Words &operator[](const Block &B) const { return Of[B.Number - 1]; }

private:
  static void place(unsigned &Word, bool Here, size_t &Next) {
    if (Here)
      Word = unsigned(Next++);
  }
  std::vector<Words> Of; ///< [number - 1]
};

} // namespace

std::shared_ptr<const Rungs> Sharing::rungs(const LastUses &Ending) const {
  auto R = std::make_shared<Rungs>();
  WordMap Map(P, L, *R);
  auto MakeRung = [&](const Block &B) {
    const SharedCalls &C = calls(B);
    Rung Step;
    Step.Number = B.Number;
    Step.Open = B.Var ? C.Open : C.Code;
    Step.Close = C.Close;
    Step.Subject = B.Subject;
    Step.IsOutput = B.Kind == BlockKind::Output;
    if (B.Var) {
      if (hasCell(B))
        Step.Cell = P.CellOf[B.Var->index()] - 1;
      Step.Object = Map[B].Object;
      Step.Values = {Map[B].Value};
    } else {
      for (const Block *V : variablesOf(B))
        Step.Values.push_back(Map[*V].Value);
    }
    return Step;
  };
  for (const Block &B : P.Blocks) {
    (B.InState ? R->Init : R->Run).push_back(MakeRung(B));
    auto At = Ending.find(B.Number);
    if (At == Ending.end())
      continue;
    for (const Block *V : At->second) {
      R->Run.push_back(MakeRung(*V));
      R->Run.back().Renews = true;
    }
  }
  return R;
}
