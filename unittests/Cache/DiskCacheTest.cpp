// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is kept on disk.

#include "jit/Cache/DiskCache.h"
#include "jit/Cache/CacheEntry.h"
#include "lib/Support/Hash.h"
#include "lib/Support/PrivateFolder.h"
#include "unittests/Loader/TestObjects.h"

#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

using namespace clinch;
using namespace clinch::test;

namespace {

EngineResult sample(const std::string &Object = "object code") {
  EngineResult R;
  R.Object = Object;
  Diagnostic Note;
  Note.Level = Diagnostic::Severity::Note;
  Note.Origin = "b";
  Note.Message = "here";
  Diagnostic Warning;
  Warning.Level = Diagnostic::Severity::Warning;
  Warning.Origin = "a";
  Warning.Line = 3;
  Warning.Column = 4;
  Warning.Message = "careful";
  Warning.SourceLine = "x = y";
  Warning.FixIts = {{4, 5, "=="}};
  Warning.Notes = {Note};
  R.Warnings = {Warning};
  R.Kept = {{Stage::LLVM, "ir"}, {Stage::Asm, "assembly"}};
  // Of a folder without identity only what is in it counts, here nothing.
  R.Inputs.Entries = {{Manifest::Kind::Folder, "/no", "", {1, 2, 3, -4, 5}}};
  return R;
}

struct DiskCaches : testing::Test {
  std::unique_ptr<DiskCache> open(size_t Limit = 1 << 20) {
    return DiskCache::open(Dir, Limit);
  }
  std::string file(const std::string &Key) {
    return Dir + "/" + Key + ".o.clinch";
  }
  std::vector<std::string> files() {
    std::vector<std::string> Names;
    DIR *D = opendir(Dir.c_str());
    while (const dirent *E = D ? readdir(D) : nullptr)
      if (E->d_name[0] != '.' || E->d_name[1] == 'k')
        Names.emplace_back(E->d_name);
    if (D)
      closedir(D);
    std::sort(Names.begin(), Names.end());
    return Names;
  }
  void setAge(const std::string &Path, time_t Seconds) {
    timespec T{time(nullptr) - Seconds, 0};
    timespec Times[2] = {T, T};
    ASSERT_EQ(utimensat(AT_FDCWD, Path.c_str(), Times, 0), 0);
  }
  TemporaryFolder Folder;
  std::string Dir = Folder / "a/b";
};

} // namespace

TEST_F(DiskCaches, GiveBackAllThatWasStored) {
  auto Cache = open();
  EXPECT_FALSE(Cache->find("key", {}));
  ASSERT_TRUE(Cache->store("key", sample()));
  EXPECT_EQ(files(), std::vector<std::string>{"key.o.clinch"});
  auto R = Cache->find("key", {Stage::Asm, Stage::Obj});
  ASSERT_TRUE(R);
  EXPECT_EQ(R->Object, "object code");
  ASSERT_EQ(R->Kept.size(), 1U);
  EXPECT_EQ(R->Kept[0].second, "assembly");
  ASSERT_EQ(R->Warnings.size(), 1U);
  EXPECT_EQ(renderDiagnostic(R->Warnings[0]),
            renderDiagnostic(sample().Warnings[0]));
  EXPECT_EQ(R->Warnings[0].FixIts[0].EndColumn, 5U);
  EXPECT_FALSE(Cache->find("key", {Stage::LLVMOpt}));
  EXPECT_FALSE(Cache->find("other", {}));
  EXPECT_TRUE(open()->find("key", {}));
}

TEST_F(DiskCaches, TruncatedAtAnyLengthIsAMiss) {
  auto Cache = open();
  Cache->store("key", sample());
  const std::string Whole = readFile(file("key"));
  for (size_t Size = 0; Size < Whole.size(); ++Size) {
    writeFile(file("key"), Whole.substr(0, Size));
    EXPECT_FALSE(Cache->find("key", {})) << Size;
  }
  writeFile(file("key"), Whole + "x");
  EXPECT_FALSE(Cache->find("key", {}));
  writeFile(file("key"), Whole);
  EXPECT_TRUE(Cache->find("key", {}));
}

TEST_F(DiskCaches, AnyAlteredByteIsAMiss) {
  auto Cache = open();
  Cache->store("key", sample());
  const std::string Whole = readFile(file("key"));
  for (size_t I = 0; I < Whole.size(); ++I) {
    std::string Altered = Whole;
    Altered[I] = char(Altered[I] ^ 1);
    writeFile(file("key"), Altered);
    EXPECT_FALSE(Cache->find("key", {})) << I;
  }
  // The next store puts it right.
  EXPECT_TRUE(Cache->store("key", sample()));
  EXPECT_TRUE(Cache->find("key", {}));
}

TEST_F(DiskCaches, AnEntryUnderAnotherKeyIsAMiss) {
  auto Cache = open();
  Cache->store("key", sample());
  ASSERT_EQ(rename(file("key").c_str(), file("other").c_str()), 0);
  EXPECT_FALSE(Cache->find("other", {}));
}

TEST_F(DiskCaches, LengthsThatLieAreNoTrapEvenWithARightChecksum) {
  const std::string Entry = encodeEntry("key", sample());
  const std::string Payload = Entry.substr(40);
  for (size_t At = 0; At + 8 <= Payload.size(); ++At) {
    std::string Lying = Payload;
    Lying.replace(At, 8, 8, '\x7f');
    std::string Sum = checksum("key" + checksum(Lying));
    decodeEntry("key", Entry.substr(0, 8) + Sum + Lying);
  }
  EXPECT_TRUE(decodeEntry("key", Entry));
}

TEST_F(DiskCaches, AChangedGoneOrNewHeaderIsAMiss) {
  auto Cache = open();
  EngineResult R = sample();
  writeFile(Folder / "h.h", "int x;");
  R.Inputs.Entries = {
      {Manifest::Kind::File, Folder / "h.h", contentHash("int x;"), {}},
      {Manifest::Kind::Missing, Folder / "early/h.h", "", {}}};
  Cache->store("key", R);
  EXPECT_TRUE(Cache->find("key", {}));
  writeFile(Folder / "h.h", "int y;");
  EXPECT_FALSE(Cache->find("key", {}));
  unlink((Folder / "h.h").c_str());
  EXPECT_FALSE(Cache->find("key", {}));
  writeFile(Folder / "h.h", "int x;");
  EXPECT_TRUE(Cache->find("key", {}));
  mkdir((Folder / "early").c_str(), 0700);
  writeFile(Folder / "early/h.h", "int x;");
  EXPECT_FALSE(Cache->find("key", {}));
}

TEST_F(DiskCaches, LackWhatNobodyCanCheck) {
  auto Cache = open();
  EngineResult R = sample();
  R.Inputs.DependsOnMore = true;
  EXPECT_FALSE(Cache->store("key", R));
  EXPECT_EQ(files(), std::vector<std::string>());
}

TEST_F(DiskCaches, ForgetTheLeastRecentlyUsed) {
  const size_t Bytes = encodeEntry("k1", sample()).size();
  auto Cache = open(4 * Bytes);
  for (const char *Key : {"k1", "k2", "k3", "k4"}) {
    ASSERT_TRUE(Cache->store(Key, sample()));
    setAge(file(Key), 1000 - time_t(Key[1]));
  }
  EXPECT_TRUE(Cache->find("k1", {})); // And so it is used now.
  ASSERT_TRUE(Cache->store("k5", sample()));
  EXPECT_EQ(files(), (std::vector<std::string>{"k1.o.clinch", "k4.o.clinch",
                                               "k5.o.clinch"}));
  EXPECT_TRUE(open(Bytes)->store("k6", sample()));
  EXPECT_EQ(files(), std::vector<std::string>{"k6.o.clinch"});
  EXPECT_FALSE(open(Bytes - 1)->store("k7", sample()));
}

/// What a dead process left is removed whenever the folder is looked through.
TEST_F(DiskCaches, LookThroughAFullFolderRarely) {
  const std::string Left = Dir + "/.key.o.clinch.1.1.tmp";
  const size_t Entries = 256;
  auto Cache = open(Entries * encodeEntry("k1000", sample()).size());
  unsigned Looks = 0;
  for (size_t I = 0; I != 2 * Entries; ++I) {
    writeFile(Left, "half");
    setAge(Left, 7200);
    ASSERT_TRUE(Cache->store("k" + std::to_string(1000 + I), sample()));
    Looks += I >= Entries && access(Left.c_str(), F_OK) != 0;
    EXPECT_LE(files().size(), Entries + Entries / 32);
  }
  EXPECT_LT(Looks, Entries / 4);
  EXPECT_GT(files().size(), Entries * 3 / 4);
}

TEST_F(DiskCaches, RemoveWhatADeadProcessLeftAndNothingOfOthers) {
  auto Cache = open();
  Cache->store("key", sample());
  writeFile(Dir + "/.key.o.clinch.1.1.tmp", "half");
  writeFile(Dir + "/.key.o.clinch.2.1.tmp", "half");
  setAge(Dir + "/.key.o.clinch.1.1.tmp", 7200);
  writeFile(Dir + "/mine.txt", "mine");
  open()->store("key", sample());
  EXPECT_NE(access((Dir + "/.key.o.clinch.1.1.tmp").c_str(), F_OK), 0);
  EXPECT_EQ(access((Dir + "/.key.o.clinch.2.1.tmp").c_str(), F_OK), 0);
  EXPECT_EQ(Cache->clear(), encodeEntry("key", sample()).size() + 4);
  EXPECT_EQ(files(), std::vector<std::string>{"mine.txt"});
  EXPECT_EQ(Cache->clear(), 0U);
}

TEST_F(DiskCaches, AreRefusedWhereOthersMayWrite) {
  ASSERT_TRUE(open());
  chmod(Dir.c_str(), 0777);
  EXPECT_FALSE(open());
  chmod(Dir.c_str(), 01777);
  EXPECT_FALSE(open());
  chmod(Dir.c_str(), 0755);
  auto Cache = open();
  ASSERT_TRUE(Cache);
  Cache->store("key", sample());
  chmod(file("key").c_str(), 0666);
  EXPECT_FALSE(Cache->find("key", {}));
  chmod(file("key").c_str(), 0600);
  EXPECT_TRUE(Cache->find("key", {}));
  chmod(Dir.c_str(), 0777);
  EXPECT_FALSE(Cache->find("key", {}));
}

TEST_F(DiskCaches, AreRefusedWhenAnotherOwnsThem) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give a folder away";
  auto Cache = open();
  Cache->store("key", sample());
  ASSERT_EQ(chown(file("key").c_str(), 65534, 65534), 0);
  EXPECT_FALSE(Cache->find("key", {}));
  ASSERT_EQ(chown(file("key").c_str(), 0, 0), 0);
  EXPECT_TRUE(Cache->find("key", {}));
  ASSERT_EQ(chown(Dir.c_str(), 65534, 65534), 0);
  EXPECT_FALSE(open());
  EXPECT_FALSE(Cache->find("key", {}));
  EXPECT_FALSE(Cache->store("key", sample()));
}

TEST_F(DiskCaches, FollowNoLinks) {
  auto Cache = open();
  Cache->store("key", sample());
  ASSERT_EQ(rename(file("key").c_str(), (Folder / "elsewhere").c_str()), 0);
  ASSERT_EQ(symlink((Folder / "elsewhere").c_str(), file("key").c_str()), 0);
  EXPECT_FALSE(Cache->find("key", {}));
  EXPECT_TRUE(Cache->store("key", sample("new"))); // Replaces the link.
  EXPECT_EQ(Cache->find("key", {})->Object, "new");
  EXPECT_EQ(decodeEntry("key", readFile(Folder / "elsewhere"))->Object,
            "object code");
  unlink(file("key").c_str());
  ASSERT_EQ(mkfifo(file("key").c_str(), 0600), 0);
  EXPECT_FALSE(Cache->find("key", {}));
}

/// The user's own link is the user's choice. Another's would lead where the
/// other likes.
TEST_F(DiskCaches, MayBeReachedByALinkOfTheUser) {
  ASSERT_TRUE(open()->store("key", sample()));
  const std::string Link = Folder / "link";
  ASSERT_EQ(symlink(Dir.c_str(), Link.c_str()), 0);
  for (const std::string &Path : {Link, Link + "/", Link + "//", Dir + "/"}) {
    auto Cache = DiskCache::open(Path, 1 << 20);
    ASSERT_TRUE(Cache) << Path;
    EXPECT_TRUE(Cache->find("key", {})) << Path;
  }
  chmod(Dir.c_str(), 0777);
  EXPECT_FALSE(DiskCache::open(Link, 1 << 20));
  chmod(Dir.c_str(), 0700);
  if (geteuid() != 0)
    return;
  ASSERT_EQ(lchown(Link.c_str(), 65534, 65534), 0);
  EXPECT_FALSE(DiskCache::open(Link, 1 << 20));
  EXPECT_FALSE(DiskCache::open(Link + "/", 1 << 20));
}

TEST_F(DiskCaches, AreAbsentWhereNoFolderCanBe) {
  EXPECT_FALSE(DiskCache::open("", 1 << 20));
  EXPECT_FALSE(DiskCache::open("/proc/nowhere/cache", 1 << 20));
  writeFile(Folder / "file", "");
  EXPECT_FALSE(DiskCache::open(Folder / "file", 1 << 20));
  EXPECT_FALSE(DiskCache::open(Folder / "file/below", 1 << 20));
  auto Cache = open();
  Cache->store("key", sample());
  ASSERT_EQ(system(("rm -r " + Dir).c_str()), 0);
  EXPECT_FALSE(Cache->find("key", {}));
  EXPECT_EQ(Cache->clear(), 0U);
  EXPECT_TRUE(Cache->store("key", sample())); // It is made anew.
  EXPECT_TRUE(Cache->find("key", {}));
}

TEST_F(DiskCaches, OnFullDisksStoreNothingAndLeaveNothing) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can mount a small disk";
  mkdir((Folder / "small").c_str(), 0700);
  const std::string Mount = "mount -t tmpfs -o size=16k,mode=700 none " +
                            (Folder / "small") + " 2>/dev/null";
  if (system(Mount.c_str()) != 0)
    GTEST_SKIP() << "mounting is not allowed here";
  Dir = Folder / "small";
  auto Cache = open();
  EXPECT_TRUE(Cache->store("ka", sample()));
  EXPECT_FALSE(Cache->store("kb", sample(std::string(30000, 'x'))));
  EXPECT_EQ(files(), std::vector<std::string>{"ka.o.clinch"});
  EXPECT_TRUE(Cache->find("ka", {}));
  ASSERT_EQ(system(("mount -o remount,ro " + Dir).c_str()), 0);
  EXPECT_FALSE(Cache->store("kc", sample()));
  EXPECT_TRUE(Cache->find("ka", {}));
  EXPECT_EQ(system(("umount " + Dir).c_str()), 0);
}

TEST_F(DiskCaches, ReadOnlyFoldersAreReadAndNotWritten) {
  if (geteuid() != 0)
    GTEST_SKIP() << "needs a second user";
  chmod(Folder.Path.c_str(), 0755);
  pid_t Child = fork();
  if (Child == 0) {
    Dir = "/tmp/clinch-test-ro-" + std::to_string(getpid());
    bool Good = setgid(65534) == 0 && setuid(65534) == 0;
    auto Cache = open();
    Good = Good && Cache && Cache->store("key", sample());
    chmod(Dir.c_str(), 0500);
    Good = Good && Cache->find("key", {}) && !Cache->store("k2", sample());
    chmod(Dir.c_str(), 0700);
    Cache->clear();
    rmdir(Dir.c_str());
    _exit(Good ? 0 : 1);
  }
  int Status = 1;
  waitpid(Child, &Status, 0);
  EXPECT_EQ(Status, 0);
}

TEST_F(DiskCaches, EightProcessesShareOneFolder) {
  const size_t Bytes = encodeEntry("k0", sample()).size();
  std::vector<pid_t> Children;
  for (int P = 0; P < 8; ++P) {
    Children.push_back(fork());
    if (Children.back())
      continue;
    auto Cache = open(6 * Bytes);
    for (int I = 0; I < 200; ++I) {
      std::string Key = "k" + std::to_string((I + P) % 10);
      // Whatever is found is whole, however many write it.
      auto Found = Cache->find(Key, {});
      if (Found && Found->Object != "object code")
        _exit(1);
      if (!Found)
        Cache->store(Key, sample());
    }
    _exit(0);
  }
  for (pid_t Child : Children) {
    int Status = 1;
    waitpid(Child, &Status, 0);
    EXPECT_EQ(Status, 0);
  }
  // One more measures the folder again, and brings it within its limit.
  open(6 * Bytes)->store("k0", sample());
  EXPECT_LE(files().size(), 6U);
}

TEST(CacheDir, ComesFromTheEnvironment) {
  setenv("CLINCH_CACHE_DIR", "/a", 1);
  setenv("XDG_CACHE_HOME", "/b", 1);
  setenv("HOME", "/c", 1);
  EXPECT_EQ(defaultCacheDir(), "/a");
  unsetenv("CLINCH_CACHE_DIR");
  EXPECT_EQ(defaultCacheDir(), "/b/clinch");
  setenv("XDG_CACHE_HOME", "", 1);
  EXPECT_EQ(defaultCacheDir(), "/c/.cache/clinch");
  unsetenv("HOME");
  EXPECT_EQ(defaultCacheDir(), "");
}
