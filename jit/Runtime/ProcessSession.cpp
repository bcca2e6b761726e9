// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's session, and what Python says of itself.

#include "ProcessSession.h"
#include "CriticalSection.h"
#include "lib/Support/Forks.h"

#include <Python.h>
#include <array>
#include <atomic>
#include <iterator>
#include <sstream>
#include <vector>

using namespace clinch;

namespace {
struct Shared {
  Session::Options Options;
  std::array<std::shared_ptr<Session>, 2> Current; ///< The second: isolated.
  /// Other threads may still compile in them.
  std::vector<std::shared_ptr<Session>> Retired;
};
} // namespace

static Shared &shared() {
  static constinit ForProcess<Shared> Only;
  return Only.get([] { return new Shared(); });
}

static Session &currentSession(Shared &S, bool Isolated) {
  std::shared_ptr<Session> &Current = S.Current[Isolated];
  if (!Current) {
    Session::Options O = S.Options;
    O.Isolated = Isolated;
    Current = Session::create(std::move(O));
  }
  return *Current;
}

Session &clinch::processSession(bool Isolated) {
  CriticalSection Turn(processObject());
  return currentSession(shared(), Isolated);
}

Session::Stats clinch::processStats() {
  CriticalSection Turn(processObject());
  Shared &S = shared();
  Session::Stats Sum = currentSession(S, false).stats();
  if (const std::shared_ptr<Session> &Isolated = S.Current[true]) {
    const Session::Stats More = Isolated->stats();
    Sum.Compiles += More.Compiles;
    Sum.MemoryHits += More.MemoryHits;
    Sum.DiskHits += More.DiskHits;
  }
  return Sum;
}

void clinch::configureProcessSession(Session::Options O) {
  CriticalSection Turn(processObject());
  Shared &S = shared();
  S.Options = std::move(O);
  for (std::shared_ptr<Session> &Current : S.Current)
    if (Current)
      S.Retired.push_back(std::move(Current));
}

bool clinch::pythonHasEnded() {
  static std::atomic<bool> Ended = false;
  static constinit ForProcess<const bool> Watched;
  auto Watch = [] { return new bool(Py_AtExit([] { Ended = true; }) == 0); };
  return Watched.get(Watch) && Ended;
}

Status clinch::pythonHasBegun() {
  if (Py_IsInitialized())
    return Status::success();
  return Error(Error::Kind::InvalidArgument,
               "There is no Python interpreter in this process yet: call "
               "`Py_Initialize()` first.");
}

static CallFacts::Names split(const char *Names) {
  std::istringstream In(Names);
  return {std::istream_iterator<std::string>(In), {}};
}

static constexpr const char *NewReferences =
    "PyLong_FromLong PyLong_FromLongLong PyLong_FromSsize_t "
    "PyLong_FromSize_t PyLong_FromUnsignedLong "
    "PyLong_FromUnsignedLongLong PyLong_FromDouble PyLong_FromVoidPtr "
    "PyFloat_FromDouble PyFloat_FromString PyComplex_FromDoubles "
    "PyComplex_FromCComplex PyUnicode_FromString PyUnicode_FromFormat "
    "PyUnicode_FromStringAndSize PyBytes_FromString "
    "PyBytes_FromStringAndSize PyTuple_New PyTuple_Pack PyList_New "
    "PyDict_New PyDict_Copy PyDict_Keys PyDict_Values PyDict_Items "
    "PySet_New PyFrozenSet_New PySlice_New PyCapsule_New Py_BuildValue "
    "PyObject_GetAttr PyObject_GetAttrString PyObject_GetItem "
    "PyObject_GetIter PyObject_Str PyObject_Repr PyObject_Call "
    "PyObject_CallObject PyObject_CallFunction PyObject_CallMethod "
    "PyObject_CallNoArgs PyObject_CallOneArg PyObject_CallFunctionObjArgs "
    "PyObject_CallMethodObjArgs PyImport_Import PyImport_ImportModule "
    "PyNumber_Add PyNumber_Subtract PyNumber_Multiply PyNumber_TrueDivide "
    "PyNumber_FloorDivide PyNumber_Power PyNumber_Negative PyNumber_Float "
    "PyNumber_Long PyNumber_Index PySequence_GetItem PySequence_Fast "
    "PySequence_List PySequence_Tuple PySequence_Concat PySequence_Repeat "
    "PyArray_New PyArray_NewFromDescr PyArray_Empty PyArray_Zeros "
    "PyArray_FromAny PyArray_CheckFromAny PyArray_FromArray "
    "PyArray_NewCopy PyArray_NewLikeArray PyArray_CastToType "
    "PyArray_Transpose PyArray_Newshape PyArray_Reshape PyArray_View "
    "PyArray_Squeeze PyArray_Ravel PyArray_Flatten PyArray_SwapAxes "
    "PyArray_Arange PyArray_ArangeObj PyArray_Scalar PyArray_Concatenate "
    "PyArray_InnerProduct PyArray_MatrixProduct PyArray_TakeFrom "
    "PyArray_Choose PyArray_Repeat PyArray_Sum PyArray_Prod PyArray_Max "
    "PyArray_Min PyArray_Diagonal PyArray_EnsureArray";

static constexpr const char *Statuses =
    "PyList_Append PyList_SetItem PyList_Insert PyList_Sort "
    "PyList_Reverse PyTuple_SetItem PyDict_SetItem PyDict_SetItemString "
    "PyDict_DelItem PyDict_Update PySet_Add PyObject_SetAttr "
    "PyObject_SetAttrString PyObject_SetItem PyObject_DelItem "
    "PySequence_SetItem PyArray_CopyInto PyArray_MoveInto "
    "PyArray_CopyObject PyArray_SetBaseObject PyArray_FillWithScalar "
    "PyArray_Sort PyArray_CastTo PyArray_ResolveWritebackIfCopy";

CallFacts clinch::pythonFacts() {
  CallFacts F;
  F.NewReference = split(NewReferences);
  F.Status = split(Statuses);
  F.Raise = {"PyErr_SetString",   "PyErr_Format",   "PyErr_SetNone",
             "PyErr_SetObject",   "PyErr_NoMemory", "PyErr_BadArgument",
             "PyErr_SetFromErrno"};
  F.Clear = {"PyErr_Clear", "PyErr_WriteUnraisable", "PyErr_Print",
             "PyErr_Fetch", "PyErr_GetRaisedException"};
  F.IsRaised = {"PyErr_Occurred"};
  // The last two show NULL as "<NULL>".
  F.TakesNull = {"Py_XDECREF",      "Py_XINCREF",
                 "Py_XNewRef",      "Py_BuildValue",
                 "PyErr_SetObject", "PyObject_CallFunctionObjArgs",
                 "PyObject_Str",    "PyObject_Repr"};
  F.Takes = {{"Py_DECREF", 0},
             {"Py_XDECREF", 0},
             {"_Py_DECREF", 0},
             {"_Py_XDECREF", 0},
             {"PyList_SetItem", 2},
             {"PyTuple_SetItem", 2},
             {"PyList_SET_ITEM", 2},
             {"PyTuple_SET_ITEM", 2},
             {"PyModule_AddObject", 2},
             {"PyArray_Zeros", 2},
             {"PyArray_Empty", 2},
             {"PyArray_SetBaseObject", 1},
             {"PyArray_FromAny", 1},
             {"PyArray_CheckFromAny", 1},
             {"PyArray_NewFromDescr", 1},
             {"PyArray_FromArray", 1}};
  F.Unsure = {"Py_BuildValue", "PyErr_Restore", "PyErr_SetRaisedException",
              "PyCapsule_New", "Py_INCREF"};
  F.Beginnings = {"Py", "_Py"};
  F.Release = "Py_DECREF";
  F.Fields = {"numpy-field",
              "tagPyArrayObject_fields",
              "of an array is NumPy's own since version 1.7",
              {{"data", "PyArray_BYTES"},
               {"nd", "PyArray_NDIM"},
               {"dimensions", "PyArray_DIMS"},
               {"strides", "PyArray_STRIDES"},
               {"base", "PyArray_BASE"},
               {"descr", "PyArray_DESCR"},
               {"flags", "PyArray_FLAGS"}}};
  F.Macros = {"numpy-macro", "deprecated_api.h",
              "is deprecated since NumPy 1.7"};
  return F;
}
