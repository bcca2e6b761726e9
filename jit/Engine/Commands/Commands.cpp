// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang and LLD as commands.

#include "Commands.h"

#include "GccDriver.h"
#include "LinkCommand.h"

#include "llvm/Support/raw_ostream.h"

using namespace clinch;
using namespace clinch::engine;

static int run(const std::vector<std::string> &Words,
               const ObjectStore &Store) {
  std::vector<const char *> Arguments;
  Arguments.reserve(Words.size());
  for (const std::string &Word : Words)
    Arguments.push_back(Word.c_str());
  if (Words.front() == "ld")
    return link(Arguments);
  if (Words.front() == "cc" || Words.front() == "c++")
    return runGccDriver(Arguments, Store);
  llvm::errs() << "clinch-engine: there is no command `" << Words.front()
               << "`; there are `cc`, `c++` and `ld`\n";
  return 2;
}

extern "C" __attribute__((visibility("default"))) int
clinch_engine_run(const std::vector<std::string> &Words,
                  const ObjectStore &Store) {
  const int Status = run(Words, Store);
  llvm::outs().flush();
  return Status;
}
