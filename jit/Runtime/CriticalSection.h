// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads in turn, without a GIL.
//
// A Python without the GIL runs its threads in parallel. Critical sections of
// Python's then separate what the GIL separated: only one thread at a time is
// in the section of an object, and it leaves the section wherever it would
// release the GIL, to wait or to be stopped with all threads. So Python code
// may run in a section and may enter it again, and none is held across a fork
// of Python's. With the GIL all of this is empty.

#pragma once

#include <Python.h>

#include <cstddef>

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

/// Returns the object whose section guards what the process has only one of.
PyObject *processObject();
#else
struct CriticalSection {
  explicit CriticalSection(PyObject *) {}
  ~CriticalSection() {} // NOLINT(modernize-use-equals-default): it is used.
};

inline PyObject *processObject() { return nullptr; }
#endif

/// What threads write to at once must not share a line of the cache, of which
/// processors fetch two at a time. Returns the size of such an object, which
/// Python's allocator aligns.
constexpr size_t apart([[maybe_unused]] size_t Size) {
#ifdef Py_GIL_DISABLED
  return (Size + 127) & ~size_t(127);
#else
  return Size;
#endif
}

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
