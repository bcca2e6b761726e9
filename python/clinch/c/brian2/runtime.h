// What the blocks of Brian2's code objects stand on. A block's variables are in
// a dict: arrays of NumPy's, numbers, and Brian2's own objects.
#include <climits>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>

namespace brian {

struct Raised {}; // Python's exception is set.

template <typename T> T *checked(T *Found) {
  if (!Found)
    throw Raised();
  return Found;
}

struct Held { // A reference that the block has.
  PyObject *Object;
  explicit Held(PyObject *Object) : Object(checked(Object)) {}
  Held(const Held &) = delete;
  ~Held() { Py_DECREF(Object); }
};

inline PyObject **interned(std::initializer_list<const char *> Names) {
  PyObject **Made = new PyObject *[Names.size()];
  for (size_t At = 0; At < Names.size(); ++At)
    Made[At] = checked(PyUnicode_InternFromString(Names.begin()[At]));
  return Made;
}

inline PyObject *item(PyObject *Namespace, PyObject *Name) {
  PyObject *Found = PyDict_GetItemWithError(Namespace, Name);
  if (!Found && !PyErr_Occurred())
    PyErr_SetObject(PyExc_KeyError, Name);
  return checked(Found);
}

inline PyArrayObject *array(PyObject *Namespace, PyObject *Name) {
  return reinterpret_cast<PyArrayObject *>(item(Namespace, Name));
}

template <typename T> T *data(PyArrayObject *Array) {
  return static_cast<T *>(PyArray_DATA(Array));
}

template <typename T> T number(PyObject *Namespace, PyObject *Name) {
  PyObject *Found = item(Namespace, Name);
  const double Real = PyFloat_AsDouble(Found);
  if (Real == -1 && PyErr_Occurred())
    throw Raised();
  if constexpr (sizeof(T) == 8 && T(0.5) == 0) { // Doubles are not as exact.
    const Held Whole(PyNumber_Long(Found));
    return static_cast<T>(PyLong_AsLongLong(Whole.Object));
  }
  return static_cast<T>(Real);
}

// Variables of a user's function: an array's data, or the object itself.
template <typename T>
void take(T *&Place, PyObject *Namespace, const char *Name) {
  PyObject *Found = checked(PyMapping_GetItemString(Namespace, Name));
  Py_DECREF(Found); // The dict has it.
  Place = data<T>(reinterpret_cast<PyArrayObject *>(Found));
}
inline void take(PyObject *&Place, PyObject *Namespace, const char *Name) {
  Place = checked(PyMapping_GetItemString(Namespace, Name));
  Py_DECREF(Place);
}

inline void call(PyObject *Object, const char *Method, PyObject *Argument) {
  PyObject *Result = Argument
                         ? PyObject_CallMethod(Object, Method, "(N)", Argument)
                         : PyObject_CallMethod(Object, Method, nullptr);
  Py_DECREF(checked(Result));
}

// A dynamic array whose size a block changes: the array grows when the block is
// left, or when it is read.
class Growing {
public:
  Growing(Growing *&First, PyObject *Variable, PyObject *Array)
      : Next(First), Variable(Variable), Array(Array) {
    First = this;
  }
  Growing(const Growing &) = delete;
  virtual void settle() {}
  void forget() { Known = false; }

  Growing *const Next;

protected:
  void resized(PyObject *Shape) {
    call(Variable, "resize", Shape);
    Known = false;
  }
  PyArrayObject *view() {
    PyObject *View = checked(PyObject_GetAttrString(Array, "data"));
    Py_DECREF(View); // The dynamic array has it.
    Known = true;
    return reinterpret_cast<PyArrayObject *>(View);
  }

  PyObject *Variable, *Array;
  bool Known = false;
};

template <typename T> class Dynamic : public Growing {
public:
  using Growing::Growing;
  ~Dynamic() { std::free(Further); }
  void push_back(T Value) {
    if (Count == Room)
      Further = static_cast<T *>(
          std::realloc(Further, (Room += Room + 64) * sizeof(T)));
    Further[Count++] = Value;
  }
  size_t size() {
    settle();
    return Size;
  }
  void resize(size_t Wanted) {
    settle();
    resized(PyLong_FromSize_t(Wanted));
  }
  T &operator[](size_t At) {
    if (!Known || Count)
      settle();
    return Data[At];
  }
  void settle() override {
    look();
    if (!Count)
      return;
    const size_t Before = Size;
    resized(PyLong_FromSize_t(Before + Count));
    look();
    std::memcpy(Data + Before, Further, Count * sizeof(T));
    Count = 0;
  }

private:
  void look() {
    if (Known)
      return;
    PyArrayObject *View = view();
    Data = data<T>(View);
    Size = PyArray_DIM(View, 0);
  }

  T *Data = nullptr, *Further = nullptr;
  size_t Size = 0, Count = 0, Room = 0;
};

template <typename T> class Dynamic2D : public Growing {
public:
  using Growing::Growing;
  void resize(size_t Rows, size_t Columns) {
    resized(checked(Py_BuildValue("(nn)", Rows, Columns)));
    PyArrayObject *View = view();
    Data = PyArray_BYTES(View);
    Stride = PyArray_STRIDE(View, 0);
  }
  T &operator()(size_t Row, size_t Column) {
    return reinterpret_cast<T *>(Data + Row * Stride)[Column];
  }

private:
  char *Data = nullptr;
  ptrdiff_t Stride = 0;
};

// The variables of one run of a block that grow, and the synapses they belong
// to.
struct Grown {
  PyObject *Owner;
  Growing *First;

  void settle() {
    for (Growing *Each = First; Each; Each = Each->Next)
      Each->settle();
  }
  void resize(size_t Synapses) {
    settle();
    call(Owner, "_resize", PyLong_FromSize_t(Synapses));
    for (Growing *Each = First; Each; Each = Each->Next)
      Each->forget();
  }
};

// What a block returns: the bytes of an array.
template <typename T> class Found {
public:
  explicit Found(size_t Most)
      : Bytes(PyByteArray_FromStringAndSize(nullptr, Most * sizeof(T))) {}
  void push_back(T Value) {
    reinterpret_cast<T *>(PyByteArray_AS_STRING(Bytes.Object))[Count++] = Value;
  }
  PyObject *taken() {
    if (PyByteArray_Resize(Bytes.Object, Count * sizeof(T)))
      throw Raised();
    return Py_NewRef(Bytes.Object);
  }

private:
  Held Bytes;
  size_t Count = 0;
};

// Random numbers are NumPy's, of which Brian2 keeps many, where all its targets
// find them: they free the memory by free().
inline double drawn(const char *Function, int64_t *Buffer, int32_t *Next) {
  constexpr int Count = 20000;
  double *&Numbers = reinterpret_cast<double *&>(*Buffer);
  if (*Next == 0) {
    const Held Random(PyImport_ImportModule("numpy.random"));
    const Held Made(PyObject_CallMethod(Random.Object, Function, "i", Count));
    if (!Numbers)
      Numbers = static_cast<double *>(std::malloc(Count * sizeof(double)));
    std::memcpy(Numbers,
                data<double>(reinterpret_cast<PyArrayObject *>(Made.Object)),
                Count * sizeof(double));
  }
  const double Value = Numbers[*Next];
  *Next = (*Next + 1) % Count;
  return Value;
}

// Brian2's templates for programs of their own print what is wrong, and exit.
struct Message {
  char Text[256];
  size_t Size;

  void add(const char *Format, ...) {
    va_list Arguments;
    va_start(Arguments, Format);
    PyOS_vsnprintf(Text + Size, sizeof(Text) - Size, Format, Arguments);
    va_end(Arguments);
    Size = std::strlen(Text);
  }
  Message &operator<<(const char *More) { return add("%s", More), *this; }
  Message &operator<<(long long More) { return add("%lld", More), *this; }
};
inline Message cout;
constexpr const char *endl = "";
[[noreturn]] inline void exit(int) {
  cout.Size = 0;
  PyErr_SetString(PyExc_IndexError, cout.Text);
  throw Raised();
}

template <typename T> int int_(T Value) { return static_cast<int>(Value); }

} // namespace brian
namespace py {
using object = PyObject *;
}
