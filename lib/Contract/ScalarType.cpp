// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar types and their conversions.

#include "CNames.h"
#include "Scalar.h"
#include "ScalarSupport.h"
#include "clinch/Contract/Type.h"
#include "clinch/Graph/Graph.h"
#include "lib/Contract/Scalar.h"
#include "lib/Contract/ScalarOpTable.h"
#include "lib/Support/Forks.h"

using namespace clinch;

namespace {
class ScalarType final : public Type {
public:
  explicit ScalarType(const ScalarInfo &S) : S(S) {}

  std::string className() const override { return "Scalar"; }
  std::string dtype() const override { return std::string(S.Name); }
  Expected<std::string> c_element_type() const override {
    return std::string(S.CType);
  }
  Expected<bool> c_is_simple() const override { return true; }
  Expected<std::string> c_code_cache_version() const override { return "(1,)"; }
  Strings c_headers(std::string_view) const override {
    return Strings({"<numpy/arrayobject.h>", "<numpy/arrayscalars.h>"});
  }
  Strings c_init_code() const override { return Strings({"import_array();"}); }
  Strings c_support_code() const override;
  Expected<std::string> c_literal(const Variable &Constant) const override {
    return constantText(Constant, S);
  }

  Text c_declare(const Type::Args &) const override;
  Text c_init(const Type::Args &) const override;
  Text c_extract(const Type::Args &A) const override;
  Text c_sync(const Type::Args &) const override;

  bool equals(const Type &Other) const override {
    const auto *T = dynamic_cast<const ScalarType *>(&Other);
    return T && &T->S == &S;
  }

private:
  /// Replaces `@class`, `@dtype` and `@ctype` in \p Template.
  HookText text(std::string Template) const;
  const ScalarInfo &S;
};
} // namespace

static void replaceAll(std::string &Text, std::string_view From,
                       std::string_view To) {
  for (size_t At = 0; (At = Text.find(From, At)) != std::string::npos;
       At += To.size())
    Text.replace(At, From.size(), To);
}

HookText ScalarType::text(std::string Template) const {
  replaceAll(Template, "@class", S.Class);
  replaceAll(Template, "@dtype", S.Name);
  replaceAll(Template, "@ctype", S.CType);
  return ownText(std::move(Template));
}

CodeProvider::Strings ScalarType::c_support_code() const {
  if (S.Kind != ScalarKind::Complex)
    return Strings({});
  return Strings({ComplexSupport});
}

Type::Text ScalarType::c_declare(const Type::Args &) const {
  return text("typedef @ctype dtype_%(name)s;\n@ctype %(name)s;");
}

Type::Text ScalarType::c_init(const Type::Args &) const {
  if (S.Kind == ScalarKind::Complex)
    return ownText("memset(&%(name)s, 0, sizeof %(name)s);");
  return ownText("%(name)s = 0;");
}

Type::Text ScalarType::c_extract(const Type::Args &A) const {
  std::string Check =
      "if (!PyArray_IsScalar(py_%(name)s, @class)) {\n"
      "  PyErr_Format(PyExc_TypeError,\n"
      "               \"expected a numpy.@dtype scalar, not %%.200s\",\n"
      "               Py_TYPE(py_%(name)s)->tp_name);\n"
      "  %(fail)s\n"
      "}\n";
  // NumPy's half is an integer of C, with the bits of a _Float16.
  const char *Take =
      S.Name == "float16"
          ? "memcpy(&%(name)s, &PyArrayScalar_VAL(py_%(name)s, @class), 2);"
          : "%(name)s = PyArrayScalar_VAL(py_%(name)s, @class);";
  return text((A.CheckInput ? Check : "") + Take);
}

Type::Text ScalarType::c_sync(const Type::Args &) const {
  // NumPy has one True and one False; other scalars are created. If memory runs
  // out, py_ keeps its object and the MemoryError stays pending.
  const char *Make =
      S.Kind == ScalarKind::Bool
          ? "  PyObject *new_%(name)s =\n"
            "      %(name)s ? PyArrayScalar_True : PyArrayScalar_False;\n"
            "  Py_INCREF(new_%(name)s);\n"
          : "  PyObject *new_%(name)s = PyArrayScalar_New(@class);\n"
            "  if (new_%(name)s)\n";
  const char *Put =
      S.Kind == ScalarKind::Bool ? ""
      : S.Name == "float16"
          ? "    memcpy(&PyArrayScalar_VAL(new_%(name)s, @class), &%(name)s, "
            "2);\n"
          : "    PyArrayScalar_ASSIGN(new_%(name)s, @class, %(name)s);\n";
  return text(std::string("{\n") + Make + Put +
              "  if (new_%(name)s) {\n"
              "    Py_XDECREF(py_%(name)s);\n"
              "    py_%(name)s = new_%(name)s;\n"
              "  }\n"
              "}");
}

Expected<TypePtr> clinch::scalarType(std::string_view Dtype) {
  CLINCH_TRY_ASSIGN(auto *S, scalarInfo(Dtype));
  static constinit ForProcess<std::vector<TypePtr>> All;
  auto Make = [] {
    auto *Types = new std::vector<TypePtr>;
    for (const ScalarInfo &Each : allScalars())
      Types->push_back(std::make_shared<ScalarType>(Each));
    return Types;
  };
  return All.get(Make)[S - allScalars().data()];
}

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
