// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types and memory of C.
//
// Clang says how the data of a source lie in memory (lib/Support/
// FunctionsSection.h); clinch.source.c_types makes CTypes of that. A CView is
// memory of one type, and CMemory keeps it and whatever its pointers lead to.

#pragma once

#include "jit/Runtime/PyRef.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace clinch::python {

struct CField;
struct CSignature;

/// _clinch.CType. Kinds: `i` and `u` integers with a sign and without, `?`
/// bool, `c` char, `f` floating, `z` complex, `*` pointer, `&` reference,
/// `[` array or vector, `s` struct, `U` union, `F` function, `O` Python object,
/// `v` void.
struct CType {
  PyObject_HEAD char Kind;
  bool IsConst;  ///< Of a pointer: what it leads to.
  unsigned Bits; ///< Of an integer.
  Py_ssize_t Size, Align;
  Py_ssize_t Count; ///< Of an array; -1 if its length is unknown.
  CType *Item;      ///< Owned; a function's result.
  PyObject *Class;  ///< Owned: of a record or an enumeration, or null.
  PyObject *Code;   ///< Owned: NumPy's name of a number, or None.
  PyObject *Dtype;  ///< Owned: Code's, once an array was passed.
  PyObject *Name;   ///< Owned: what messages call it.
  PyObject *Index;  ///< Owned: {name: number} of the fields.
  std::vector<CField> *Fields;
  CSignature *Signature; ///< Of a function.

  bool isRecord() const { return Kind == 's' || Kind == 'U'; }
  const CField *field(PyObject *Name) const;
};

struct CField {
  PyRef Name, Type;
  uint64_t Place; ///< In bits.
  unsigned Width; ///< In bits; 0 if it is no bit-field.
  bool IsPositional;
  bool IsInner; ///< Of a member without a name, which is a field, too.

  const CType &type() const {
    return *reinterpret_cast<const CType *>(Type.get());
  }
};

/// _clinch.CMemory: memory that is owned, or lies in what Owner keeps.
struct CMemory {
  PyObject_HEAD char *Begin;
  size_t Size;
  PyObject *Owner; ///< Owned.
  PyObject *Kept;  ///< Owned: {address of a pointer: what keeps its target}.
};

/// _clinch.CView, and CArray; CPointer, whose type is the target's.
struct CView {
  PyObject_HEAD CType *Type; ///< Owned.
  char *At;
  CMemory *Memory; ///< Owned.
  bool IsConst;
};

/// What keeps the targets of pointers that are written: the memory where the
/// pointers lie, or the call that they are for.
struct CKeeper {
  CMemory *Memory = nullptr;
  std::vector<PyRef> *Call = nullptr;

  bool keep(const void *Where, PyObject *What) const;
};

PyTypeObject *cTypeClass();
PyTypeObject *cMemoryClass();
PyTypeObject *cViewClass();
PyTypeObject *cArrayClass();
PyTypeObject *cPointerClass();

inline CType *cType(PyObject *O) { return reinterpret_cast<CType *>(O); }
inline CView *cView(PyObject *O) { return reinterpret_cast<CView *>(O); }

/// A pointer that lies in memory, perhaps misaligned.
inline void *loadPointer(const void *At) {
  uintptr_t Value = 0;
  std::memcpy(&Value, At, sizeof(Value));
  return std::bit_cast<void *>(Value);
}
inline void storePointer(void *At, const void *Target) {
  const auto Value = std::bit_cast<uintptr_t>(Target);
  std::memcpy(At, &Value, sizeof(Value));
}

/// Returns a new object; null with an exception.
PyObject *readC(const CType &T, char *At, CMemory *Memory, bool IsConst,
                unsigned Shift = 0, unsigned Width = 0);
/// Returns false with an exception, after which the memory is as before.
bool writeC(const CType &T, char *At, PyObject *Value, const CKeeper &K,
            unsigned Shift = 0, unsigned Width = 0);
/// The same of arrays and records, of pointers, and of references: a constant
/// one takes a value, too.
bool writeItems(const CType &T, char *At, PyObject *Value, const CKeeper &K);
bool writePointer(const CType &T, char *At, PyObject *Value, const CKeeper &K);
bool writeReference(const CType &T, char *At, PyObject *Value,
                    const CKeeper &K);

/// Returns a view of zeros, for a record of this type and more bytes.
PyObject *makeView(const CType &T, size_t More = 0);
PyObject *viewOf(PyTypeObject *Class, const CType &T, char *At, CMemory *Memory,
                 bool IsConst);
/// numpy.ndarray, once an array was passed whose layout is the known one.
inline PyTypeObject *ArrayClass = nullptr;
/// Calls a function of clinch.source.conversions.
PyObject *convert(const char *Name, const char *Format, ...);

/// Returns a function of C at an address.
PyObject *makeFunction(const CType &T, void *Address, CMemory *Memory);
/// Returns its address, or null if it is no such function.
void *addressOfFunction(PyObject *O);
/// Returns what keeps a new C function that calls one of Python.
PyObject *makeCallback(const CType &T, PyObject *Callable, bool IsForCall,
                       void *&Address);

} // namespace clinch::python
