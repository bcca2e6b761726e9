//===- Type.h - How a value comes in and goes out --------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_CONTRACT_TYPE_H
#define CLINCH_CONTRACT_TYPE_H

#include "clinch/Contract/Hook.h"

namespace clinch {

class Variable;

/// Says in C how a Python value becomes C data and back. Immutable; shared by
/// variables. Hooks keep the seeds' names.
class Type : public CodeProvider {
public:
  using Text = Expected<HookText>;

  /// What every C hook is told. Sub has name, fail, py_ptr, stor_ptr,
  /// failure_var and id; `fail` is absent where failing is forbidden.
  struct Args {
    const std::string &Name;
    const Substitutions &Sub;
    bool CheckInput = true;
    /// The variable as its author knows it, "`x`"; empty: as \p Name.
    std::string_view Of = {};
  };

  virtual Text c_declare(const Args &A) const = 0;
  virtual Text c_init(const Args &A) const = 0;
  virtual Text c_extract(const Args &A) const = 0;
  /// Default: c_init when the cell holds None, else c_extract.
  virtual Text c_extract_out(const Args &A) const;
  virtual Text c_sync(const Args &A) const = 0;
  virtual Text c_cleanup(const Args &A) const;

  /// True: lives on the stack, never in the struct.
  virtual Expected<bool> c_is_simple() const;
  /// The constant as C text; empty: it has none and gets a block.
  virtual Expected<std::string> c_literal(const Variable &Constant) const;
  /// The C type of an item, such as "npy_float64"; empty: none.
  virtual Expected<std::string> c_element_type() const;
  /// NumPy's name of the item type, "float64"; empty: none. The C file macros
  /// DTYPE_, TYPENUM_ and ITEMSIZE_ exist for Types that have one.
  virtual std::string dtype() const;
  /// The dimensions of an array; -1: the values are no arrays.
  virtual int ndim() const { return -1; }

  /// True: values that went out call into the compiled code later (the free
  /// function of a capsule), so that code must never be unloaded.
  virtual bool keepsCode() const { return false; }

  /// Names the class for the Ops whose code is registered by class; see
  /// CodeRegistry.h. A host whose classes may share a name makes it unique.
  virtual std::string registryKey() const { return className(); }

  virtual bool equals(const Type &Other) const { return this == &Other; }
};

} // namespace clinch

#endif // CLINCH_CONTRACT_TYPE_H
