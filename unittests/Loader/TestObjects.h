// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Object files for tests.
//
// Tests of what is behind the compiler need object files, and no compiler of
// ours: these come from clang as a process.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

namespace clinch::test {

inline std::string readFile(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(In), {}};
}

inline void writeFile(const std::string &Path, const std::string &Text) {
  std::ofstream(Path, std::ios::binary) << Text;
}

/// A folder that goes with its owner.
class TemporaryFolder {
public:
  TemporaryFolder() {
    char Template[] = "/tmp/clinch-test-XXXXXX";
    Path = mkdtemp(Template);
  }
  ~TemporaryFolder() {
    [[maybe_unused]] int Status = system(("rm -rf " + Path).c_str());
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  std::string operator/(const std::string &Name) const {
    return Path + "/" + Name;
  }
  std::string Path;
};

/// What `clang -c` makes of \p Text; empty when it fails.
inline std::string makeObject(const std::string &Text,
                              const std::string &Flags = "-xc",
                              const std::string &Output = "-c") {
  TemporaryFolder Folder;
  writeFile(Folder / "t.c", Text);
  std::string Command = CLINCH_TEST_CLANG " " + Output +
                        " -fPIC -fno-plt -O1 -w " + Flags + " -o " +
                        (Folder / "t.o") + " " + (Folder / "t.c");
  if (system(Command.c_str()) != 0)
    return {};
  return readFile(Folder / "t.o");
}

/// Compiles C++ whose `int f(int)` throws and catches what it is given, and
/// returns one more.
inline std::string makeThrowingObject() {
  return makeObject("extern \"C\" int f(int x) { try { throw x; }"
                    "  catch (int i) { return i + 1; } }",
                    "-xc++");
}

} // namespace clinch::test
