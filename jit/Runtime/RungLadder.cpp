//===- RungLadder.cpp - Runs a ladder that is a list of calls ---*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RungLadder.h"

#include <algorithm>
#include <array>

using namespace clinch;

/// The words of one run, and what its calls are given.
class RungLadder::Frame {
public:
  /// \p Size: of its own words and of the values of a call. What is opened in
  /// init has all its words in the state.
  Frame(const RungLadder &L, void *State, size_t Size = 0)
      : L(L), State(static_cast<void **>(State)),
        Cells(static_cast<PyObject *const *>(*this->State)) {
    if (Size > Few.size())
      Many.reset(new (std::nothrow) void *[Size]());
    Own = Size > Few.size() ? Many.get() : Few.data();
  }
  /// False where there is no memory for it.
  bool isThere() const { return Own; }

  /// Opens all; the failure, and in \p Opened how many are to be closed.
  int open(const std::vector<Step> &Steps, size_t &Opened);
  /// Closes the first \p Opened in their reverse order.
  int close(const std::vector<Step> &Steps, size_t Opened, int Failure);

private:
  int open(const Step &S);
  int close(const Step &S, int Failure);
  void *word(unsigned I) {
    void **At = I < L.StateWords ? State + I : Own + (I - L.StateWords);
    return static_cast<void *>(At);
  }
  PyObject **object(const Step &S) {
    return S.Object == Rung::None ? nullptr
                                  : static_cast<PyObject **>(word(S.Object));
  }
  PyObject *cell(const Step &S) const {
    return S.Cell == Rung::None ? nullptr : Cells[S.Cell];
  }

  const RungLadder &L;
  void **State;
  PyObject *const *Cells;
  std::array<void *, 64> Few{};
  std::unique_ptr<void *[]> Many;
  void **Own;
};

int RungLadder::Frame::open(const Step &S) {
  const unsigned *Words = L.Words.data() + S.FirstValue;
  if (S.Close) {
    PyObject *Cell = cell(S);
    return reinterpret_cast<OpenFn>(S.Open)(&Cell, object(S), word(*Words),
                                            S.Subject.c_str());
  }
  void **Values = Own + L.OwnWords;
  for (unsigned I = 0; I < S.Values; ++I)
    Values[I] = word(Words[I]);
  return reinterpret_cast<CodeFn>(S.Open)(Values, S.Subject.c_str());
}

int RungLadder::Frame::open(const std::vector<Step> &Steps, size_t &Opened) {
  for (const Step &S : Steps) {
    ++Opened;
    if (S.Renews)
      close(S, 0);
    int Failed = open(S);
    if (Failed && S.Close && Failed == Rung::Unopened)
      --Opened;
    if (Failed)
      return int(S.Number);
  }
  return 0;
}

int RungLadder::Frame::close(const Step &S, int Failure) {
  if (!S.Close)
    return Failure;
  PyObject *Cell = cell(S);
  int Failed = reinterpret_cast<CloseFn>(S.Close)(&Cell, object(S), Failure,
                                                  word(L.Words[S.FirstValue]),
                                                  S.Subject.c_str());
  return Failed && S.IsOutput ? int(S.Number) : Failure;
}

int RungLadder::Frame::close(const std::vector<Step> &Steps, size_t Opened,
                             int Failure) {
  while (Opened)
    if (const Step &S = Steps[--Opened]; !S.Renews)
      Failure = close(S, Failure);
  return Failure;
}

bool RungLadder::add(const std::vector<Rung> &From, std::vector<Step> &To,
                     const std::function<void *(const std::string &)> &Find) {
  for (const Rung &R : From) {
    Step S{R.Number,
           R.Cell,
           R.Object,
           unsigned(Words.size()),
           unsigned(R.Values.size()),
           R.IsOutput,
           R.Renews,
           Find(R.Open),
           R.Close.empty() ? nullptr : Find(R.Close),
           R.Subject};
    if (!S.Open || (!R.Close.empty() && !S.Close))
      return false;
    Words.insert(Words.end(), R.Values.begin(), R.Values.end());
    MostValues = std::max(MostValues, R.Values.size());
    To.push_back(std::move(S));
  }
  return true;
}

std::shared_ptr<const RungLadder>
RungLadder::create(const Rungs &R,
                   const std::function<void *(const std::string &)> &Find) {
  std::shared_ptr<RungLadder> L(new RungLadder);
  L->StateWords = R.StateWords;
  L->OwnWords = R.Words - R.StateWords;
  bool Found = L->add(R.Init, L->Init, Find) && L->add(R.Run, L->Run, Find);
  return Found ? std::move(L) : nullptr;
}

Program::Entries RungLadder::entries() const {
  Program::Entries E;
  E.Init = init;
  E.Run = run;
  E.Cleanup = cleanup;
  E.StateSize = StateWords * sizeof(void *);
  E.Ladder = this;
  return E;
}

const RungLadder &RungLadder::of(void *State) {
  return **(static_cast<const RungLadder *const *>(State) - 1);
}

int RungLadder::init(void *State, PyObject *const *Cells) {
  const RungLadder &L = of(State);
  *static_cast<PyObject *const **>(State) = Cells;
  Frame F(L, State);
  size_t Opened = 0;
  int Failure = F.open(L.Init, Opened);
  return Failure ? F.close(L.Init, Opened, Failure) : 0;
}

int RungLadder::run(void *State) {
  const RungLadder &L = of(State);
  Frame F(L, State, L.OwnWords + L.MostValues);
  if (!F.isThere()) {
    PyErr_NoMemory();
    return int(L.Run.front().Number);
  }
  size_t Opened = 0;
  int Failure = F.open(L.Run, Opened);
  return F.close(L.Run, Opened, Failure);
}

void RungLadder::cleanup(void *State) {
  const RungLadder &L = of(State);
  Frame(L, State).close(L.Init, L.Init.size(), 0);
}
