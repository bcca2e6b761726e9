//===- CriticalSection.h - Turns, where Python has no lock ------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Python without the GIL runs its threads at once. What the GIL kept apart is
// kept apart by Python's critical sections: one thread at a time is inside that
// of an object, and it gives way, as it would give the GIL away, wherever it
// waits or Python stops all threads. So Python's code may run inside of one and
// may come back, and none is held over a fork of Python's. With the GIL all of
// this is nothing.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_CRITICALSECTION_H
#define CLINCH_JIT_RUNTIME_CRITICALSECTION_H

#include <Python.h>

namespace clinch {

#ifdef Py_GIL_DISABLED
class CriticalSection {
public:
  explicit CriticalSection(PyObject *Of) { PyCriticalSection_Begin(&Held, Of); }
  ~CriticalSection() { PyCriticalSection_End(&Held); }
  CriticalSection(const CriticalSection &) = delete;
  CriticalSection &operator=(const CriticalSection &) = delete;

private:
  PyCriticalSection Held;
};

/// What stands for all that the process has one of.
PyObject *processObject();
#else
struct CriticalSection {
  explicit CriticalSection(PyObject *) {}
  ~CriticalSection() {} // NOLINT(modernize-use-equals-default): it is used.
};

inline PyObject *processObject() { return nullptr; }
#endif

/// Whether the caller's reference to \p O is the only one, so that nobody sees
/// what is written there.
inline bool isUnshared(PyObject *O) {
#ifndef Py_GIL_DISABLED
  return Py_REFCNT(O) == 1;
#elif PY_VERSION_HEX >= 0x030e0000
  return PyUnstable_Object_IsUniquelyReferenced(O) != 0;
#else
  // Two counts cannot be read at once: it must be this thread's, and no other
  // may ever have had it.
  return _Py_IsOwnedByCurrentThread(O) &&
         _Py_atomic_load_uint32_relaxed(&O->ob_ref_local) == 1 &&
         _Py_atomic_load_ssize_relaxed(&O->ob_ref_shared) == 0;
#endif
}

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_CRITICALSECTION_H
