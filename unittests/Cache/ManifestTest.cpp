// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files as they were.

#include "jit/Engine/Manifest.h"
#include "lib/Support/Hash.h"
#include "unittests/Loader/TestObjects.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <future>
#include <sys/stat.h>
#include <unistd.h>

using namespace clinch;
using namespace clinch::test;
using Kind = Manifest::Kind;

namespace {

struct Manifests : testing::Test {
  bool isUnchanged(const std::string &Path, const std::string &Hash) {
    return Manifest{{{Kind::File, Path, Hash, {}}}}.isUnchanged();
  }
  /// Records that \p Path is looked for, and read if it is a file.
  Manifest lookedAt(const std::vector<std::string> &Paths) {
    ManifestRecorder Recorder;
    for (const std::string &Path : Paths) {
      Recorder.looks(Path);
      std::error_code Unknown;
      if (std::filesystem::is_regular_file(Path, Unknown)) {
        Recorder.opens(Path);
        Recorder.read(Path, readFile(Path));
      }
    }
    return Recorder.finish();
  }
  /// Gives a manifest the stamps of files that have not changed for long.
  Manifest settled(Manifest M) {
    for (Manifest::Entry &E : M.Entries) {
      struct stat S;
      if (stat(E.Path.c_str(), &S) == 0)
        E.Stamp = {S.st_dev, S.st_ino, uint64_t(S.st_size), inNs(S.st_mtim),
                   inNs(S.st_ctim)};
    }
    return M;
  }
  static int64_t inNs(const timespec &T) {
    return T.tv_sec * 1'000'000'000 + T.tv_nsec;
  }
  TemporaryFolder Folder;
  std::string Path = Folder / "header.h";
};

} // namespace

TEST_F(Manifests, CompareContents) {
  writeFile(Path, "int x;");
  EXPECT_TRUE(isUnchanged(Path, contentHash("int x;")));
  EXPECT_FALSE(isUnchanged(Path, contentHash("int y;")));
  EXPECT_FALSE(isUnchanged(Path, contentHash("int x; ")));
  writeFile(Path, "");
  EXPECT_TRUE(isUnchanged(Path, contentHash("")));
  EXPECT_TRUE(Manifest().isUnchanged());
  EXPECT_FALSE(isUnchanged(Folder / "other.h", contentHash("")));
}

/// A file that has the stamp of before is not read again: here its contents
/// would say that it has changed.
TEST_F(Manifests, CompareStampsFirst) {
  writeFile(Path, "int x;");
  Manifest M = settled({{{Kind::File, Path, contentHash("other"), {}}}});
  EXPECT_TRUE(M.isUnchanged());
  writeFile(Path, "int y;");
  M.Entries[0].Stamp.Changed = 1;
  EXPECT_FALSE(M.isUnchanged());
  M.Entries[0].Hash = contentHash("int y;");
  EXPECT_TRUE(M.isUnchanged());
}

/// Two changes in one tick of the file system's clock may leave one stamp.
TEST_F(Manifests, TrustNoStampOfAFileThatHasJustChanged) {
  writeFile(Path, "int x;");
  EXPECT_EQ(FileStamp::of(Path), FileStamp());
  EXPECT_EQ(FileStamp::of(Folder / "none.h"), FileStamp());
  EXPECT_NE(FileStamp::of("/proc/self/exe"), FileStamp());
}

TEST_F(Manifests, KnowWhatWasMissing) {
  const Manifest M = lookedAt({Path, Folder / "none/header.h"});
  EXPECT_TRUE(M.isUnchanged());
  writeFile(Path, "int x;");
  EXPECT_FALSE(M.isUnchanged());
  unlink(Path.c_str());
  EXPECT_TRUE(M.isUnchanged());
  mkdir((Folder / "none").c_str(), 0700);
  EXPECT_TRUE(M.isUnchanged());
  writeFile(Folder / "none/header.h", "");
  EXPECT_FALSE(M.isUnchanged());
}

/// While a folder is unchanged, the names that it lacked are not looked for.
TEST_F(Manifests, LookIntoAFolderOnlyIfItHasChanged) {
  Manifest M = lookedAt({Path});
  ASSERT_EQ(M.Entries.size(), 2u);
  EXPECT_EQ(M.Entries[0].K, Kind::Folder);
  EXPECT_EQ(M.Entries[1].K, Kind::Absent);
  writeFile(Path, "int x;");
  EXPECT_FALSE(M.isUnchanged());
  EXPECT_TRUE(settled(M).isUnchanged());
}

TEST_F(Manifests, KnowWhatALinkThatLedNowhereLeadsTo) {
  const std::string Target = Folder / "target";
  ASSERT_EQ(symlink(Target.c_str(), Path.c_str()), 0);
  const Manifest M = settled(lookedAt({Path}));
  EXPECT_TRUE(M.isUnchanged());
  writeFile(Target, "int x;");
  EXPECT_FALSE(M.isUnchanged());
}

/// Clang passes over a file that is missing, but not over this one.
TEST_F(Manifests, TellALinkToItselfFromAFileThatIsMissing) {
  const Manifest M = lookedAt({Path});
  ASSERT_EQ(symlink(Path.c_str(), Path.c_str()), 0);
  EXPECT_FALSE(M.isUnchanged());
  EXPECT_FALSE(lookedAt({Path}).isUnchanged());
}

TEST_F(Manifests, FollowLinks) {
  writeFile(Path, "int x;");
  const std::string Link = Folder / "link.h";
  ASSERT_EQ(symlink(Path.c_str(), Link.c_str()), 0);
  EXPECT_TRUE(isUnchanged(Link, contentHash("int x;")));
  unlink(Path.c_str());
  EXPECT_FALSE(isUnchanged(Link, contentHash("int x;")));
}

/// `__has_include` asks for a file and does not read it.
TEST_F(Manifests, KnowWhatWasFoundAndNotRead) {
  writeFile(Path, "int x;");
  ManifestRecorder Recorder;
  Recorder.looks(Path);
  const Manifest M = Recorder.finish();
  writeFile(Path, "int y;");
  EXPECT_TRUE(M.isUnchanged());
  unlink(Path.c_str());
  EXPECT_FALSE(M.isUnchanged());
  mkdir(Path.c_str(), 0700);
  EXPECT_FALSE(M.isUnchanged());
}

/// Clang searches one folder once, also where a link leads to it.
TEST_F(Manifests, KnowWhichFolderALinkLedTo) {
  const std::string A = Folder / "a", B = Folder / "b", Link = Folder / "link";
  mkdir(A.c_str(), 0700);
  mkdir(B.c_str(), 0700);
  ASSERT_EQ(symlink(A.c_str(), Link.c_str()), 0);
  const Manifest M = lookedAt({A, Link, Path});
  EXPECT_TRUE(M.isUnchanged());
  unlink(Link.c_str());
  ASSERT_EQ(symlink(B.c_str(), Link.c_str()), 0);
  EXPECT_FALSE(M.isUnchanged());
  // A folder that is made anew is the same.
  unlink(Link.c_str());
  rmdir(A.c_str());
  mkdir(A.c_str(), 0700);
  ASSERT_EQ(symlink(A.c_str(), Link.c_str()), 0);
  EXPECT_TRUE(M.isUnchanged());
}

TEST_F(Manifests, KnowTheNamesInAFolder) {
  ManifestRecorder Recorder;
  Recorder.lists(Folder / ".", "libf.so.");
  const Manifest M = Recorder.finish();
  writeFile(Folder / "libg.so.1", "");
  EXPECT_TRUE(M.isUnchanged());
  writeFile(Folder / "libf.so.1", "");
  EXPECT_FALSE(M.isUnchanged());
}

TEST_F(Manifests, ThatDependOnMoreAreNeverUnchanged) {
  ManifestRecorder Recorder;
  EXPECT_TRUE(Recorder.finish().isUnchanged());
  Recorder.dependsOnMore();
  EXPECT_FALSE(Recorder.finish().isUnchanged());
  Manifest Whole;
  Whole.add(Recorder.finish());
  EXPECT_FALSE(Whole.isUnchanged());
}

TEST_F(Manifests, OfFilesThatChangeWhileTheyAreReadAreNeverUnchanged) {
  writeFile(Path, "int x;");
  ManifestRecorder Recorder;
  for (const char *Text : {"int y;", "int x;"}) {
    Recorder.opens(Path);
    Recorder.read(Path, Text);
  }
  EXPECT_FALSE(Recorder.finish().isUnchanged());
}

/// The folders of a search path do not matter to a text that includes nothing.
TEST_F(Manifests, LackASearchPathThatNobodySearched) {
  mkdir((Folder / "a").c_str(), 0700);
  ManifestRecorder Recorder;
  Recorder.looks(Folder / "a");
  Recorder.looks(Folder / "none");
  Recorder.searchPathIsKnown();
  EXPECT_TRUE(Recorder.finish().Entries.empty());
  Recorder.looks(Folder / "a/own.h");
  EXPECT_EQ(Recorder.finish().Entries.size(), 4u);
}

/// Reading a pipe waits for somebody to write, and takes what is not ours.
TEST_F(Manifests, DoNotReadWhatIsNoRegularFile) {
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

TEST_F(Manifests, LeaveInAPipeWhatIsInIt) {
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

TEST_F(Manifests, OfFoldersAndDevicesHaveChanged) {
  EXPECT_FALSE(isUnchanged(Folder / ".", contentHash("")));
  EXPECT_FALSE(isUnchanged("/dev/null", contentHash("")));
}
