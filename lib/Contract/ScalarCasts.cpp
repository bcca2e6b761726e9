// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Casts between item types.

#include "ScalarItem.h"
#include "ScalarSupport.h"
#include "clinch/Graph/Graph.h"
#include "lib/Contract/Scalar.h"
#include "lib/Contract/ScalarOpTable.h"
#include "lib/Support/Forks.h"

using namespace clinch;

static constexpr const char *None = nullptr;
static constexpr ScalarOpInfo row(const char *Name) {
  return {Name, 1,   ResultRule::Named, None, None, None, None, None, None,
          None, None};
}

// In the order of allScalars().
static constexpr ScalarOpInfo Rows[] = {
    row("cast_bool"),       row("cast_int8"),    row("cast_int16"),
    row("cast_int32"),      row("cast_int64"),   row("cast_uint8"),
    row("cast_uint16"),     row("cast_uint32"),  row("cast_uint64"),
    row("cast_float32"),    row("cast_float64"), row("cast_complex64"),
    row("cast_complex128"), row("cast_float16")};

namespace {
class CastOp final : public ScalarOp {
public:
  CastOp(const ScalarOpInfo &Info, const ScalarInfo &To) : Info(Info), To(To) {}
  std::string className() const override { return Info.Name; }
  Expected<std::string> c_code_cache_version() const override { return "(1,)"; }
  Strings c_support_code() const override {
    if (To.Kind != ScalarKind::Int && To.Kind != ScalarKind::UInt)
      return Strings({});
    return Strings({CastSupport});
  }
  Expected<TypePtr>
  resultType(const std::vector<TypePtr> &Inputs) const override;
  Text c_code(const Op::Args &A) const override;

private:
  std::string fromComplex(const ScalarInfo &From, const std::string &X) const;
  std::string fromReal(const ScalarInfo &From, const std::string &X) const;
  const ScalarOpInfo &Info;
  const ScalarInfo &To;
};
} // namespace

Expected<TypePtr> CastOp::resultType(const std::vector<TypePtr> &Inputs) const {
  CLINCH_TRY(checkInputs(Info, Inputs));
  const ScalarInfo *From = itemOf(*Inputs[0]);
  if (From && From->Kind == ScalarKind::Complex &&
      To.Kind != ScalarKind::Complex && To.Kind != ScalarKind::Bool)
    return Error(Error::Kind::Graph,
                 "`" + std::string(Info.Name) + "` is not defined for " +
                     std::string(From->Name) +
                     ": take `real`, `imag` or `abs` first.");
  return scalarType(To.Name);
}

std::string CastOp::fromComplex(const ScalarInfo &From,
                                const std::string &X) const {
  std::string Value = "clinch_from_" + std::string(From.Name) + "(" + X + ")";
  if (To.Kind == ScalarKind::Bool)
    return Value + " != 0";
  return "clinch_to_" + std::string(To.Name) + "(" + Value + ")";
}

std::string CastOp::fromReal(const ScalarInfo &From,
                             const std::string &X) const {
  const std::string C(To.CType);
  switch (To.Kind) {
  case ScalarKind::Bool:
    return X + " != 0";
  case ScalarKind::Int:
  case ScalarKind::UInt:
    if (From.Kind != ScalarKind::Float)
      return "(" + C + ")" + X;
    return "(" + C + ")" +
           (To.Kind == ScalarKind::Int ? "clinch_to_int(" : "clinch_to_uint(") +
           X + ")";
  case ScalarKind::Float:
    return "(" + C + ")" + X;
  case ScalarKind::Complex:
    return "clinch_to_" + std::string(To.Name) + "(clinch_make_complex(" + X +
           ", 0))";
  }
  return X;
}

Op::Text CastOp::c_code(const Op::Args &A) const {
  const ScalarInfo *From = itemOf(A.Node.inputs()[0]->type());
  if (!From)
    From = findScalar("float64");
  const std::string &X = A.Inputs[0];
  std::string Value = From->Kind == ScalarKind::Complex ? fromComplex(*From, X)
                                                        : fromReal(*From, X);
  return HookText::filled(A.Outputs[0] + " = " + Value + ";");
}

Expected<std::shared_ptr<const Op>> clinch::castOp(std::string_view Dtype) {
  CLINCH_TRY_ASSIGN(auto *To, scalarInfo(Dtype));
  static constinit ForProcess<std::vector<std::shared_ptr<const Op>>> All;
  auto Make = [] {
    auto *Ops = new std::vector<std::shared_ptr<const Op>>;
    for (const ScalarInfo &S : allScalars())
      Ops->push_back(std::make_shared<CastOp>(Rows[Ops->size()], S));
    return Ops;
  };
  return All.get(Make)[To - allScalars().data()];
}
