// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a value comes in and goes out.

#pragma once

#include "clinch/Contract/Hook.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace clinch {

class Variable;

/// Says in C how a Python value becomes C data and back. Immutable; shared by
/// variables. Hooks have Theano's names.
class Type : public CodeProvider {
public:
  using Text = Expected<HookText>;

  /// Arguments of every C hook. Sub has name, fail, py_ptr, stor_ptr,
  /// failure_var and id; `fail` is absent if failing is forbidden.
  struct Args {
    const std::string &Name;
    const Substitutions &Sub;
    bool CheckInput = true;
    /// The author's name of the variable, "`x`"; empty: \p Name.
    std::string_view Of = {};
  };

  virtual Text c_declare(const Args &A) const = 0;
  virtual Text c_init(const Args &A) const = 0;
  virtual Text c_extract(const Args &A) const = 0;
  /// Default: c_init for None, else c_extract. Empty: struct form keeps it.
  virtual Text c_extract_out(const Args &A) const;
  virtual Text c_sync(const Args &A) const = 0;
  virtual Text c_cleanup(const Args &A) const;

  /// Returns a template of C that fails unless an Op has left in the variable
  /// what the Type says. Beside `name` and `fail` it has `left`: the Op's hook
  /// and the output, as clinch_wrong_output() takes them. Default: nothing.
  virtual std::string outputCheck() const { return {}; }

  /// Returns whether the data lives on the stack, never in the struct.
  virtual Expected<bool> c_is_simple() const;
  /// Returns the constant as C text; if empty, the constant gets a block.
  virtual Expected<std::string> c_literal(const Variable &Constant) const;
  /// The C type of an item, such as "npy_float64"; empty: none.
  virtual Expected<std::string> c_element_type() const;
  /// NumPy's name of the item type, "float64"; empty: none. Types that have one
  /// get the C file macros DTYPE_, TYPENUM_ and ITEMSIZE_.
  virtual std::string dtype() const;
  /// The number of dimensions; -1 if the values are not arrays.
  virtual int ndim() const { return -1; }

  /// Returns whether results call into the compiled code later (as the free
  /// function of a capsule does), so that it must never be unloaded.
  virtual bool keepsCode() const { return false; }

  /// Names the class for the Ops whose code is registered by class. A host
  /// whose classes may share a name must override it.
  virtual std::string registryKey() const { return className(); }

  virtual bool equals(const Type &Other) const { return this == &Other; }
};

using TypePtr = std::shared_ptr<const Type>;

/// Python's float as a C double, called `Double`.
TypePtr floatType();

/// NumPy's scalar of this dtype, such as numpy.float32(1), as a C number.
Expected<TypePtr> scalarType(std::string_view Dtype);

/// Which arrays a tensorType() takes.
struct TensorSpec {
  std::string Dtype;
  /// The required length of each dimension, or AnyLength. A broadcastable
  /// dimension has length 1.
  std::vector<int64_t> Shape;
  bool Contiguous = false; ///< Only C-contiguous arrays; else any strides.
  bool Aligned = true;     ///< Only arrays whose items are aligned.

  static constexpr int64_t AnyLength = -1;
  bool operator==(const TensorSpec &) const = default;
};

/// numpy.ndarray as a `PyArrayObject *` that owns a reference. Byte order is
/// always the machine's own.
Expected<TypePtr> tensorType(TensorSpec Spec);

/// Any Python object as a `PyObject *` that owns a reference.
TypePtr genericType();

/// What C text needs, as hooks give it.
struct CNeeds {
  std::vector<std::string> Headers, HeaderDirs, Libraries, LibraryDirs,
      CompileArgs;
  std::string SupportCode;
  bool operator==(const CNeeds &) const = default;
};

/// Opaque C data: what it is, and how to free it.
struct CDataSpec : CNeeds {
  std::string CType;        ///< A pointer type: "struct table *".
  std::string FreeFunction; ///< "void f(void *)"; empty: nothing to free.
  std::string Version;      ///< See CodeProvider::c_code_cache_version.
  bool operator==(const CDataSpec &) const = default;
};

/// A pointer in an unnamed PyCapsule, which frees it; NULL is None.
Expected<TypePtr> cdataType(CDataSpec Spec);

/// A choice among constants that C text names as macros. What declares CNames'
/// stands in its needs.
struct EnumSpec : CNeeds {
  struct Constant {
    std::string Name;  ///< Capitals, digits and underscores: a macro in C.
    std::string Alias; ///< Another name; also a macro if it looks like one.
    std::variant<int64_t, double> Value = int64_t(0);
  };
  enum Kind {
    Values, ///< EnumType: each constant has a value.
    List,   ///< EnumList: 0, 1, 2 and so on; values given here are ignored.
    CNames  ///< CEnumType: C knows them already, from a header or a macro.
  };
  Kind What = Values;
  std::string CType = "double"; ///< Of the variable.
  std::vector<Constant> Constants;
};

/// Python's value is the constant's number; for CNames, its list position.
Expected<TypePtr> enumType(EnumSpec Spec);

/// A struct with a member of each name and type; the variable is a pointer to
/// it. Its values are dicts with these keys, or objects with these attributes.
/// Fails if a name cannot be a member in C and C++, or occurs twice.
Expected<TypePtr>
paramsType(std::vector<std::pair<std::string, TypePtr>> Fields);

} // namespace clinch
