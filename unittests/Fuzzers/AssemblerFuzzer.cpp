// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of any shape and text.

#include "lib/Assembler/Assembler.h"

#include <cstdint>
#include <cstdlib>

using namespace clinch;

namespace {

/// What decides: bytes from the front, texts from between.
class Input {
public:
  Input(const uint8_t *Data, size_t Size)
      : Rest(reinterpret_cast<const char *>(Data), Size) {}

  unsigned below(unsigned N) {
    if (Rest.empty())
      return 0;
    unsigned Byte = static_cast<unsigned char>(Rest[0]);
    Rest.remove_prefix(1);
    return Byte % N;
  }
  std::string text() {
    std::string_view Taken = Rest.substr(0, below(64));
    Rest.remove_prefix(Taken.size() < Rest.size() ? Taken.size() : Rest.size());
    return std::string(Taken);
  }

private:
  std::string_view Rest;
};

HookText hook(const std::string &Text, bool Filled) {
  return Filled ? HookText::filled(Text) : HookText(Text);
}

class AnyType : public Type {
public:
  explicit AnyType(Input &I)
      : Declare(I.text()), Extract(I.text()), Cleanup(I.text()),
        Simple(I.below(2)), Filled(I.below(2)) {}

  std::string className() const override { return "AnyType"; }
  Expected<bool> c_is_simple() const override { return Simple; }
  Text c_declare(const Args &) const override { return hook(Declare, Filled); }
  Text c_init(const Args &) const override { return hook("%(name)s;", false); }
  Text c_extract(const Args &) const override { return hook(Extract, Filled); }
  Text c_sync(const Args &) const override { return hook(Extract, Filled); }
  Text c_cleanup(const Args &) const override { return hook(Cleanup, Filled); }

private:
  std::string Declare, Extract, Cleanup;
  bool Simple, Filled;
};

class AnyOp : public Op {
public:
  explicit AnyOp(Input &I)
      : Code(I.text()), Cleanup(I.text()), Support(I.text()),
        Filled(I.below(2)), View(I.below(4)), Destroys(I.below(4)) {}

  std::string className() const override { return "AnyOp"; }
  Text c_code(const Args &) const override { return hook(Code, Filled); }
  Text c_code_cleanup(const Args &) const override {
    return hook(Cleanup, Filled);
  }
  Strings c_support_code() const override {
    return std::vector<std::string>{Support};
  }
  AliasMap viewMap() const override {
    return View > 2 ? AliasMap{{View % 2, {View % 3}}} : AliasMap();
  }
  AliasMap destroyMap() const override {
    return Destroys > 2 ? AliasMap{{Destroys % 2, {Destroys % 3}}} : AliasMap();
  }

private:
  std::string Code, Cleanup, Support;
  bool Filled;
  unsigned View, Destroys;
};

/// Regions lie in the text, and each has its author.
void check(const ThunkSource &S) {
  size_t Size = S.Source.Text.size();
  if (S.Options.Regions.size() != S.Authors.size())
    std::abort();
  for (const Region &R : S.Options.Regions)
    if (R.Begin > R.End || R.End > Size)
      std::abort();
}

} // namespace

/// A graph is refused, or its text has every author's region.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Input I(Data, Size);
  Graph G;
  std::vector<std::shared_ptr<const Type>> Types;
  std::vector<Variable *> All;
  for (unsigned N = 1 + I.below(3); N; --N)
    Types.push_back(std::make_shared<AnyType>(I));
  for (unsigned N = 1 + I.below(3); N; --N)
    All.push_back(G.addInput(Types[I.below(unsigned(Types.size()))]));
  for (unsigned N = I.below(6); N; --N) {
    std::vector<Variable *> Ins;
    for (unsigned M = I.below(4); M; --M)
      Ins.push_back(All[I.below(unsigned(All.size()))]);
    std::vector<std::shared_ptr<const Type>> Outs;
    for (unsigned M = 1 + I.below(2); M; --M)
      Outs.push_back(Types[I.below(unsigned(Types.size()))]);
    Expected<Apply *> A = G.apply(std::make_shared<AnyOp>(I), Ins, Outs);
    if (!A)
      return 0;
    for (Variable *V : (*A)->outputs())
      All.push_back(V);
  }
  std::vector<Variable *> Inputs = G.inputs();
  if (!G.setInterface(std::move(Inputs),
                      {All.back(), All[I.below(unsigned(All.size()))]}))
    return 0;
  AssembleOptions O;
  O.Shape = I.below(2) ? Form::Struct : Form::Function;
  O.Lang = I.below(2) ? Language::C : Language::CXX;
  O.SyncMayFail = I.below(2);
  O.CheckPending = I.below(2);
  O.ReleaseEarly = I.below(2);
  O.SplitAbove = I.below(2) ? 200 : 2;
  O.ChunkSize = 1 + I.below(4);
  Expected<ThunkSource> Source = assemble(G, O);
  if (Source)
    check(*Source);
  else if (Source.error().render().empty())
    std::abort();
  return 0;
}
