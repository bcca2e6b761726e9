// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar types: their numbers, operators and conversions.

#pragma once

#include "clinch/Contract/Op.h"
#include "clinch/Support/Expected.h"
#include "lib/Contract/ScalarOpTable.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace clinch {

enum class ScalarKind { Bool, Int, UInt, Float, Complex };

/// One of NumPy's item types. There is one object of each, in the order bool,
/// int8 to int64, uint8 to uint64, float32, float64, complex64, complex128, and
/// float16, which is no type of C++ everywhere.
struct ScalarInfo {
  std::string_view Name;    ///< "float64".
  std::string_view CType;   ///< "npy_float64".
  std::string_view TypeNum; ///< "NPY_FLOAT64".
  std::string_view Class;   ///< "Float64", as in NumPy's scalar macros.
  unsigned Size;            ///< Bytes of an item.
  ScalarKind Kind;
};

std::span<const ScalarInfo> allScalars();

/// Returns null if there is no such item type.
const ScalarInfo *findScalar(std::string_view Name);

/// The same, with an error that lists the names.
Expected<const ScalarInfo *> scalarInfo(std::string_view Name);

/// Returns the smallest type that holds both, as NumPy promotes arrays: int8
/// and uint8 make int16, int64 and float32 make float64.
const ScalarInfo &upcast(const ScalarInfo &A, const ScalarInfo &B);

/// Returns \p A if it is a float or complex; else the smallest float that holds
/// all its values, else float64.
const ScalarInfo &upcastToFloat(const ScalarInfo &A);

/// Returns the float type of the parts of a complex type, else \p A.
const ScalarInfo &realPart(const ScalarInfo &A);

/// Returns the bits of \p Value as a float16, rounded once.
uint16_t halfBits(double Value);

/// Returns the constant in \p Bytes as C text. The text has exactly this value,
/// infinities and -0.0 included; a NaN keeps its sign. Empty for a complex
/// type, which has no constant that both C and C++ accept.
std::string scalarLiteral(const ScalarInfo &S, const void *Bytes);

/// Reads a constant for lib/, which knows no Python: writes \p HostValue as an
/// item of \p Dtype into the 16 \p Bytes. Returns false if it cannot. Set once,
/// before the first graph; without a reader no constant is inlined.
using ScalarReader = bool (*)(void *HostValue, const ScalarInfo &Dtype,
                              void *Bytes);
void setScalarReader(ScalarReader Reader);

class ScalarOp : public Op {
public:
  virtual Expected<TypePtr>
  resultType(const std::vector<TypePtr> &Inputs) const = 0;
};

/// Returns the Op that converts any scalar to \p Dtype, "cast_float32". A float
/// that an integer type cannot hold becomes the low bits of a 64-bit integer;
/// NaN and floats beyond 64 bits become the smallest int64 first.
Expected<std::shared_ptr<const Op>> castOp(std::string_view Dtype);

/// Returns the type of a scalar Op's result, or an error for wrong inputs.
Expected<TypePtr> resultType(const Op &Scalar,
                             const std::vector<TypePtr> &Inputs);

/// Returns the item type of \p T, or null for a type without a dtype, whose
/// values are computed with as the C numbers they are.
const ScalarInfo *itemOf(const Type &T);

/// Fails unless the number of inputs is that of \p Info and none is an array.
Status checkInputs(const ScalarOpInfo &Info,
                   const std::vector<TypePtr> &Inputs);

Error notDefinedFor(const ScalarOpInfo &Info, const ScalarInfo &S);

} // namespace clinch
