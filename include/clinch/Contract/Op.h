// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What to compute.

#pragma once

#include "clinch/Contract/Type.h"

#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace clinch {

class Apply;

/// Maps an output index to the inputs whose memory it shares or destroys.
using AliasMap = std::map<unsigned, std::vector<unsigned>>;

/// Says in C what to compute. Immutable. Hooks have Theano's names.
class Op : public CodeProvider {
public:
  using Text = Expected<HookText>;

  /// Arguments of a C hook. Name is unique to the apply ("node_3"). Sub has
  /// fail, id, failure_var, params if there are any, and the names from
  /// c_var_names; `fail` is absent if failing is forbidden.
  struct Args {
    const Apply &Node;
    const std::string &Name;
    const std::vector<std::string> &Inputs;
    const std::vector<std::string> &Outputs;
    const Substitutions &Sub;
  };

  virtual Text c_code(const Args &A) const = 0;
  virtual Text c_code_cleanup(const Args &A) const;
  virtual Text c_support_code_apply(const Apply &Node,
                                    const std::string &Name) const;
  virtual Text c_support_code_struct(const Apply &Node,
                                     const std::string &Name) const;
  virtual Text c_init_code_apply(const Apply &Node,
                                 const std::string &Name) const;
  virtual Text c_init_code_struct(const Args &A) const;
  virtual Text c_cleanup_code_struct(const Apply &Node,
                                     const std::string &Name) const;
  virtual Expected<std::string>
  c_code_cache_version_apply(const Apply &Node) const;

  /// Early Theano's hooks. Names for `%(x)s` in templates.
  struct VarNames {
    std::vector<std::string> Inputs, Outputs;
  };
  virtual Expected<VarNames> c_var_names() const;
  virtual Text c_validate_update(const Args &A) const;
  virtual Text c_validate_update_cleanup(const Args &A) const;

  virtual AliasMap viewMap() const { return {}; }
  virtual AliasMap destroyMap() const { return {}; }
  virtual bool checkInput() const { return true; }
  /// Whether the code always leaves what the outputs' Types say, and releases
  /// no input. If not, what it leaves is checked; see Type::outputCheck.
  virtual bool leavesWhatItSays(const Apply &) const { return false; }
  /// False if the Op has only `perform`; then the graph linker refuses it.
  virtual bool hasCode() const { return true; }
};

/// Returns the scalar Op of this name, for Python floats and NumPy's scalars.
Expected<std::shared_ptr<const Op>> scalarOp(std::string_view Name);

/// An Op whose hooks are the sections of C files.
struct COpSpec {
  std::string ClassName;
  std::vector<std::string> Files;
  /// "APPLY_SPECIFIC(f)"; empty: the files have a `code` section.
  std::string Function;
  unsigned NumInputs = 0, NumOutputs = 0; ///< The call is padded to these.
  AliasMap ViewMap, DestroyMap;
  bool CheckInput = true;
};
Expected<std::shared_ptr<const Op>> cFileOp(COpSpec Spec);

/// Ops whose C code each class of Types provides.
enum class GenericOp {
  DeepCopy, ///< A copy that shares nothing.
  View,     ///< The input itself; its viewMap says so.
  Shape,    ///< The lengths of all dimensions, a vector of int64.
  ShapeI    ///< The length of one, a zero-dimensional array of int64.
};
std::shared_ptr<const Op> genericOp(GenericOp What, unsigned Dimension = 0);

/// Registers or replaces the C code for values of the class \p TypeKey
/// (Type::registryKey). `%(iname)s` is the input, `%(oname)s` the output,
/// `%(fail)s` as in hooks, and for Shape_i `%(i)s` the dimension, which
/// \p CheckInput may look at first. If a Version is empty, the Op has none for
/// any Type. The code of arrays, scalars, floats and objects is built in.
void registerCode(GenericOp Op, std::string TypeKey, std::string Code,
                  std::string Version, std::string CheckInput = "");

} // namespace clinch
