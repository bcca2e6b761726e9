// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Headers as they were.

#include "jit/Engine/FileDependencies.h"
#include "lib/Support/Hash.h"
#include "unittests/Loader/TestObjects.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <future>
#include <sys/stat.h>
#include <unistd.h>

using namespace clinch;
using namespace clinch::test;

namespace {

struct FileDependencies : testing::Test {
  bool isUnchanged(const std::string &Path, const std::string &Hash) {
    return areUnchanged({{Path, Hash}});
  }
  TemporaryFolder Folder;
  std::string Path = Folder / "header.h";
};

} // namespace

TEST_F(FileDependencies, AreComparedByContent) {
  writeFile(Path, "int x;");
  EXPECT_TRUE(isUnchanged(Path, contentHash("int x;")));
  EXPECT_FALSE(isUnchanged(Path, contentHash("int y;")));
  EXPECT_FALSE(isUnchanged(Path, contentHash("int x; ")));
  writeFile(Path, "");
  EXPECT_TRUE(isUnchanged(Path, contentHash("")));
  EXPECT_TRUE(areUnchanged({}));
  EXPECT_FALSE(areUnchanged(
      {{Path, contentHash("")}, {Folder / "other.h", contentHash("")}}));
}

TEST_F(FileDependencies, MayBeFilesThatAreNotThere) {
  EXPECT_TRUE(isUnchanged(Path, ""));
  EXPECT_FALSE(isUnchanged(Path, contentHash("int x;")));
  writeFile(Path, "int x;");
  EXPECT_FALSE(isUnchanged(Path, ""));
}

TEST_F(FileDependencies, AreFollowedThroughLinks) {
  writeFile(Path, "int x;");
  const std::string Link = Folder / "link.h";
  ASSERT_EQ(symlink(Path.c_str(), Link.c_str()), 0);
  EXPECT_TRUE(isUnchanged(Link, contentHash("int x;")));
  unlink(Path.c_str());
  EXPECT_FALSE(isUnchanged(Link, contentHash("int x;")));
}

/// Reading a pipe waits for somebody to write, and takes what is not ours.
TEST_F(FileDependencies, ThatAreNoRegularFilesAreNotRead) {
  ASSERT_EQ(mkfifo(Path.c_str(), 0600), 0);
  auto Answer = std::async(std::launch::async, [&] {
    return isUnchanged(Path, contentHash("int x;"));
  });
  bool Answered =
      Answer.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
  // Lets go of a reader that waits after all.
  for (int Tries = 0; !Answered && Tries < 100; ++Tries) {
    close(open(Path.c_str(), O_RDWR | O_NONBLOCK));
    if (Answer.wait_for(std::chrono::milliseconds(100)) ==
        std::future_status::ready)
      break;
  }
  EXPECT_TRUE(Answered) << "it waited at the pipe";
  EXPECT_FALSE(Answer.get());
}

TEST_F(FileDependencies, LeaveInAPipeWhatIsInIt) {
  ASSERT_EQ(mkfifo(Path.c_str(), 0600), 0);
  int Pipe = open(Path.c_str(), O_RDWR | O_NONBLOCK);
  ASSERT_GE(Pipe, 0);
  ASSERT_EQ(write(Pipe, "int x;", 6), 6);
  auto Answer = std::async(std::launch::async, [&] {
    return isUnchanged(Path, contentHash("int x;"));
  });
  bool Answered =
      Answer.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
  char Left[8];
  EXPECT_EQ(read(Pipe, Left, sizeof Left), 6);
  close(Pipe); // Ends the file for a reader.
  EXPECT_TRUE(Answered) << "it waited at the pipe";
  EXPECT_FALSE(Answer.get());
}

TEST_F(FileDependencies, ThatAreFoldersAndDevicesHaveChanged) {
  EXPECT_FALSE(isUnchanged(Folder / ".", contentHash("")));
  EXPECT_FALSE(isUnchanged("/dev/null", contentHash("")));
}
