// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module _clinch.

#include "ArrayLayout.h"
#include "BuildArguments.h"
#include "BuildFingerprint.h"
#include "CData.h"
#include "GuardedCall.h"
#include "Objects.h"

#include "../../jit/Runtime/Border.h"
#include "../../jit/Runtime/NativeHooks.h"
#include "../../jit/Runtime/ProcessSession.h"
#include "../../jit/Runtime/PyHook.h"
#include "../../jit/Runtime/Raise.h"

#include "jit/Compiler/DiskEntries.h"

using namespace clinch;
using namespace clinch::python;

/// error_module(new): sets the module if there is none yet; returns the current
/// one.
static PyObject *exchangeErrorModule(PyObject *, PyObject *New) {
  if (!errorModule() && New != Py_None)
    setErrorModule(New);
  return Py_NewRef(errorModule() ? errorModule() : Py_None);
}

static PyObject *checkArrays(PyObject *, PyObject *Array) {
  return PyBool_FromLong(checkArrayLayout(Array));
}

/// configure(disk_cache, cache_dir, cache_limit, header_folders): applies to
/// later compiles.
static PyObject *configure(PyObject *, PyObject *Args) {
  Session::Options O;
  int DiskCache = 1;
  const char *CacheDir = nullptr;
  Py_ssize_t Limit = Py_ssize_t(O.CacheLimit);
  PyObject *Folders = nullptr;
  if (!PyArg_ParseTuple(Args, "pzn|O!", &DiskCache, &CacheDir, &Limit,
                        &PyList_Type, &Folders))
    return nullptr;
  for (Py_ssize_t I = 0; Folders && I < PyList_GET_SIZE(Folders); ++I)
    O.PrefixDirs.push_back(toString(PyList_GET_ITEM(Folders, I)));
  O.DiskCache = DiskCache;
  O.CacheDir = CacheDir ? CacheDir : "";
  O.CacheLimit = size_t(Limit);
  configureProcessSession(std::move(O));
  Py_RETURN_NONE;
}

static PyObject *cacheInfo(PyObject *, PyObject *) {
  Session &S = processSession();
  const Session::Stats T = processStats();
  const std::string &Dir = S.cacheDir();
  return Py_BuildValue(
      "{szsnsnsnsnsn}", "dir", Dir.empty() ? nullptr : Dir.c_str(), "compiles",
      Py_ssize_t(T.Compiles), "memory_hits", Py_ssize_t(T.MemoryHits),
      "disk_hits", Py_ssize_t(T.DiskHits), "live_modules",
      Py_ssize_t(T.LiveModules), "live_bytes", Py_ssize_t(T.LiveBytes));
}

static PyObject *cacheClear(PyObject *, PyObject *) {
  Session &S = processSession();
  Expected<size_t> Bytes = S.clearDiskCache();
  return Bytes ? PyLong_FromSize_t(*Bytes) : raiseNull(Bytes.error());
}

static PyObject *enableCrashNotes(PyObject *, PyObject *) {
  Session::enableCrashNotes();
  Py_RETURN_NONE;
}

static PyObject *hookNamesToPython(PyObject *, PyObject *) {
  PyRef List = PyRef::steal(PyList_New(0));
  for (const HookContract &Hook : hooks()) {
    PyRef Item = fromString(Hook.Name);
    if (!List || !Item || PyList_Append(List.get(), Item.get()) < 0)
      return nullptr;
  }
  return List.release();
}

static PyMethodDef Functions[] = {
    {"emit", withKeywords(border<emitText>), METH_VARARGS | METH_KEYWORDS,
     "The text of a stage before machine code."},
    {"start_checker", border<startChecker>, METH_VARARGS,
     "Loads what looks at texts; folders of headers."},
    {"check", withKeywords(border<checkGraph>), METH_VARARGS | METH_KEYWORDS,
     "What can be said of a graph's text, without making code."},
    {"fixed", border<fixedText>, METH_VARARGS, "A text with fix-its in it."},
    {"completions", border<completeText>, METH_VARARGS,
     "The names that may stand where a text ends."},
    {"render", border<renderError>, METH_VARARGS,
     "An error's message and diagnostics, as a terminal shows them."},
    {"fault_count", border<faultCountOf>, METH_VARARGS,
     "The message of an error that counts its diagnostics."},
    {"describe", withKeywords(border<describeProgram>),
     METH_VARARGS | METH_KEYWORDS, "All that load() needs, as plain data."},
    {"load", border<loadProgram>, METH_VARARGS,
     "A Program from a description."},
    {"code_origin", border<originOf>, METH_O,
     "The build and the processor that code of a description is for."},
    {"text_origin", border<textOrigin>, METH_O,
     "The same, of options of Text."},
    {"compile_object", border<compileObject>, METH_VARARGS,
     "Machine code, not linked, a kept stage, warnings, uses of symbols."},
    {"engine", border<engineFiles>, METH_NOARGS,
     "The files of the engine's program and library."},
    {"compile_device", border<compileDevice>, METH_VARARGS,
     "PTX of a text in CUDA, its kernels, IR and warnings, whether cached."},
    {"launch_simulated", border<launchSimulated>, METH_VARARGS,
     "Runs a simulated kernel: what it printed, and None or its error."},
    {"first_device", border<firstDevice>, METH_NOARGS,
     "The name of the first device, or an empty one."},
    {"openmp", border<openmpFile>, METH_NOARGS,
     "The file of the process's OpenMP, or an empty name."},
    {"take_problem", border<takeProblem>, METH_NOARGS,
     "What went wrong last with this thread's launches, or None."},
    {"lend_memory", border<lendMemory>, METH_VARARGS,
     "Lends simulated kernels of this thread memory, or takes it back."},
    {"prepare", border<prepareHeaders>, METH_O,
     "Precompiles headers in the background, for options of Text."},
    {"read_entry", border<readEntry>, METH_VARARGS,
     "An entry's bytes, or None."},
    {"is_entry", border<isEntry>, METH_VARARGS,
     "Whether bytes are a whole entry."},
    {"add_entry", border<addEntry>, METH_VARARGS,
     "Puts an entry into a folder."},
    {"order", withKeywords(border<orderOf>), METH_VARARGS | METH_KEYWORDS,
     "The applies in the order in which they run."},
    {"native_float", border<nativeFloat>, METH_NOARGS, "Python's float."},
    {"native_generic", border<nativeGeneric>, METH_NOARGS,
     "Any Python object."},
    {"native_scalar", border<nativeScalar>, METH_O,
     "NumPy's scalar of a dtype."},
    {"native_tensor", border<nativeTensor>, METH_VARARGS, "NumPy's arrays."},
    {"native_cdata", border<nativeCData>, METH_VARARGS, "C data in a capsule."},
    {"native_scalar_op", border<nativeScalarOp>, METH_O,
     "A scalar Op by name."},
    {"scalar_ops", border<scalarOps>, METH_NOARGS,
     "(name, arity, NumPy's name)."},
    {"native_cast_op", border<nativeCastOp>, METH_O,
     "The Op that makes a dtype."},
    {"native_generic_op", border<nativeGenericOp>, METH_VARARGS,
     "deep_copy, view, shape, or shape_i with its dimension."},
    {"native_file_op", border<nativeFileOp>, METH_VARARGS, "An Op of C files."},
    {"register_code", border<registerGenericCode>, METH_VARARGS,
     "C code of a generic Op for a class of Types."},
    {"is_registered", border<isRegistered>, METH_VARARGS,
     "Whether a generic Op has C code for a class of Types."},
    {"native_params", border<nativeParams>, METH_O, "A struct of parameters."},
    {"native_enum", border<nativeEnum>, METH_VARARGS,
     "A choice among constants."},
    {"hook_names", border<hookNamesToPython>, METH_NOARGS,
     "All hooks that there are."},
    {"error_module", border<exchangeErrorModule>, METH_O,
     "The module that makes exceptions: the first that is given here."},
    {"check_array_layout", border<checkArrays>, METH_O,
     "Whether arrays of this NumPy can be looked at quickly."},
    {"on_interrupt", onInterrupt, METH_VARARGS,
     "A handler of SIGINT: raises KeyboardInterrupt if the prompt takes it."},
    {"take_interrupts", takeInterrupts, METH_O,
     "Whether on_interrupt() raises; returns whether one came meanwhile."},
    {"read_keys_interruptibly", border<readKeysInterruptibly>, METH_O,
     "Lets a Ctrl-C end readline's wait for a key; the file of `readline`."},
    {"enable_crash_notes", border<enableCrashNotes>, METH_NOARGS,
     "Says which line of which text crashed, of functions made from now on."},
    {"guard_calls", border<guardCalls>, METH_NOARGS,
     "Lets calls of call_guarded() by this thread outlive crashes and Ctrl-C."},
    {"call_guarded", callGuarded, METH_VARARGS,
     "Calls a function of ctypes: (0, result), or (signal, None)."},
    {"crash_frames", border<listCrashFrames>, METH_NOARGS,
     "Of what a signal left: how many frames, their files, the stack's copy."},
    {"defer_initializers", border<deferInitializers>, METH_O,
     "Whether initialisers of what this thread compiles wait for the next."},
    {"run_initializers", runInitializers, METH_O,
     "Calls those that wait: 0, or the signal, and the line written of it."},
    {"configure", border<configure>, METH_VARARGS,
     "disk_cache, cache_dir, limit, header_folders."},
    {"cache_info", border<cacheInfo>, METH_NOARGS, "Counts of the session."},
    {"cache_clear", border<cacheClear>, METH_NOARGS,
     "Bytes given back on disk."},
    {nullptr, nullptr, 0, nullptr}};

/// If the process already has libraries of another build, such as the host's,
/// the dynamic linker binds this module to them. Fails then.
static bool isOneBuild() {
  const std::string There = codeOrigin({}).Build;
  if (There == CLINCH_BUILD_FINGERPRINT)
    return true;
  PyErr_Format(PyExc_ImportError,
               "the libraries of another build of Clinch are in this process: "
               "they are %s, and this package is %s; a process has one Clinch",
               There.c_str(), CLINCH_BUILD_FINGERPRINT);
  return false;
}

/// Clinch and NumPy keep objects of one interpreter for the whole process.
static bool isFirstInterpreter() {
  if (PyInterpreterState_Get() != PyInterpreterState_Main())
    PyErr_SetString(PyExc_ImportError,
                    "Clinch works in the main interpreter of a process, and "
                    "in no subinterpreter");
  else if (pythonHasEnded())
    PyErr_SetString(PyExc_ImportError,
                    "Python was finalized and initialized again in this "
                    "process: Clinch and NumPy work only the first time");
  else
    return true;
  return false;
}

PyTypeObject *python::classWithMethods(PyType_Spec &Spec, const char *Base) {
  PyRef Methods =
      PyRef::steal(PyImport_ImportModule("clinch.base.class_methods"));
  PyRef Class = Methods
                    ? PyRef::steal(PyObject_GetAttrString(Methods.get(), Base))
                    : PyRef();
  PyRef Bases = Class ? PyRef::steal(PyTuple_Pack(1, Class.get())) : PyRef();
  return Bases ? reinterpret_cast<PyTypeObject *>(
                     PyType_FromSpecWithBases(&Spec, Bases.get()))
               : nullptr;
}

static int execute(PyObject *M) {
  if (!isFirstInterpreter() || !isOneBuild())
    return -1;
  installScalarReader();
  PyTypeObject *Classes[] = {
      programClass(),        thunkClass(),      functionClass(),
      textClass(),           nativeTypeClass(), nativeOpClass(),
      nativeFunctionClass(), cTypeClass(),      cMemoryClass(),
      cViewClass(),          cArrayClass(),     cPointerClass(),
      dispatcherClass()};
  for (PyTypeObject *Class : Classes)
    if (!Class || PyModule_AddType(M, Class) < 0)
      return -1;
  PyRef Stages = stageNames();
  if (!Stages || PyModule_AddObjectRef(M, "stages", Stages.get()) < 0)
    return -1;
  return PyModule_AddStringConstant(M, "built_for_python",
                                    CLINCH_PYTHON_VERSION) +
         PyModule_AddStringConstant(M, "built_for_numpy",
                                    CLINCH_NUMPY_VERSION) +
         PyModule_AddStringConstant(M, "llvm_version", CLINCH_LLVM_VERSION) +
         PyModule_AddStringConstant(M, "version", CLINCH_VERSION);
}

// Python looks for this name.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
PyMODINIT_FUNC PyInit__clinch() {
  static PyModuleDef_Slot Slots[] = {
      {Py_mod_exec, slot<execute>()},
#ifdef Py_mod_multiple_interpreters
      {Py_mod_multiple_interpreters,
       Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
#ifdef Py_GIL_DISABLED
      {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
      {0, nullptr}};
  static PyModuleDef Definition = {PyModuleDef_HEAD_INIT,
                                   "_clinch",
                                   "Clinch's runtime.",
                                   0,
                                   Functions,
                                   Slots,
                                   nullptr,
                                   nullptr,
                                   nullptr};
  return PyModuleDef_Init(&Definition);
}
