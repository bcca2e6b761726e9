//===- CallFacts.cpp - Facts about the C API of Python and NumPy ----------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallFacts.h"

#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clinch::engine;

std::string clinch::engine::calledName(const clang::CallExpr &Call,
                                       const clang::SourceManager &SM,
                                       const clang::LangOptions &LO) {
  if (const clang::FunctionDecl *F = Call.getDirectCallee())
    return F->getDeclName().isIdentifier() ? F->getName().str() : "";
  clang::SourceLocation Loc = Call.getCallee()->getBeginLoc();
  if (!Loc.isMacroID())
    return {};
  return clang::Lexer::getImmediateMacroName(Loc, SM, LO).str();
}

const clang::CallExpr *clinch::engine::callIn(const clang::Expr *E) {
  return E ? llvm::dyn_cast<clang::CallExpr>(E->IgnoreParenCasts()) : nullptr;
}

bool clinch::engine::givesNewReference(llvm::StringRef Function) {
  return llvm::StringSwitch<bool>(Function)
      .Cases({"PyLong_FromLong", "PyLong_FromLongLong", "PyLong_FromSsize_t",
              "PyLong_FromSize_t", "PyLong_FromUnsignedLong",
              "PyLong_FromUnsignedLongLong", "PyLong_FromDouble",
              "PyLong_FromVoidPtr", "PyFloat_FromDouble", "PyFloat_FromString",
              "PyComplex_FromDoubles", "PyComplex_FromCComplex"},
             true)
      .Cases({"PyUnicode_FromString", "PyUnicode_FromFormat",
              "PyUnicode_FromStringAndSize", "PyBytes_FromString",
              "PyBytes_FromStringAndSize", "PyTuple_New", "PyTuple_Pack",
              "PyList_New", "PyDict_New", "PyDict_Copy", "PyDict_Keys",
              "PyDict_Values", "PyDict_Items", "PySet_New", "PyFrozenSet_New",
              "PySlice_New", "PyCapsule_New", "Py_BuildValue"},
             true)
      .Cases({"PyObject_GetAttr", "PyObject_GetAttrString", "PyObject_GetItem",
              "PyObject_GetIter", "PyObject_Str", "PyObject_Repr",
              "PyObject_Call", "PyObject_CallObject", "PyObject_CallFunction",
              "PyObject_CallMethod", "PyObject_CallNoArgs",
              "PyObject_CallOneArg", "PyObject_CallFunctionObjArgs",
              "PyObject_CallMethodObjArgs", "PyImport_Import",
              "PyImport_ImportModule"},
             true)
      .Cases({"PyNumber_Add", "PyNumber_Subtract", "PyNumber_Multiply",
              "PyNumber_TrueDivide", "PyNumber_FloorDivide", "PyNumber_Power",
              "PyNumber_Negative", "PyNumber_Float", "PyNumber_Long",
              "PyNumber_Index", "PySequence_GetItem", "PySequence_Fast",
              "PySequence_List", "PySequence_Tuple", "PySequence_Concat",
              "PySequence_Repeat"},
             true)
      .Cases({"PyArray_New", "PyArray_NewFromDescr", "PyArray_Empty",
              "PyArray_Zeros", "PyArray_FromAny", "PyArray_CheckFromAny",
              "PyArray_FromArray", "PyArray_NewCopy", "PyArray_NewLikeArray",
              "PyArray_CastToType", "PyArray_Transpose", "PyArray_Newshape",
              "PyArray_Reshape", "PyArray_View", "PyArray_Squeeze",
              "PyArray_Ravel", "PyArray_Flatten", "PyArray_SwapAxes"},
             true)
      .Cases({"PyArray_Arange", "PyArray_ArangeObj", "PyArray_Scalar",
              "PyArray_Concatenate", "PyArray_InnerProduct",
              "PyArray_MatrixProduct", "PyArray_TakeFrom", "PyArray_Choose",
              "PyArray_Repeat", "PyArray_Sum", "PyArray_Prod", "PyArray_Max",
              "PyArray_Min", "PyArray_Diagonal", "PyArray_EnsureArray"},
             true)
      .Default(false);
}

bool clinch::engine::givesStatus(llvm::StringRef Function) {
  return llvm::StringSwitch<bool>(Function)
      .Cases({"PyList_Append", "PyList_SetItem", "PyList_Insert", "PyList_Sort",
              "PyList_Reverse", "PyTuple_SetItem", "PyDict_SetItem",
              "PyDict_SetItemString", "PyDict_DelItem", "PyDict_Update",
              "PySet_Add", "PyObject_SetAttr", "PyObject_SetAttrString",
              "PyObject_SetItem", "PyObject_DelItem", "PySequence_SetItem"},
             true)
      .Cases({"PyArray_CopyInto", "PyArray_MoveInto", "PyArray_CopyObject",
              "PyArray_SetBaseObject", "PyArray_FillWithScalar", "PyArray_Sort",
              "PyArray_CastTo", "PyArray_ResolveWritebackIfCopy"},
             true)
      .Default(false);
}

bool clinch::engine::setsException(llvm::StringRef Function) {
  return llvm::StringSwitch<bool>(Function)
      .Cases({"PyErr_SetString", "PyErr_Format", "PyErr_SetNone",
              "PyErr_SetObject", "PyErr_NoMemory", "PyErr_BadArgument",
              "PyErr_SetFromErrno"},
             true)
      .Default(false);
}

bool clinch::engine::clearsException(llvm::StringRef Function) {
  return llvm::StringSwitch<bool>(Function)
      .Cases({"PyErr_Clear", "PyErr_WriteUnraisable", "PyErr_Print",
              "PyErr_Fetch", "PyErr_GetRaisedException"},
             true)
      .Default(false);
}

bool clinch::engine::takesNull(llvm::StringRef Function) {
  return llvm::StringSwitch<bool>(Function)
      .Cases({"Py_XDECREF", "Py_XINCREF", "Py_XNewRef", "Py_BuildValue",
              "PyErr_SetObject", "PyObject_CallFunctionObjArgs"},
             true)
      // These show NULL as "<NULL>".
      .Cases({"PyObject_Str", "PyObject_Repr"}, true)
      .Default(false);
}

Argument clinch::engine::argumentOf(llvm::StringRef Function, unsigned Index) {
  constexpr unsigned None = ~0u;
  unsigned Stolen =
      llvm::StringSwitch<unsigned>(Function)
          .Cases({"Py_DECREF", "Py_XDECREF", "_Py_DECREF", "_Py_XDECREF"}, 0)
          .Cases({"PyList_SetItem", "PyTuple_SetItem", "PyList_SET_ITEM",
                  "PyTuple_SET_ITEM", "PyModule_AddObject", "PyArray_Zeros",
                  "PyArray_Empty"},
                 2)
          .Cases({"PyArray_SetBaseObject", "PyArray_FromAny",
                  "PyArray_CheckFromAny", "PyArray_NewFromDescr",
                  "PyArray_FromArray"},
                 1)
          .Default(None);
  if (Stolen == Index)
    return Argument::Taken;
  bool Unsure = Function == "Py_BuildValue" || Function == "PyErr_Restore" ||
                Function == "PyErr_SetRaisedException" ||
                Function == "PyCapsule_New" ||
                Function.starts_with("Py_INCREF");
  if (Unsure || !(Function.starts_with("Py") || Function.starts_with("_Py")))
    return Argument::Unknown;
  return Argument::Borrowed;
}
