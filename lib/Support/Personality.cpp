// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No destructors in threads that end.
//
// pthread_exit unwinds a thread like an exception. Python (before 3.14) calls
// it in daemon threads that ask for the GIL after the interpreter has ended,
// and then our frames may be on the stack. Their destructors must not run: they
// would drop references without the GIL, and a noexcept function would end the
// process. So the linker puts this before the function that tells the unwinder
// what to do in our frames; test_threads.py ends such threads.

#include <cstdint>
#include <unwind.h>

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern "C" _Unwind_Reason_Code
__real___gxx_personality_v0(int Version, _Unwind_Action Actions, uint64_t Class,
                            _Unwind_Exception *Exception,
                            _Unwind_Context *Context);

extern "C" __attribute__((visibility("hidden"))) _Unwind_Reason_Code
__wrap___gxx_personality_v0(int Version, _Unwind_Action Actions, uint64_t Class,
                            _Unwind_Exception *Exception,
                            _Unwind_Context *Context) {
  if (Actions & _UA_FORCE_UNWIND)
    return _URC_CONTINUE_UNWIND;
  return __real___gxx_personality_v0(Version, Actions, Class, Exception,
                                     Context);
}
// NOLINTEND(bugprone-reserved-identifier)
