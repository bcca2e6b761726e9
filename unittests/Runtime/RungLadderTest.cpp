//===- RungLadderTest.cpp - Runs a ladder that is a list of calls --------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jit/Runtime/RungLadder.h"

#include <gtest/gtest.h>

using namespace clinch;

namespace {

std::string Log;
std::string Failing; ///< The event that fails.
int HowToFail = 1;

int note(const std::string &Event) {
  Log += Event + "\n";
  return Event.substr(0, Event.find(' ', Event.find(' ') + 1)) == Failing;
}

/// A variable's value is its own address once it is open.
int openVariable(PyObject **Cell, PyObject **Object, void *Value,
                 const char *Subject) {
  *static_cast<void **>(Value) = Value;
  if (Object)
    *Object = *Cell;
  bool Fails = note(std::string("open ") + Subject +
                    (*Cell ? " " + std::to_string(uintptr_t(*Cell)) : ""));
  return Fails ? HowToFail : 0;
}

int closeVariable(PyObject **Cell, PyObject **Object, int Failed, void *Value,
                  const char *Subject) {
  EXPECT_EQ(*static_cast<void **>(Value), Value) << Subject;
  if (Object) {
    EXPECT_EQ(*Object, *Cell) << Subject;
  }
  return note(std::string("close ") + Subject + " " + std::to_string(Failed));
}

int code(void *const *Values, const char *Subject) {
  for (size_t I = 0; I < 3; ++I)
    EXPECT_EQ(*static_cast<void **>(Values[I]), Values[I]) << I;
  return note(std::string("code ") + Subject);
}

void *find(const std::string &Name) {
  if (Name == "open")
    return reinterpret_cast<void *>(&openVariable);
  if (Name == "close")
    return reinterpret_cast<void *>(&closeVariable);
  return Name == "code" ? reinterpret_cast<void *>(&code) : nullptr;
}

Rung variable(unsigned Number, std::string Subject, unsigned Cell,
              unsigned Object, unsigned Value, bool IsOutput = false) {
  return {Number,   "open", "close", std::move(Subject),
          IsOutput, Cell,   Object,  {Value}};
}

/// A constant in the state, an input, an output, and code of all.
Rungs makeRungs() {
  Rungs R;
  R.Init = {variable(2, "C", 2, 1, 2)};
  R.Run = {variable(1, "X", 0, 3, 4),
           variable(3, "Y", 1, 5, 6, true),
           {4, "code", "", "n", false, Rung::None, Rung::None, {4, 2, 6}}};
  R.StateWords = 3;
  R.Words = 7;
  return R;
}

/// A state with the ladder in front of it, and its cells 10, 11 and 12.
class Machine {
public:
  explicit Machine(const Rungs &R = makeRungs())
      : L(RungLadder::create(R, find)), E(L->entries()) {
    Log.clear();
    Failing.clear();
    HowToFail = 1;
    Memory[0] = const_cast<RungLadder *>(L.get());
    for (uintptr_t I = 0; I < 3; ++I)
      Cells.push_back(reinterpret_cast<PyObject *>(10 + I));
  }
  std::string take() { return std::exchange(Log, {}); }
  void *state() { return static_cast<void *>(&Memory[1]); }
  int init() { return E.Init(state(), Cells.data()); }
  int run() { return E.Run(state()); }
  void cleanup() { E.Cleanup(state()); }

  std::shared_ptr<const RungLadder> L;
  Program::Entries E;
  void *Memory[4] = {};
  std::vector<PyObject *> Cells;
};

} // namespace

TEST(RungLadder, OpensInOrderAndClosesInReverse) {
  Machine M;
  EXPECT_EQ(M.E.StateSize, 3 * sizeof(void *));
  EXPECT_EQ(M.init(), 0);
  EXPECT_EQ(M.take(), "open C 12\n");
  EXPECT_EQ(M.Memory[1], M.Cells.data());
  for (int I = 0; I < 2; ++I) {
    EXPECT_EQ(M.run(), 0);
    EXPECT_EQ(M.take(), "open X 10\nopen Y 11\ncode n\nclose Y 0\nclose X 0\n");
  }
  M.cleanup();
  EXPECT_EQ(M.take(), "close C 0\n");
}

TEST(RungLadder, ClosesWhatWasOpenedWhenSomethingFails) {
  const struct {
    const char *Event;
    int Number;
    const char *Log;
  } Cases[] = {
      {"open X", 1, "open X 10\nclose X 1\n"},
      {"open Y", 3, "open X 10\nopen Y 11\nclose Y 3\nclose X 3\n"},
      {"code n", 4, "open X 10\nopen Y 11\ncode n\nclose Y 4\nclose X 4\n"},
      {"close Y", 3, "open X 10\nopen Y 11\ncode n\nclose Y 0\nclose X 3\n"},
      // What is no output has no say.
      {"close X", 0, "open X 10\nopen Y 11\ncode n\nclose Y 0\nclose X 0\n"}};
  Machine M;
  EXPECT_EQ(M.init(), 0);
  M.take();
  for (const auto &Case : Cases) {
    Failing = Case.Event;
    EXPECT_EQ(M.run(), Case.Number) << Case.Event;
    EXPECT_EQ(M.take(), Case.Log) << Case.Event;
  }
}

TEST(RungLadder, WhatWasNotOpenedIsNotClosed) {
  Machine M;
  HowToFail = Rung::Unopened;
  Failing = "open C";
  EXPECT_EQ(M.init(), 2);
  EXPECT_EQ(M.take(), "open C 12\n");
  Failing.clear();
  EXPECT_EQ(M.init(), 0);
  M.take();
  Failing = "open Y";
  EXPECT_EQ(M.run(), 3);
  EXPECT_EQ(M.take(), "open X 10\nopen Y 11\nclose X 3\n");
}

TEST(RungLadder, AFailingInitUnwindsItself) {
  Machine M;
  Failing = "open C";
  EXPECT_EQ(M.init(), 2);
  EXPECT_EQ(M.take(), "open C 12\nclose C 2\n");
}

TEST(RungLadder, LongLaddersHaveTheirWordsElsewhere) {
  Rungs R = makeRungs();
  unsigned Number = 5;
  for (; Number < 500; ++Number) {
    R.Run.push_back(
        variable(Number, "T", Rung::None, Rung::None, unsigned(R.Words++)));
    R.Run.push_back({Number + 500,
                     "code",
                     "",
                     "m",
                     false,
                     Rung::None,
                     Rung::None,
                     {2, unsigned(R.Words) - 1, 6}});
  }
  Machine M(R);
  EXPECT_EQ(M.init(), 0);
  M.take();
  EXPECT_EQ(M.run(), 0);
  std::string All = M.take();
  EXPECT_EQ(std::count(All.begin(), All.end(), '\n'), 5 + 3 * 495);
  Failing = "code m";
  EXPECT_EQ(M.run(), 505);
  EXPECT_EQ(M.take(), "open X 10\nopen Y 11\ncode n\nopen T\ncode m\n"
                      "close T 505\nclose Y 505\nclose X 505\n");
}

TEST(RungLadder, WhatIsNotUsedAgainBeginsAnew) {
  Rungs R = makeRungs();
  Rung Again = R.Run[0];
  Again.Renews = true;
  R.Run.push_back(Again);
  Machine M(R);
  EXPECT_EQ(M.init(), 0);
  M.take();
  EXPECT_EQ(M.run(), 0);
  EXPECT_EQ(M.take(), "open X 10\nopen Y 11\ncode n\nclose X 0\nopen X 10\n"
                      "close Y 0\nclose X 0\n");
  Failing = "code n";
  EXPECT_EQ(M.run(), 4);
  EXPECT_EQ(M.take(), "open X 10\nopen Y 11\ncode n\nclose Y 4\nclose X 4\n");
}

TEST(RungLadder, AFunctionThatIsMissingIsNoLadder) {
  Rungs R = makeRungs();
  R.Run[1].Close = "clos";
  EXPECT_EQ(RungLadder::create(R, find), nullptr);
  R = makeRungs();
  R.Init[0].Open = "ope";
  EXPECT_EQ(RungLadder::create(R, find), nullptr);
}
