// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python hooks of Types and Ops.

#pragma once

#include "PyHook.h"
#include "Raise.h"

#include <memory>

namespace clinch {

/// A Type or an Op (\p Base) whose hooks are those of a Python object. Hooks
/// that the object does not define are \p Default's, if any: an Op of C files
/// whose class adds headers, for example.
template <typename Base> class PyProvided : public Base {
public:
  using Strings = CodeProvider::Strings;

  explicit PyProvided(PyObject *Object,
                      std::shared_ptr<const Base> Default = nullptr)
      : Object(Object), Default(std::move(Default)), Name(classNameOf(Object)) {
  }
  PyObject *object() const { return Object; }

  /// Cached, since it heads each line that an author wrote.
  std::string className() const override { return Name; }
#define LIST(Hook)                                                             \
  Strings Hook(std::string_view CCompiler) const override {                    \
    return list(#Hook, &CodeProvider::Hook, CCompiler);                        \
  }
#include "lib/Contract/Hooks.def"
  Strings c_support_code() const override {
    return leavesToDefault("c_support_code")
               ? Default->c_support_code()
               : callListHook({Object, "c_support_code"}, /*OneText=*/true);
  }
  Strings c_init_code() const override {
    return leavesToDefault("c_init_code")
               ? Default->c_init_code()
               : callListHook({Object, "c_init_code"}, /*OneText=*/true);
  }
  Expected<std::string> c_compiler() const override {
    return leavesToDefault("c_compiler") ? Default->c_compiler()
                                         : callCompilerHook(Object);
  }
  Expected<std::string> c_code_cache_version() const override {
    return leavesToDefault("c_code_cache_version")
               ? Default->c_code_cache_version()
               : callVersionHook({Object, "c_code_cache_version"});
  }

protected:
  bool leavesToDefault(const char *Hook) const {
    return Default && !definesHook(Object, Hook);
  }

  /// Borrowed: ImportedGraph owns it and shows it to the garbage collector.
  PyObject *Object;
  std::shared_ptr<const Base> Default;

private:
  const std::string Name;
  using ListHook = Strings (CodeProvider::*)(std::string_view) const;
  Strings list(const char *Hook, ListHook Of,
               std::string_view CCompiler) const {
    if (leavesToDefault(Hook))
      return (static_cast<const CodeProvider &>(*Default).*Of)(CCompiler);
    HookCall Call{Object, Hook};
    PyRef Compiler = fromString(CCompiler);
    Call.Keyword = "c_compiler";
    Call.KeywordValue = Compiler.get();
    return Compiler ? callListHook(Call) : hostError();
  }
};

} // namespace clinch
