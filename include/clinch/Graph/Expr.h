// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs written as expressions.

#pragma once

#include "clinch/Contract/Op.h"

#include <complex>
#include <concepts>

namespace clinch {
class Expr;

/// A value that the function's caller gives.
Expr input(TypePtr T, std::string Name);
/// The scalar Op of this name: `apply("tanh", {X})` is `tanh(X)`.
Expr apply(std::string_view ScalarOp, std::vector<Expr> Inputs);
/// Any Op with outputs of these types; returns the outputs. \p Params is the
/// constant that its hooks know as `%(params)s`.
std::vector<Expr> apply(std::shared_ptr<const Op> O, std::vector<Expr> Inputs,
                        std::vector<TypePtr> Outputs,
                        const Expr *Params = nullptr);
/// A value of the host's, which the expression keeps; see Clinch.h.
Expr constant(TypePtr T, std::shared_ptr<void> HostValue);
Expr cast(const Expr &X, std::string_view Dtype);

/// A value to be computed: `X * 2 + exp(Y)`. Copies are the same value. A C++
/// number becomes a constant: beside an Expr of the first Expr's type if that
/// holds it, else of its own. It never fails: function() says what is wrong.
class Expr {
public:
  Expr(bool X) : Expr(number(&X, "bool")) {}
  template <std::signed_integral T> Expr(T X) : Expr(int64(X)) {}
  template <std::unsigned_integral U> Expr(U X) : Expr(uint64(X)) {}
  Expr(double X) : Expr(number(&X, "float64")) {}
  Expr(long double) = delete; ///< No type holds it.
  Expr(std::complex<double> X) : Expr(number(&X, "complex128")) {}

  struct Node;
  Expr(std::shared_ptr<Node> N, unsigned Output)
      : N(std::move(N)), Output(Output) {}
  const std::shared_ptr<Node> &node() const { return N; }
  unsigned output() const { return Output; } ///< Which of the node's.

// The scalar Ops, found by their argument; ExprTest has those of the table.
// clang-format off
#define CLINCH_OPS_1(OP)                                                       \
  OP(neg) OP(invert) OP(logical_not) OP(abs) OP(fabs) OP(sign) OP(sqr)         \
  OP(reciprocal) OP(isnan) OP(isinf) OP(isfinite) OP(identity) OP(conj)        \
  OP(real) OP(imag) OP(angle) OP(exp) OP(exp2) OP(expm1) OP(log) OP(log2)      \
  OP(log10) OP(log1p) OP(sqrt) OP(cbrt) OP(sin) OP(cos) OP(tan) OP(asin)       \
  OP(acos) OP(atan) OP(sinh) OP(cosh) OP(tanh) OP(asinh) OP(acosh) OP(atanh)   \
  OP(erf) OP(erfc) OP(gamma) OP(lgamma) OP(deg2rad) OP(rad2deg) OP(floor)      \
  OP(ceil) OP(trunc) OP(rint) OP(round) OP(round_half_away)
#define CLINCH_OPS_2(OP)                                                       \
  OP(int_div) OP(pow) OP(logical_and) OP(logical_or) OP(logical_xor)           \
  OP(minimum) OP(maximum) OP(second) OP(complex) OP(complex_from_polar)        \
  OP(hypot) OP(atan2) OP(copysign)
#define CLINCH_OPERATORS(OP)                                                   \
  OP(+, "add") OP(-, "sub") OP(*, "mul") OP(/, "true_div") OP(%, "mod")        \
  OP(==, "eq") OP(!=, "neq") OP(<, "lt") OP(<=, "le") OP(>, "gt") OP(>=, "ge") \
  OP(&, "and_") OP(|, "or_") OP(^, "xor") OP(<<, "lshift") OP(>>, "rshift")
// clang-format on
#define CLINCH_OP(NAME)                                                        \
  friend Expr NAME(const Expr &A) { return apply(#NAME, {A}); }
  CLINCH_OPS_1(CLINCH_OP)
#undef CLINCH_OP
#define CLINCH_OP(NAME)                                                        \
  friend Expr NAME(const Expr &A, const Expr &B) {                             \
    return apply(#NAME, {A, B});                                               \
  }
  CLINCH_OPS_2(CLINCH_OP)
#undef CLINCH_OP
#define CLINCH_OP(SIGN, NAME)                                                  \
  friend Expr operator SIGN(const Expr &A, const Expr &B) {                    \
    return apply(NAME, {A, B});                                                \
  }
  CLINCH_OPERATORS(CLINCH_OP)
#undef CLINCH_OP
  friend Expr clip(const Expr &A, const Expr &Low, const Expr &High) {
    return apply("clip", {A, Low, High});
  }
  friend Expr where(const Expr &If, const Expr &A, const Expr &B) {
    return apply("switch", {If, A, B});
  }
  friend Expr operator-(const Expr &A) { return neg(A); }
  friend Expr operator~(const Expr &A) { return invert(A); }
  friend Expr operator!(const Expr &A) { return logical_not(A); }

private:
  static Expr number(const void *Bytes, std::string_view Dtype);
  static Expr int64(int64_t X) { return number(&X, "int64"); }
  static Expr uint64(uint64_t X) { return number(&X, "uint64"); }
  std::shared_ptr<Node> N;
  unsigned Output;
};

} // namespace clinch
