// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How values go to a function.
//
// System V's convention for x86-64: a value of up to sixteen bytes goes in one
// or two registers, by what each of its halves holds; a larger one, or one that
// has a misaligned field, goes on the stack. test/Fuzz/data_search.py compares
// this with Clang.

#include "CSignature.h"

#include <cstring>

using namespace clinch;
using namespace clinch::python;

namespace {

constexpr size_t Half = 8;

/// What the halves of a value hold: `i`, `f`, `x` and `y` (the halves of an x87
/// number), or nothing.
struct Halves {
  char Kinds[2] = {0, 0};
  bool InMemory = false;

  void add(size_t Offset, char Kind) {
    char &Before = Kinds[Offset / Half];
    if (!Before || Kind == 'i')
      Before = Kind;
    else if (Kind && Before != 'i' && Before != Kind)
      InMemory = true; // An x87 number and another.
  }
  void add(const Halves &Member) {
    add(0, Member.Kinds[0]);
    add(Half, Member.Kinds[1]);
    InMemory |= Member.InMemory;
  }
};

} // namespace

static Halves classify(const CType &T, size_t Offset);

// NOLINTNEXTLINE(misc-no-recursion): types nest
static void classifyFields(const CType &T, size_t Offset, Halves &H) {
  for (const CField &F : *T.Fields) {
    const size_t Begin = Offset * 8 + F.Place;
    if (F.IsInner)
      continue;
    if (F.Width) {
      for (size_t At : {Begin, Begin + F.Width - 1})
        H.add(At / 8, 'i');
      continue;
    }
    if (Begin / 8 % size_t(F.type().Align) || F.type().Count < 0)
      H.InMemory = true;
    else
      H.add(classify(F.type(), Begin / 8));
  }
}

// NOLINTNEXTLINE(misc-no-recursion): types nest
static Halves classify(const CType &T, size_t Offset) {
  Halves H;
  if (T.isRecord()) {
    classifyFields(T, Offset, H);
  } else if (T.Kind == '[' || T.Kind == 'z') {
    const Py_ssize_t Count = T.Kind == '[' ? T.Count : 2;
    for (Py_ssize_t I = 0; I < Count; ++I)
      H.add(classify(*T.Item, Offset + size_t(I * T.Item->Size)));
  } else if (T.Kind == 'f') {
    H.add(Offset, T.Size == 16 ? 'x' : 'f');
    if (T.Size == 16)
      H.add(Offset + Half, 'y');
  } else {
    H.add(Offset, 'i');
    if (T.Size > Py_ssize_t(Half))
      H.add(Offset + Half, 'i');
  }
  H.InMemory |= H.Kinds[1] == 'y' && H.Kinds[0] != 'x';
  return H;
}

static Halves halvesOf(const CType &T) {
  Halves H;
  H.InMemory = T.Size > 2 * Py_ssize_t(Half);
  return T.Size && !H.InMemory ? classify(T, 0) : H;
}

static void place(const CType &T, CSignature &S, size_t &Integers,
                  size_t &Floats) {
  Halves H = halvesOf(T);
  CPlacement P;
  size_t Needed[2] = {0, 0};
  for (char Kind : H.Kinds) {
    H.InMemory |= Kind == 'x';
    Needed[0] += Kind == 'i';
    Needed[1] += Kind == 'f';
  }
  if (H.InMemory || Integers + Needed[0] > MostIntegers ||
      Floats + Needed[1] > MostFloats) {
    const size_t Align = std::max(size_t(T.Align), Half);
    S.Stack = (S.Stack + Align - 1) / Align * Align;
    P.Stack = long(S.Stack);
    S.Align = std::max(S.Align, Align);
    S.Stack += (size_t(T.Size) + Half - 1) / Half * Half;
  } else {
    for (size_t I = 0; I != 2; ++I)
      if ((P.Kinds[I] = H.Kinds[I]))
        P.At[I] = uint8_t(P.Kinds[I] == 'i' ? Integers++ : Floats++);
  }
  S.Places.push_back(P);
}

static void placeResult(const CType &T, CSignature &S) {
  if (T.Kind == 'v')
    return;
  const Halves H = halvesOf(T);
  uint8_t Used[2] = {0, 0};
  for (size_t I = 0; I != 2; ++I)
    if ((S.Returned.Kinds[I] = H.Kinds[I]))
      S.Returned.At[I] = Used[H.Kinds[I] == 'f']++;
  S.How = T.Kind == 'z' && T.Size == 32 ? 'X'
          : H.InMemory                  ? 'm'
          : H.Kinds[0] == 'x'           ? 'x'
                                        : 'r';
}

std::unique_ptr<CSignature> python::makeSignature(const CType &T,
                                                  PyObject *Parameters) {
  auto S = std::make_unique<CSignature>();
  S->Parameters = PyRef::borrow(Parameters);
  placeResult(*T.Item, *S);
  S->HasObjects = T.Item->Kind == 'O';
  size_t Integers = S->How == 'm', Floats = 0;
  for (Py_ssize_t I = 0; I != PyTuple_GET_SIZE(Parameters); ++I) {
    const CType &P = *cType(PyTuple_GET_ITEM(Parameters, I));
    place(P, *S, Integers, Floats);
    S->CallsBack |= P.Kind == '*' && P.Item->Kind == 'F';
    S->HasObjects |= P.Kind == 'O';
  }
  return S;
}

void python::extendSign(const CType &T, char *At) {
  if ((T.Kind != 'i' && T.Kind != 'c') || T.Size >= Py_ssize_t(Half))
    return;
  long Number = 0;
  std::memcpy(&Number, At, size_t(T.Size));
  const auto Rest = unsigned(64 - T.Size * 8);
  Number = Number << Rest >> Rest;
  std::memcpy(At, &Number, sizeof(Number));
}

void CRegisters::set(const CPlacement &P, const void *Value) {
  for (size_t I = 0; I != 2; ++I)
    if (P.Kinds[I])
      std::memcpy(P.Kinds[I] == 'i' ? static_cast<void *>(&this->I[P.At[I]])
                                    : &F[P.At[I]],
                  static_cast<const char *>(Value) + I * Half, Half);
}

void CRegisters::get(const CPlacement &P, void *Value) const {
  for (size_t I = 0; I != 2; ++I)
    if (P.Kinds[I])
      std::memcpy(static_cast<char *>(Value) + I * Half,
                  P.Kinds[I] == 'i'
                      ? static_cast<const void *>(&this->I[P.At[I]])
                      : &F[P.At[I]],
                  Half);
}
