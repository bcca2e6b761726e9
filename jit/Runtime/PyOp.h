// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An Op whose hooks are Python.

#pragma once

#include "PyProvided.h"
#include "clinch/Contract/Op.h"

namespace clinch {

/// An Op whose hooks are those of a Python object. Its applies carry the Python
/// node as info().HostNode.
class PyOp : public PyProvided<Op> {
public:
  using PyProvided::PyProvided;

  Strings c_support_code() const override;
  Text c_code(const Op::Args &A) const override;
#define OP_CODE(Hook) Text Hook(const Op::Args &A) const override;
#define OP_NODE(Hook)                                                          \
  Text Hook(const Apply &Node, const std::string &Name) const override;
#include "lib/Contract/Hooks.def"
  Text c_init_code_struct(const Op::Args &A) const override;
  Expected<std::string>
  c_code_cache_version_apply(const Apply &Node) const override;
  Expected<VarNames> c_var_names() const override;

  AliasMap viewMap() const override;
  AliasMap destroyMap() const override;
  bool checkInput() const override;
  bool leavesWhatItSays(const Apply &Node) const override;
  bool hasCode() const override;

private:
  using CodeHook = Text (Op::*)(const Op::Args &) const;
  using NodeHook = Text (Op::*)(const Apply &, const std::string &) const;
  Text code(const char *Hook, CodeHook Of, const Op::Args &A) const;
  Text ofNode(const char *Hook, NodeHook Of, const Apply &Node,
              const std::string &Name) const;
  Text codeText(const char *Hook, const Op::Args &A, bool Optional) const;
  Text nodeText(const char *Hook, const Apply &Node, const std::string &Name,
                PyObject *Dict = nullptr) const;
  bool flag(const char *Attribute, bool Otherwise) const;
};

/// Fails if a map of the Python object \p Op is not a dict of lists of
/// positions.
Status checkAliases(PyObject *Op);

} // namespace clinch
