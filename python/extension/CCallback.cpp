// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C functions that call Python.
//
// C has no place for the function of Python in a pointer, so that each gets
// code of its own: it loads the place of the function and jumps to one that
// stores the registers.

#include "CSignature.h"
#include "Objects.h"

#include "../../jit/Runtime/Border.h"

#include <cstring>
#include <mutex>
#include <sys/mman.h>

using namespace clinch;
using namespace clinch::python;

namespace {

/// What the code below stores and loads.
struct CallbackFrame {
  CRegisters Given, Made;
  long double Made87[2];
};
static_assert(offsetof(CallbackFrame, Made) == 112 &&
              offsetof(CallbackFrame, Made87) == 224 &&
              sizeof(CallbackFrame) == 256);

struct Callback {
  PyObject_HEAD CType *Type; ///< Owned.
  PyObject *Callable;        ///< Owned.
  CActiveCall *Call;         ///< That it is made for, or null.
  std::vector<PyRef> Kept;   ///< What the last result leads to.
  struct Slot *At;
};

/// A piece of code, and the Callback that it calls.
struct Slot {
  Callback *Used;
  Slot *Next; ///< That is free.
  unsigned char *Code;
};

Slot *Free = nullptr;
std::mutex SlotsLock; ///< For builds without Python's lock.

Callback *self(PyObject *O) { return reinterpret_cast<Callback *>(O); }

} // namespace

extern "C" int clinch_called_back(Slot *S, CallbackFrame *Frame,
                                  char *Stack) noexcept;

// NOLINTNEXTLINE(hicpp-no-assembler): there is no other way
asm(R"(
        .text
        .hidden clinch_call_back
        .type   clinch_call_back, @function
clinch_call_back:
        .cfi_startproc
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        subq    $256, %rsp
        movq    %rdi, (%rsp)
        movq    %rsi, 8(%rsp)
        movq    %rdx, 16(%rsp)
        movq    %rcx, 24(%rsp)
        movq    %r8, 32(%rsp)
        movq    %r9, 40(%rsp)
        movsd   %xmm0, 48(%rsp)
        movsd   %xmm1, 56(%rsp)
        movsd   %xmm2, 64(%rsp)
        movsd   %xmm3, 72(%rsp)
        movsd   %xmm4, 80(%rsp)
        movsd   %xmm5, 88(%rsp)
        movsd   %xmm6, 96(%rsp)
        movsd   %xmm7, 104(%rsp)
        movq    %r10, %rdi
        movq    %rsp, %rsi
        leaq    16(%rbp), %rdx
        call    clinch_called_back
        cmpl    $1, %eax
        jl      1f
        je      2f
        fldt    240(%rsp)
2:      fldt    224(%rsp)
1:      movq    112(%rsp), %rax
        movq    120(%rsp), %rdx
        movsd   160(%rsp), %xmm0
        movsd   168(%rsp), %xmm1
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   clinch_call_back, . - clinch_call_back
)");
extern "C" void clinch_call_back();

static void put(unsigned char *&At, std::initializer_list<int> Bytes) {
  for (int Byte : Bytes)
    *At++ = static_cast<unsigned char>(Byte);
}

static void put(unsigned char *&At, const void *Address) {
  storePointer(At, Address);
  At += sizeof(uintptr_t);
}

/// Makes free slots, or sets an exception.
static bool makeSlots() {
  constexpr size_t CodeSize = 32, Size = 65536;
  void *Pages = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Pages == MAP_FAILED) {
    PyErr_SetFromErrno(PyExc_OSError);
    return false;
  }
  auto *const Slots = new Slot[Size / CodeSize]; // For good, as the pages.
  for (size_t I = 0; I != Size / CodeSize; ++I) {
    unsigned char *At = static_cast<unsigned char *>(Pages) + I * CodeSize;
    Slots[I] = {nullptr, std::exchange(Free, &Slots[I]), At};
    put(At, {0xf3, 0x0f, 0x1e, 0xfa}); // endbr64
    put(At, {0x49, 0xba});             // movabs $slot, %r10
    put(At, &Slots[I]);
    put(At, {0x49, 0xbb}); // movabs $clinch_call_back, %r11
    put(At, reinterpret_cast<const void *>(clinch_call_back));
    put(At, {0x41, 0xff, 0xe3}); // jmp *%r11
  }
  if (mprotect(Pages, Size, PROT_READ | PROT_EXEC) == 0)
    return true;
  PyErr_SetFromErrno(PyExc_OSError);
  Free = nullptr;
  return false;
}

/// Returns an argument as a new object.
static PyObject *readArgument(const CType &T, const CPlacement &P,
                              const CallbackFrame &Frame, char *Stack) {
  alignas(16) char Value[16] = {};
  char *At = Value;
  if (P.Stack < 0)
    Frame.Given.get(P, Value);
  else
    At = Stack + P.Stack;
  static PyObject *const Foreign = cMemoryClass()->tp_alloc(cMemoryClass(), 0);
  if (!Foreign || !T.isRecord())
    return Foreign ? readC(T, At, reinterpret_cast<CMemory *>(Foreign), false)
                   : nullptr;
  PyRef View = PyRef::steal(makeView(T)); // The caller's goes.
  if (View)
    std::memcpy(cView(View.get())->At, At, size_t(T.Size));
  return View.release();
}

static PyRef callPython(const Callback &C, const CallbackFrame &Frame,
                        char *Stack) {
  const CSignature &S = *C.Type->Signature;
  constexpr size_t Few = 8;
  PyObject *Given[Few] = {};
  std::vector<PyObject *> Many(S.count() > Few ? S.count() : 0);
  PyObject **Arguments = Many.empty() ? Given : Many.data();
  size_t I = 0;
  for (; I != S.count(); ++I)
    if (!(Arguments[I] =
              readArgument(S.parameter(I), S.Places[I], Frame, Stack)))
      break;
  PyRef Result;
  if (I == S.count())
    Result =
        PyRef::steal(PyObject_Vectorcall(C.Callable, Arguments, I, nullptr));
  while (I)
    Py_DECREF(Arguments[--I]);
  return Result;
}

/// Stores a result where the caller looks for it.
static bool storeResult(Callback &C, PyObject *Result, CallbackFrame &Frame) {
  const CType &T = *C.Type->Item;
  const CSignature &S = *C.Type->Signature;
  alignas(16) char Value[32] = {};
  if (T.Kind == 'v')
    return true;
  C.Kept.clear();
  char *To = S.How == 'm' ? reinterpret_cast<char *>(Frame.Given.I[0]) : Value;
  if (!writeC(T, To, Result, {nullptr, &C.Kept}))
    return false;
  extendSign(T, Value);
  if (S.How == 'r')
    Frame.Made.set(S.Returned, Value);
  else if (S.How != 'm')
    std::memcpy(Frame.Made87, Value, sizeof(Value));
  if (T.Kind == 'O') // The caller owns it.
    Py_INCREF(Result);
  return true;
}

static void noteError(const Callback &C) {
  CActiveCall *Call = C.Call ? C.Call : CActiveCall::innermost();
  if (!Call)
    return PyErr_WriteUnraisable(C.Callable);
  PyObject *Class = nullptr, *Value = nullptr, *Traceback = nullptr;
  PyErr_Fetch(&Class, &Value, &Traceback);
  PyErr_NormalizeException(&Class, &Value, &Traceback);
  if (Traceback)
    PyException_SetTraceback(Value, Traceback);
  Call->add(PyRef::steal(Value));
  Py_XDECREF(Class);
  Py_XDECREF(Traceback);
}

extern "C" int clinch_called_back(Slot *S, CallbackFrame *Frame,
                                  char *Stack) noexcept {
  Frame->Made = {};
  Frame->Made87[0] = Frame->Made87[1] = 0;
  const PyGILState_STATE State = PyGILState_Ensure();
  char How = 'v';
  if (S->Used) { // C may call what has gone: then there is nothing to call.
    const PyRef Keeps = PyRef::borrow(reinterpret_cast<PyObject *>(S->Used));
    Callback &C = *S->Used;
    How = C.Type->Signature->How;
    const PyRef Result = callPython(C, *Frame, Stack);
    if (!Result || !storeResult(C, Result.get(), *Frame))
      noteError(C);
    if (How == 'm')
      Frame->Made.I[0] = Frame->Given.I[0];
  }
  PyGILState_Release(State);
  return How == 'X' ? 2 : How == 'x';
}

static void destroy(PyObject *O) {
  PyTypeObject *Class = Py_TYPE(O);
  PyObject_GC_UnTrack(O);
  Callback &C = *self(O);
  if (C.At) {
    const std::lock_guard Guard(SlotsLock);
    C.At->Used = nullptr;
    C.At->Next = std::exchange(Free, C.At);
    --LiveCallbacks;
  }
  std::destroy_at(&C.Kept);
  Py_XDECREF(C.Type);
  Py_XDECREF(C.Callable);
  Class->tp_free(O);
  Py_DECREF(Class);
}

static int traverse(PyObject *O, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(O));
  Py_VISIT(self(O)->Type);
  Py_VISIT(self(O)->Callable);
  return 0;
}

static int clear(PyObject *O) {
  Py_SETREF(self(O)->Callable, Py_NewRef(Py_None));
  return 0;
}

static PyTypeObject *callbackClass() {
  static PyType_Slot Slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
      {Py_tp_clear, reinterpret_cast<void *>(clear)},
      {0, nullptr}};
  static PyType_Spec Spec = {"clinch._clinch.Callback", sizeof(Callback), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, Slots};
  static auto *Class = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&Spec));
  return Class;
}

PyObject *python::makeCallback(const CType &T, PyObject *Callable,
                               bool IsForCall, void *&Address) {
  if (T.Item->Kind == '&') // If it raised, there would be nothing to refer to.
    return PyErr_Format(PyExc_TypeError,
                        "a Python function cannot return a `%U`", T.Item->Name);
  PyObject *Made = callbackClass()->tp_alloc(callbackClass(), 0);
  if (!Made)
    return nullptr;
  std::unique_lock Guard(SlotsLock);
  Callback &C = *self(Made);
  new (&C.Kept) std::vector<PyRef>;
  C.Type = cType(Py_NewRef(&T));
  C.Callable = Py_NewRef(Callable);
  C.Call = IsForCall ? CActiveCall::innermost() : nullptr;
  if (!Free && !makeSlots()) {
    Guard.unlock();
    Py_DECREF(Made);
    return nullptr;
  }
  C.At = std::exchange(Free, Free->Next);
  C.At->Used = &C;
  ++LiveCallbacks;
  Address = C.At->Code;
  return Made;
}

CActiveCall *&CActiveCall::innermost() {
  static thread_local CActiveCall *Innermost = nullptr;
  return Innermost;
}

CActiveCall::CActiveCall() : Outer(innermost()) { innermost() = this; }
CActiveCall::~CActiveCall() { innermost() = Outer; }
void CActiveCall::add(PyRef Error) { Errors.push_back(std::move(Error)); }

bool CActiveCall::raised() {
  if (Errors.empty())
    return false;
  PyObject *First = Errors.front().get();
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(First)), First);
  return true;
}
