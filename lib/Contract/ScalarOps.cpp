// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar Ops from their table.

#include "Scalar.h"
#include "clinch/Graph/Graph.h"
#include "lib/Contract/CNames.h"
#include "lib/Contract/Scalar.h"
#include "lib/Contract/ScalarOpTable.h"
#include "lib/Support/Declarations.h"
#include "lib/Support/Forks.h"
#include "lib/Support/Lexer.h"
#include "lib/Support/Text.h"

#include <algorithm>

using namespace clinch;

const ScalarInfo *clinch::itemOf(const Type &T) {
  return findScalar(T.dtype());
}

Status clinch::checkInputs(const ScalarOpInfo &Info,
                           const std::vector<TypePtr> &Inputs) {
  const std::string Name = "`" + std::string(Info.Name) + "`";
  if (Inputs.size() != Info.Arity)
    return Error(Error::Kind::Graph,
                 Name + " takes " + std::to_string(Info.Arity) +
                     (Info.Arity == 1 ? " input" : " inputs") + ", not " +
                     std::to_string(Inputs.size()) + ".");
  for (const TypePtr &T : Inputs)
    if (T->ndim() >= 0)
      return Error(Error::Kind::Graph,
                   Name + " takes scalars, not a `" + T->className() +
                       "`; over arrays it is `Elemwise(" + Info.Name + ")`.");
  return Status::success();
}

Error clinch::notDefinedFor(const ScalarOpInfo &Info, const ScalarInfo &S) {
  return {Error::Kind::Graph, "`" + std::string(Info.Name) +
                                  "` is not defined for " +
                                  std::string(S.Name) + "."};
}

static const ScalarInfo &float64() { return *findScalar("float64"); }

/// Returns the item type to compute in.
static const ScalarInfo &computeIn(const ScalarOpInfo &Info,
                                   std::span<const ScalarInfo *const> In) {
  if (Info.Rule == ResultRule::First)
    return *In[0];
  if (Info.Rule == ResultRule::Second)
    return *In[1];
  if (Info.Rule == ResultRule::Branches)
    return upcast(*In[1], *In[2]);
  const bool InFloats = Info.Rule == ResultRule::Float ||
                        Info.Rule == ResultRule::RealFloat ||
                        Info.Rule == ResultRule::Complex;
  // Each alone: int16 and uint16 together make int32, but each makes float32.
  auto Taken = [&](const ScalarInfo *I) -> const ScalarInfo & {
    return InFloats ? upcastToFloat(*I) : *I;
  };
  const ScalarInfo *C = &Taken(In[0]);
  for (const ScalarInfo *I : In)
    C = &upcast(*C, Taken(I));
  if (Info.Rule == ResultRule::Quotient && C->Kind <= ScalarKind::UInt)
    C = &float64();
  if (Info.Rule == ResultRule::UpcastInt8 && C->Kind == ScalarKind::Bool)
    C = findScalar("int8");
  return *C;
}

static const ScalarInfo &resultOf(const ScalarOpInfo &Info,
                                  const ScalarInfo *Compute) {
  switch (Info.Rule) {
  case ResultRule::Bool:
  case ResultRule::Compare:
    return *findScalar("bool");
  case ResultRule::Real:
  case ResultRule::RealFloat:
    return realPart(*Compute);
  case ResultRule::Complex:
    return upcast(*Compute, *findScalar("complex64"));
  default:
    return *Compute;
  }
}

static const char *expressionFor(const ScalarOpInfo &Info, ScalarKind Kind) {
  switch (Kind) {
  case ScalarKind::Bool:
    return Info.Bool;
  case ScalarKind::Int:
    return Info.Int;
  case ScalarKind::UInt:
    return Info.UInt;
  case ScalarKind::Float:
    return Info.Float;
  case ScalarKind::Complex:
    return Info.Complex;
  }
  return nullptr;
}

/// Returns the C type to compute in; double and float need no NumPy header. As
/// in NumPy, float16 is computed as float32, and what comes of it is rounded.
static std::string computeType(const ScalarInfo &S) {
  if (S.Kind == ScalarKind::Complex)
    return "clinch_complex";
  if (S.Kind == ScalarKind::Float)
    return S.Size <= 4 ? "float" : "double";
  return std::string(S.CType);
}

/// Returns the variable \p Name of type \p From as an operand of type \p To.
static std::string operand(const std::string &Name, const ScalarInfo *From,
                           const ScalarInfo &To) {
  if (!From)
    return Name;
  if (From->Kind == ScalarKind::Complex)
    return "clinch_from_" + std::string(From->Name) + "(" + Name + ")";
  if (From == &To && To.Name != "float16")
    return Name;
  if (To.Kind == ScalarKind::Complex)
    return "clinch_make_complex(" + Name + ", 0)";
  return "((" + computeType(To) + ")" + Name + ")";
}

/// Returns the sign of \p A - \p B, a signed integer and a uint64, which no
/// type of 64 bits holds both of.
static std::string order(const std::string &A, const std::string &B) {
  return "(" + A + " < 0 ? -1 : ((npy_uint64)" + A + " > " + B +
         ") - ((npy_uint64)" + A + " < " + B + "))";
}

/// Returns the inputs \p Names as operands of type \p Compute. Integers whose
/// common type would be a float are compared by their \c order with 0.
static std::vector<std::string>
operands(const ScalarOpInfo &Info, const std::vector<std::string> &Names,
         const std::vector<const ScalarInfo *> &Items,
         const ScalarInfo &Compute) {
  auto Is = [&](size_t I, ScalarKind Kind) {
    return Items[I] && Items[I]->Kind == Kind;
  };
  if (Info.Rule == ResultRule::Compare && Compute.Kind == ScalarKind::Float) {
    if (Is(0, ScalarKind::Int) && Is(1, ScalarKind::UInt))
      return {order(Names[0], Names[1]), "0"};
    if (Is(0, ScalarKind::UInt) && Is(1, ScalarKind::Int))
      return {"0", order(Names[1], Names[0])};
  }
  std::vector<std::string> Made;
  Made.reserve(Items.size());
  for (size_t I = 0; I < Items.size(); ++I)
    Made.push_back(operand(Names[I], Items[I], Compute));
  return Made;
}

namespace {
/// The values of the marks in a row's text for one apply.
struct Marks {
  std::vector<std::string> Operands; ///< `$a`, `$b`, `$c`.
  std::string T, U, F, Fail;

  std::string fill(std::string_view Text) const;
};
} // namespace

std::string Marks::fill(std::string_view Text) const {
  std::string Out;
  for (size_t I = 0; I < Text.size(); ++I) {
    if (Text[I] != '$') {
      Out += Text[I];
      continue;
    }
    char Mark = Text[++I];
    if (Text.substr(I).starts_with("fail")) {
      Out += Fail;
      I += 3;
    } else {
      Out += Mark == 'T'   ? T
             : Mark == 'U' ? U
             : Mark == 'f' ? F
                           : Operands[Mark - 'a'];
    }
  }
  return Out;
}

namespace {
class TableOp final : public ScalarOp {
public:
  explicit TableOp(const ScalarOpInfo &Info) : Info(Info) {}
  std::string className() const override { return Info.Name; }
  Expected<std::string> c_code_cache_version() const override { return "(1,)"; }
  Strings c_headers(std::string_view) const override {
    return Strings({"<math.h>"});
  }
  Strings c_support_code() const override {
    if (!Info.Support)
      return Strings({});
    return Strings({Info.Support});
  }
  Expected<TypePtr>
  resultType(const std::vector<TypePtr> &Inputs) const override;
  Text c_code(const Op::Args &A) const override;

private:
  const ScalarOpInfo &Info;
};
} // namespace

/// Returns whether \p Info computes something. A text that only copies would
/// copy a pointer without taking a reference.
static bool computes(const ScalarOpInfo &Info) {
  return Info.Rule != ResultRule::First && Info.Rule != ResultRule::Second &&
         Info.Rule != ResultRule::Branches && Info.Float &&
         std::string_view(Info.Float) != "$a" &&
         std::string_view(Info.Float) != "0";
}

static bool allEqual(const std::vector<TypePtr> &Types) {
  for (const TypePtr &T : Types)
    if (!T->equals(*Types[0]))
      return false;
  return true;
}

/// Whether the variable `x` of \p Declared is a struct, pointer or array. What
/// stands beside it does not matter. An author's typedef is a number unless the
/// support code shows a struct.
static bool isNoNumber(const std::string &Declared, const Type &T) {
  const Declarations D = readDeclarations(Declared);
  if (D.Names.empty() && D.Members.empty())
    return false;
  if (std::ranges::find(D.Names, "x") == D.Names.end())
    return true;
  Lexer L(D.Members);
  Token First = L.next(), Before = First, At = First;
  int Depth = 0; // In the braces of a struct.
  for (; At.What != Token::End && (Depth || !At.is("x")); At = L.next()) {
    if (Before.is(';') && !Depth)
      First = At;
    Depth += At.is('{') - At.is('}');
    Before = At;
  }
  if (Before.is('*') || First.is("struct") || First.is("union") ||
      L.next().is('['))
    return true;
  CodeProvider::Strings Support = T.c_support_code();
  if (!Support || First.Offset >= At.Offset)
    return false;
  std::string Name = D.Members.substr(First.Offset, At.Offset - First.Offset);
  Name.erase(Name.find_last_not_of(" \t\n") + 1);
  const std::string Tag = "} " + Name + ";"; // typedef struct {...}
  return std::ranges::any_of(*Support, [&](const std::string &Text) {
    return Text.find(Tag) != std::string::npos;
  });
}

/// A Type without a dtype computes as a double if it declares a number.
static Status checkNumber(const ScalarOpInfo &Info, const Type &T) {
  Substitutions Sub;
  const std::string Name = "x";
  for (const char *Key : {"name", "py_ptr", "stor_ptr", "failure_var", "id"})
    Sub.set(Key, Name);
  Expected<HookText> Text = T.c_declare({Name, Sub});
  if (!Text)
    return Text.error().kind() == Error::Kind::Hook ? Status::success()
                                                    : Status(Text.takeError());
  std::string Declared = Text->Text;
  if (!Text->Filled) {
    CLINCH_TRY_ASSIGN(
        Declared,
        fillTemplate(Declared, Sub, "`" + T.className() + ".c_declare`"));
  }
  if (!isNoNumber(Declared, T))
    return Status::success();
  return Error(Error::Kind::Graph, "`" + std::string(Info.Name) +
                                       "` takes numbers, and a variable of `" +
                                       T.className() + "` is none in C: `" +
                                       Declared + "`.");
}

Expected<TypePtr>
TableOp::resultType(const std::vector<TypePtr> &Inputs) const {
  CLINCH_TRY(checkInputs(Info, Inputs));
  const bool OneType = allEqual(Inputs);
  std::vector<const ScalarInfo *> Items;
  for (const TypePtr &T : Inputs) {
    Items.push_back(itemOf(*T));
    if (!Items.back() && !(OneType && computes(Info)))
      return Error(Error::Kind::Graph,
                   "`" + std::string(Info.Name) + "` cannot compute with a `" +
                       T->className() + "`, which says no dtype.");
    if (Items.back())
      continue;
    CLINCH_TRY(checkNumber(Info, *T));
    Items.back() = &float64();
  }
  const ScalarInfo &Compute = computeIn(Info, Items);
  if (!expressionFor(Info, Compute.Kind))
    return notDefinedFor(Info, Compute);
  const ScalarInfo &Result = resultOf(Info, &Compute);
  // The user's own type is kept: floats in, floats out.
  if (OneType && &Result == Items[0])
    return Inputs[0];
  return scalarType(Result.Name);
}

Op::Text TableOp::c_code(const Op::Args &A) const {
  std::vector<const ScalarInfo *> Items, Known;
  for (const Variable *V : A.Node.inputs()) {
    Items.push_back(itemOf(V->type()));
    Known.push_back(Items.back() ? Items.back() : &float64());
  }
  const ScalarInfo &Compute = computeIn(Info, Known);
  const char *Expression = expressionFor(Info, Compute.Kind);
  if (!Expression)
    return notDefinedFor(Info, Compute);
  Marks M;
  M.Operands = operands(Info, A.Inputs, Items, Compute);
  M.T = computeType(Compute);
  M.U = Compute.Size <= 4 ? "npy_uint32" : "npy_uint64";
  M.F = realPart(Compute).Size <= 4 ? "f" : "";
  // Of a zero and a negative zero NumPy takes the first half, and the last
  // float.
  const std::string_view Name = Info.Name;
  if (Compute.Name == "float16" && (Name == "minimum" || Name == "maximum"))
    std::swap(M.Operands[0], M.Operands[1]);
  if (const std::string *Fail = A.Sub.find("fail"))
    M.Fail = *Fail;

  // Who can check apart from computing asks for one of the two.
  const std::string *Part = A.Sub.find("part");
  std::string Text;
  if (Info.IntGuard && Compute.Kind <= ScalarKind::UInt &&
      (!Part || *Part == "check"))
    Text = M.fill(Info.IntGuard);
  if (Part && *Part == "check")
    return HookText::filled(Text);
  std::string Value = M.fill(Expression);
  const ScalarInfo &Result = resultOf(Info, &Compute);
  if (Result.Kind == ScalarKind::Complex)
    Value = "clinch_to_" + std::string(Result.Name) + "(" + Value + ")";
  else if (Result.Name == "float16")
    Value = "(_Float16)(float)(" + Value + ")";
  return HookText::filled(Text + A.Outputs[0] + " = " + Value + ";");
}

Expected<std::shared_ptr<const Op>> clinch::scalarOp(std::string_view Name) {
  std::span<const ScalarOpInfo> Rows = scalarOpTable();
  static constinit ForProcess<std::vector<std::shared_ptr<const Op>>> All;
  auto Make = [] {
    auto *Ops = new std::vector<std::shared_ptr<const Op>>;
    for (const ScalarOpInfo &Row : scalarOpTable())
      Ops->push_back(std::make_shared<TableOp>(Row));
    return Ops;
  };
  for (size_t I = 0; I < Rows.size(); ++I)
    if (Name == Rows[I].Name)
      return All.get(Make)[I];
  std::vector<std::string_view> Names;
  for (const ScalarOpInfo &Row : Rows)
    Names.push_back(Row.Name);
  const std::string_view Near = closestName(Name, Names);
  return Error(
      Error::Kind::InvalidArgument,
      "There is no scalar Op `" + std::string(Name) + "`" +
          (Near.empty() ? "." : "; did you mean `" + std::string(Near) + "`?"));
}

Expected<TypePtr> clinch::resultType(const Op &Scalar,
                                     const std::vector<TypePtr> &Inputs) {
  if (const auto *O = dynamic_cast<const ScalarOp *>(&Scalar))
    return O->resultType(Inputs);
  return Error(Error::Kind::InvalidArgument,
               "`" + Scalar.className() + "` is no scalar Op.");
}
