# RUN: %python %s %build/lib/libclinch-compiler.so | FileCheck %s
# The C interface from a foreign-function interface that reads no header.
import ctypes
import sys

lib = ctypes.CDLL(sys.argv[1])
for name in ("session_new", "unit_new", "unit_diagnostic", "module_symbol"):
    getattr(lib, "clinch_" + name).restype = ctypes.c_void_p
lib.clinch_compile.restype = ctypes.c_void_p
lib.clinch_unit_error_text.restype = ctypes.c_char_p
lib.clinch_diagnostic_message.restype = ctypes.c_char_p
P = ctypes.c_void_p

session = P(lib.clinch_session_new())
unit = P(lib.clinch_unit_new(session))
lib.clinch_unit_set_text(unit, b"f.cpp", b"""
template <typename T> T twice(T x) { return x + x; }
extern "C" double f(double x) { return twice(x); }
""")
lib.clinch_unit_set_language(unit, 1)
module = P(lib.clinch_compile(unit))
if not module:
    sys.exit(lib.clinch_unit_error_text(unit, 0).decode())
f = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(
    lib.clinch_module_symbol(module, b"f"))
# CHECK: 5.0
print(f(2.5))
# CHECK-NEXT: None
print(lib.clinch_module_symbol(module, b"g"))
lib.clinch_module_release(module)

lib.clinch_unit_set_text(unit, b"bad.cpp", b"int f() { return y; }")
# CHECK-NEXT: None
print(lib.clinch_compile(unit))
# CHECK-NEXT: use of undeclared identifier 'y'
print(lib.clinch_diagnostic_message(
    P(lib.clinch_unit_diagnostic(unit, ctypes.c_size_t(0)))).decode())
lib.clinch_unit_release(unit)
lib.clinch_session_release(session)
