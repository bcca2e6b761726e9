//===- PrefixBuilder.cpp - Precompiles headers -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrefixBuilder.h"

#include "../Diagnostics/DiagnosticCollector.h"
#include "../Options/Instance.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Serialization/ASTWriter.h"

using namespace clinch;
using namespace clinch::engine;

namespace {

constexpr const char *InputName = "clinch-prefix.h";

/// Adds attributes that Python's headers lack. Its functions do not throw,
/// which saves a landing pad for each call in C++. Those for rare cases (a
/// failure, an unexpected class, the last reference) are cold, so that their
/// calls are moved out of the way.
class PythonMarker : public clang::DynamicRecursiveASTVisitor {
public:
  /// Only declarations matter.
  bool TraverseStmt(clang::Stmt *) override { return true; }
  bool VisitFunctionDecl(clang::FunctionDecl *F) override {
    const clang::IdentifierInfo *Name = F->getIdentifier();
    if (!Name)
      return true;
    llvm::StringRef N = Name->getName();
    clang::ASTContext &Context = F->getASTContext();
    if (!N.starts_with("Py") && !N.starts_with("_Py"))
      return true;
    if (Context.getLangOpts().CPlusPlus && !F->hasAttr<clang::NoThrowAttr>())
      F->addAttr(clang::NoThrowAttr::CreateImplicit(Context));
    if (isSeldomCalled(N) && !F->hasAttr<clang::ColdAttr>())
      F->addAttr(clang::ColdAttr::CreateImplicit(Context));
    return true;
  }

private:
  static bool isSeldomCalled(llvm::StringRef Name) {
    return Name == "_Py_Dealloc" || Name == "PyType_IsSubtype" ||
           Name.starts_with("PyErr_Set") || Name.starts_with("PyErr_Format") ||
           Name == "PyErr_NoMemory";
  }
};

/// Drops the lists of what Clang checks at the end of a text: virtual tables,
/// delegating constructors, unused functions. Clang would spend half of its
/// time loading and checking those of the headers after each text. They are
/// correct, and the code generator finds what a text uses.
class PrefixGenerator : public clang::PCHGenerator {
public:
  using PCHGenerator::PCHGenerator;

  void InitializeSema(clang::Sema &S) override {
    TheSema = &S;
    PCHGenerator::InitializeSema(S);
  }
  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override {
    for (clang::Decl *D : Group)
      PythonMarker().TraverseDecl(D);
    return PCHGenerator::HandleTopLevelDecl(Group);
  }
  void HandleTranslationUnit(clang::ASTContext &Context) override {
    TheSema->VTableUses.clear();
    clear(TheSema->DelegatingCtorDecls);
    clear(TheSema->UnusedFileScopedDecls);
    PCHGenerator::HandleTranslationUnit(Context);
  }

private:
  template <typename LazyVector> static void clear(LazyVector &V) {
    V.erase(V.begin(nullptr, /*LocalOnly=*/true), V.end());
  }

  clang::Sema *TheSema = nullptr;
};

/// Like clang::GeneratePCHAction, with the result in memory.
class PrecompileAction : public clang::GeneratePCHAction {
public:
  explicit PrecompileAction(std::shared_ptr<clang::PCHBuffer> Buffer)
      : Buffer(std::move(Buffer)) {}

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, llvm::StringRef) override {
    return std::make_unique<PrefixGenerator>(
        CI.getPreprocessor(), CI.getModuleCache(), /*OutputFile=*/"",
        /*isysroot=*/"", Buffer, CI.getCodeGenOpts(),
        CI.getFrontendOpts().ModuleFileExtensions,
        /*AllowASTWithErrors=*/false, /*IncludeTimestamps=*/false);
  }

private:
  std::shared_ptr<clang::PCHBuffer> Buffer;
};

/// Collects system headers too.
class AllFiles : public clang::DependencyCollector {
  bool needSystemDependencies() override { return true; }
  bool sawDependency(llvm::StringRef Filename, bool, bool, bool IsModuleFile,
                     bool IsMissing) override {
    return !IsMissing && !IsModuleFile && Filename != InputName &&
           !Filename.starts_with("<");
  }
};

std::vector<std::string> absolute(llvm::vfs::FileSystem &FS,
                                  llvm::ArrayRef<std::string> Paths) {
  std::vector<std::string> Result;
  Result.reserve(Paths.size());
  for (const std::string &P : Paths) {
    llvm::SmallString<256> A(P);
    if (FS.makeAbsolute(A))
      continue;
    llvm::sys::path::remove_dots(A, /*remove_dot_dot=*/true);
    Result.push_back(A.str().str());
  }
  return Result;
}

std::vector<std::string>
runCollecting(std::shared_ptr<clang::CompilerInvocation> Invocation,
              const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &FS,
              DiagnosticCollector &Diags, clang::FrontendAction &Action,
              const std::string &Text) {
  std::unique_ptr<clang::CompilerInstance> CI =
      createInstance(std::move(Invocation), FS, Diags);
  if (!CI)
    return {};
  auto Files = std::make_shared<AllFiles>();
  CI->addDependencyCollector(Files);
  runAction(*CI, Action, llvm::MemoryBufferRef(Text, InputName));
  return absolute(*FS, Files->getDependencies());
}

} // namespace

/// Nearly every text for g++ includes these; reading them takes longer than the
/// rest of a compile.
static constexpr const char *CXXPrefixHeaders[] = {
    "algorithm", "cmath", "complex",   "cxxabi.h", "typeinfo", "exception",
    "limits",    "new",   "stdexcept", "string",   "vector"};
static constexpr const char *PythonHeaders[] = {
    "Python.h", "numpy/arrayobject.h", "numpy/arrayscalars.h",
    "numpy/npy_math.h"};

/// Replaces NumPy's _import_array, which every module with arrays contains.
/// NumPy's own version checks in a hundred lines that headers and library fit.
/// They do: the prefix is of the installed NumPy, or of NumPy 2, which serves
/// NumPy 1 as well.
static constexpr const char *ImportArrayBegin =
    "#define _import_array clinch_numpys_import_array\n";
static constexpr const char *ImportArrayEnd = R"(#undef _import_array
#ifdef import_array
__attribute__((cold, noinline, optnone, unused)) static int _import_array(void)
{
#if NPY_ABI_VERSION >= 0x02000000
  PyObject *Module = PyImport_ImportModule("numpy._core._multiarray_umath");
  if (!Module && PyErr_ExceptionMatches(PyExc_ModuleNotFoundError)) {
    PyErr_Clear();
    Module = PyImport_ImportModule("numpy.core._multiarray_umath");
  }
#else
  PyObject *Module = PyImport_ImportModule("numpy.core._multiarray_umath");
#endif
  PyObject *Table = Module ? PyObject_GetAttrString(Module, "_ARRAY_API") : 0;
  PyArray_API = Table ? (void **)PyCapsule_GetPointer(Table, 0) : 0;
  Py_XDECREF(Table);
  Py_XDECREF(Module);
#if NPY_ABI_VERSION >= 0x02000000
  if (PyArray_API)
    PyArray_RUNTIME_VERSION = (int)PyArray_GetNDArrayCFeatureVersion();
#endif
  return PyArray_API ? 0 : -1;
}
#endif
)";

std::string clinch::engine::clangVersionText() {
  return "precompiled by " + clang::getClangFullVersion();
}

std::string clinch::engine::prefixText(Language Lang) {
  std::string Text = "#define PY_SSIZE_T_CLEAN\n#define NDEBUG 1\n";
  auto Include = [&](const char *Header) {
    Text += std::string("#include <") + Header + ">\n";
  };
  Include("math.h");
  if (Lang == Language::CXX)
    for (const char *Header : CXXPrefixHeaders)
      Include(Header);
  Text += ImportArrayBegin;
  for (const char *Header : PythonHeaders)
    Include(Header);
  Text += ImportArrayEnd;
  return Text + "#undef NDEBUG\n";
}

Expected<BuiltPrefix> clinch::engine::buildPrefix(
    std::shared_ptr<clang::CompilerInvocation> Invocation,
    const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &FS,
    const std::string &Text) {
  // Otherwise each use of the prefix instantiates the same templates again.
  Invocation->getLangOpts().PCHInstantiateTemplates = true;
  Invocation->getFrontendOpts().ProgramAction = clang::frontend::GeneratePCH;
  auto Buffer = std::make_shared<clang::PCHBuffer>();
  Buffer->IsComplete = false;
  DiagnosticCollector Diags;
  PrecompileAction Action(Buffer);
  BuiltPrefix Result;
  Result.Headers =
      runCollecting(std::move(Invocation), FS, Diags, Action, Text);
  if (Diags.hasErrors() || !Buffer->IsComplete)
    return Error(Error::Kind::Compile,
                 "The headers of Python and NumPy do not compile.",
                 Diags.takeErrors());
  Result.Precompiled.assign(Buffer->Data.begin(), Buffer->Data.end());
  return Result;
}

std::vector<std::string> clinch::engine::headersOf(
    std::shared_ptr<clang::CompilerInvocation> Invocation,
    const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &FS,
    const std::string &Text) {
  DiagnosticCollector Diags;
  clang::PreprocessOnlyAction Action;
  return runCollecting(std::move(Invocation), FS, Diags, Action, Text);
}
