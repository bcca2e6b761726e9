// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions of C++ and the graph that they are.

#include "ExprGraph.h"
#include "clinch/Graph/Expr.h"
#include "lib/Contract/Scalar.h"

#include <cstring>
#include <unordered_map>

using namespace clinch;

namespace {
/// Adds nodes to a graph, each after its inputs, without recursion.
class GraphBuilder {
public:
  explicit GraphBuilder(const HostValueMaker &HostValue)
      : HostValue(HostValue) {}

  /// Makes \p E an input, whatever computes it.
  Expected<Variable *> addInput(const Expr &E);
  Expected<Variable *> add(const Expr &E);

  Graph G;

private:
  using Variables = std::vector<Variable *>; ///< One for each output.
  Status addNode(const Expr::Node &N);
  Variable *found(const Expr &E) const;

  const HostValueMaker &HostValue;
  std::unordered_map<const Expr::Node *, Variables> Inputs, Made;
};
} // namespace

static Status check(const Expr::Node &N) {
  return N.Wrong ? Status(*N.Wrong) : Status::success();
}

Variable *GraphBuilder::found(const Expr &E) const {
  for (const auto *Map : {&Inputs, &Made})
    if (auto It = Map->find(E.node().get()); It != Map->end())
      if (Variable *V = It->second[E.output()])
        return V;
  return nullptr;
}

Expected<Variable *> GraphBuilder::addInput(const Expr &E) {
  const Expr::Node &N = *E.node();
  if (N.Types.empty()) {
    CLINCH_TRY(add(E)); // Fails with the reason.
  }
  if (N.isConstant())
    return add(E); // Graph::setInterface() says why it may not be.
  Variables &Of = Inputs[&N];
  Of.resize(N.Types.size());
  Variable *&V = Of[E.output()];
  if (!V)
    V = G.addInput(N.Types[E.output()], N.Name);
  return V;
}

/// Adds a node whose inputs are in the graph.
Status GraphBuilder::addNode(const Expr::Node &N) {
  CLINCH_TRY(check(N));
  Variables &Of = Made[&N];
  if (N.isConstant()) {
    CLINCH_TRY_ASSIGN(void *Value, HostValue(N));
    Of = {G.addConstant(N.Types[0], Value)};
  } else if (!N.O) {
    Of = {G.addInput(N.Types[0], N.Name)}; // Nobody gives it; order() says so.
  } else {
    Variables Given;
    for (const Expr &E : N.Inputs)
      Given.push_back(found(E));
    Apply::Info Info;
    if (N.HasParams) {
      Info.Params = Given.back();
      Given.pop_back();
    }
    CLINCH_TRY_ASSIGN(const Apply *A,
                      G.apply(N.O, std::move(Given), N.Types, std::move(Info)));
    Of = A->outputs();
  }
  return Status::success();
}

Expected<Variable *> GraphBuilder::add(const Expr &Of) {
  std::vector<std::pair<Expr, bool>> Waiting{{Of, false}};
  while (!Waiting.empty()) {
    auto [E, HasInputs] = Waiting.back();
    Waiting.pop_back();
    if (found(E))
      continue;
    if (HasInputs || E.node()->Inputs.empty()) {
      CLINCH_TRY(addNode(*E.node()));
      continue;
    }
    Waiting.emplace_back(E, true);
    for (size_t I = E.node()->Inputs.size(); I-- > 0;)
      Waiting.emplace_back(E.node()->Inputs[I], false);
  }
  return found(Of);
}

Expected<Graph> clinch::graphOf(const std::vector<Expr> &Inputs,
                                const std::vector<Expr> &Outputs,
                                const HostValueMaker &HostValue) {
  GraphBuilder B(HostValue);
  std::vector<Variable *> In, Out;
  for (const Expr &E : Inputs) {
    CLINCH_TRY_ASSIGN(Variable * V, B.addInput(E));
    In.push_back(V);
  }
  for (const Expr &E : Outputs) {
    CLINCH_TRY_ASSIGN(Variable * V, B.add(E));
    Out.push_back(V);
  }
  CLINCH_TRY(B.G.setInterface(std::move(In), std::move(Out)));
  return std::move(B.G);
}

Expr::Node::~Node() {
  std::vector<Expr> Last = std::move(Inputs);
  while (!Last.empty()) {
    Expr E = std::move(Last.back());
    Last.pop_back();
    if (E.N.use_count() != 1)
      continue;
    for (Expr &Input : E.N->Inputs)
      Last.push_back(std::move(Input));
    E.N->Inputs.clear();
  }
}

static Expr expressionOf(Expr::Node N) {
  return {std::make_shared<Expr::Node>(std::move(N)), 0};
}

Expr clinch::input(TypePtr T, std::string Name) {
  Expr::Node N;
  if (!T)
    N.Wrong =
        Error(Error::Kind::Graph, "The input `" + Name + "` has no type.");
  else
    N.Types = {std::move(T)};
  N.Name = std::move(Name);
  return expressionOf(std::move(N));
}

Expr clinch::constant(TypePtr T, std::shared_ptr<void> HostValue) {
  Expr::Node N;
  if (!T || !HostValue)
    N.Wrong = Error(Error::Kind::Graph, std::string("A constant has no ") +
                                            (T ? "value." : "type."));
  else
    N.Types = {std::move(T)};
  N.Name = "constant";
  N.HostValue = std::move(HostValue);
  return expressionOf(std::move(N));
}

Expr Expr::number(const void *Bytes, std::string_view Dtype) {
  Node N;
  const ScalarInfo &S = *findScalar(Dtype);
  // Python's float, as from Python; the other types are NumPy's.
  N.Types = {Dtype == "float64" ? floatType() : *scalarType(Dtype)};
  std::memcpy(N.Number.emplace().data(), Bytes, S.Size);
  return expressionOf(std::move(N));
}

//===----------------------------------------------------------------------===//
// Numbers that take the type of what they are used with.
//===----------------------------------------------------------------------===//

template <typename T> static T load(const NumberBytes &Bytes) {
  T Value;
  std::memcpy(&Value, Bytes.data(), sizeof(T));
  return Value;
}

template <typename T> static NumberBytes stored(T Value) {
  NumberBytes Bytes{};
  std::memcpy(Bytes.data(), &Value, sizeof(T));
  return Bytes;
}

/// Returns an integer of \p To, if that holds it. \p Low are its 64 bits.
static std::optional<NumberBytes> asInteger(const ScalarInfo &To, uint64_t Low,
                                            bool IsNegative) {
  const unsigned Bits = 8 * To.Size - (To.Kind == ScalarKind::Int);
  const uint64_t Most = Bits == 64 ? UINT64_MAX : (uint64_t(1) << Bits) - 1;
  const bool Fits =
      IsNegative ? To.Kind == ScalarKind::Int && ~Low <= Most : Low <= Most;
  // The low bytes come first on every machine that Clinch runs on.
  return Fits ? std::optional(stored(Low)) : std::nullopt;
}

/// Returns the number of type \p From as one of \p To, as Python's numbers take
/// the type of a Variable, or nothing: integers and bools as any number that
/// holds them, floats as floats.
static std::optional<NumberBytes> convert(const NumberBytes &Bytes,
                                          const ScalarInfo &From,
                                          const ScalarInfo &To) {
  if (&From == &To)
    return Bytes;
  if (From.Kind == ScalarKind::Complex || To.Kind == ScalarKind::Bool)
    return std::nullopt;
  const bool IsFloat = From.Kind == ScalarKind::Float;
  const uint64_t Low =
      From.Kind == ScalarKind::Bool ? Bytes[0] : load<uint64_t>(Bytes);
  const bool IsNegative = From.Kind == ScalarKind::Int && int64_t(Low) < 0;
  if (To.Kind <= ScalarKind::UInt)
    return IsFloat ? std::nullopt : asInteger(To, Low, IsNegative);
  const double Value = IsFloat      ? load<double>(Bytes)
                       : IsNegative ? double(int64_t(Low))
                                    : double(Low);
  if (To.Kind == ScalarKind::Complex)
    return To.Size == 8 ? stored(std::complex<float>(float(Value)))
                        : stored(std::complex<double>(Value));
  return To.Size == 2   ? stored(halfBits(Value))
         : To.Size == 4 ? stored(float(Value))
                        : stored(Value);
}

const ScalarInfo *clinch::numberOf(const Type &T) {
  const ScalarInfo *S = findScalar(T.dtype());
  const bool IsOurs =
      S && (&T == floatType().get() || &T == scalarType(S->Name)->get());
  return IsOurs ? S : nullptr;
}

/// Gives the numbers among \p Inputs the type of the first that is none.
static void adoptNumbers(std::vector<Expr> &Inputs) {
  TypePtr Like;
  for (const Expr &E : Inputs)
    if (!Like && !E.node()->Number && !E.node()->Types.empty())
      Like = E.node()->Types[E.output()];
  const ScalarInfo *To = Like ? numberOf(*Like) : nullptr;
  if (!To)
    return;
  for (Expr &E : Inputs) {
    const Expr::Node &N = *E.node();
    if (!N.Number)
      continue;
    auto Bytes = convert(*N.Number, *numberOf(*N.Types[0]), *To);
    if (!Bytes)
      continue;
    Expr::Node Typed;
    Typed.Types = {Like};
    Typed.Number = *Bytes;
    E = expressionOf(std::move(Typed));
  }
}

//===----------------------------------------------------------------------===//
// Applies, and how messages write them.
//===----------------------------------------------------------------------===//

static std::string written(const Expr &E, unsigned Depth);

static std::string writtenApply(const Expr::Node &N, unsigned Depth) {
  std::string Text = N.OpName + "(";
  for (size_t I = 0; I < N.Inputs.size(); ++I)
    Text += (I ? ", " : "") + (Depth ? written(N.Inputs[I], Depth - 1) : "...");
  return Text + ")";
}

/// Writes at most \p Depth calls within calls.
static std::string written(const Expr &E, unsigned Depth) {
  const Expr::Node &N = *E.node();
  if (N.Number) {
    const ScalarInfo &S = *findScalar(N.Types[0]->dtype());
    return S.Kind == ScalarKind::Float ? scalarLiteral(S, N.Number->data())
                                       : std::string(S.Name) + " constant";
  }
  return N.OpName.empty() ? N.Name : writtenApply(N, Depth);
}

static constexpr unsigned WrittenDepth = 3;

/// Makes an apply of \p O; \p TypesOf gives its outputs' types.
static std::shared_ptr<Expr::Node>
applied(Expected<std::shared_ptr<const Op>> O, std::string OpName,
        std::vector<Expr> Inputs,
        const std::function<Expected<std::vector<TypePtr>>(
            const Op &, const std::vector<TypePtr> &)> &TypesOf) {
  auto N = std::make_shared<Expr::Node>();
  N->OpName = std::move(OpName);
  adoptNumbers(Inputs);
  N->Inputs = std::move(Inputs);
  std::vector<TypePtr> Given;
  for (const Expr &E : N->Inputs) {
    if (E.node()->Types.empty())
      return N; // Whoever looks finds the input's own error first.
    Given.push_back(E.node()->Types[E.output()]);
  }
  auto Types =
      O ? TypesOf(**O, Given) : Expected<std::vector<TypePtr>>(O.takeError());
  if (Types) {
    N->O = std::move(*O);
    N->Types = std::move(*Types);
  } else {
    N->Wrong =
        Error(Types.error().kind(), "In `" + writtenApply(*N, WrittenDepth) +
                                        "`: " + Types.error().message());
  }
  return N;
}

static Expected<std::vector<TypePtr>>
scalarResult(const Op &O, const std::vector<TypePtr> &Given) {
  CLINCH_TRY_ASSIGN(TypePtr T, resultType(O, Given));
  return std::vector<TypePtr>{std::move(T)};
}

Expr clinch::apply(std::string_view ScalarOp, std::vector<Expr> Inputs) {
  return {applied(scalarOp(ScalarOp), std::string(ScalarOp), std::move(Inputs),
                  scalarResult),
          0};
}

Expr clinch::cast(const Expr &X, std::string_view Dtype) {
  return {
      applied(castOp(Dtype), "cast_" + std::string(Dtype), {X}, scalarResult),
      0};
}

std::vector<Expr> clinch::apply(std::shared_ptr<const Op> O,
                                std::vector<Expr> Inputs,
                                std::vector<TypePtr> Outputs,
                                const Expr *Params) {
  const size_t Count = Outputs.size();
  std::string Name = O ? O->className() : "?";
  Expected<std::shared_ptr<const Op>> Given = std::move(O);
  if (!*Given)
    Given =
        Error(Error::Kind::Graph, "an apply needs an Op, and none was given");
  auto TypesOf =
      [&](const Op &O,
          const std::vector<TypePtr> &) -> Expected<std::vector<TypePtr>> {
    for (size_t I = 0; I < Count; ++I)
      if (!Outputs[I])
        return Error(Error::Kind::Graph, "output " + std::to_string(I) +
                                             " of `" + O.className() +
                                             "` has no type");
    return std::move(Outputs);
  };
  auto N =
      applied(std::move(Given), std::move(Name), std::move(Inputs), TypesOf);
  if (Params) {
    N->Inputs.push_back(*Params);
    N->HasParams = true;
  }
  std::vector<Expr> All;
  All.reserve(Count);
  for (unsigned I = 0; I < Count; ++I)
    All.emplace_back(N, I);
  return All;
}
