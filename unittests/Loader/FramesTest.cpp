// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the unwinder knows of loaded code.

#include "LoadHelpers.h"
#include "jit/Loader/LoadedCode.h"

#include <csignal>
#include <cstring>
#include <map>
#include <sys/mman.h>

using namespace clinch;
using namespace clinch::test;

extern "C" {
struct Bases { // `struct dwarf_eh_bases` of libgcc.
  void *Text, *Data;
  const void *Function;
};
// NOLINTNEXTLINE(bugprone-reserved-identifier)
const void *_Unwind_Find_FDE(const void *PC, Bases *Found);
}

namespace {

/// An .eh_frame section, written at a given place.
class Section {
public:
  explicit Section(char *Begin) : Begin(Begin), End(Begin) {}

  /// The following functions' addresses have \p AddressBytes. The letters of an
  /// object that catches come with a personality.
  void addCommon(size_t AddressBytes, bool Catches) {
    constexpr char Relative4 = 0x1b, Relative8 = 0x1c;
    Bytes = AddressBytes;
    const char Encoding = Bytes == 4 ? Relative4 : Relative8;
    std::string Text(4, '\0'); // It is no frame.
    Text += '\1';              // The version.
    Text += Catches ? "zPLR" : "zR";
    Text += std::string("\0\1\x78\x10", 4);
    if (Catches)
      Text += std::string("\7\x9b\0\0\0\0\x1b", 7) + Encoding;
    else
      Text += std::string("\1", 1) + Encoding;
    Common = End;
    add(Text);
  }

  /// Returns the description of the function at \p Code.
  const char *addFrame(const char *Code, int64_t Size) {
    const char *Made = End;
    const auto Distance = int32_t(End + 4 - Common);
    const int64_t Begin = Code - (End + 8);
    std::string Text(reinterpret_cast<const char *>(&Distance), 4);
    Text.append(reinterpret_cast<const char *>(&Begin), Bytes);
    Text.append(reinterpret_cast<const char *>(&Size), Bytes);
    add(Text);
    return Made;
  }

  std::string_view finish() {
    std::memset(End, 0, 4);
    return {Begin, size_t(End + 4 - Begin)};
  }

private:
  void add(std::string Text) {
    Text.resize((Text.size() + 7) / 8 * 8 + 4); // With its length, 8-aligned.
    const auto Length = uint32_t(Text.size());
    std::memcpy(End, &Length, 4);
    std::memcpy(End + 4, Text.data(), Length);
    End += 4 + Length;
  }

  char *Begin, *End;
  const char *Common = nullptr;
  size_t Bytes = 4;
};

char *pages(size_t Size, int Rights) {
  void *Got = mmap(nullptr, Size, Rights,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  EXPECT_NE(Got, MAP_FAILED);
  return static_cast<char *>(Got);
}

const void *frameOf(const char *PC) {
  Bases Found = {};
  return _Unwind_Find_FDE(PC, &Found);
}

/// A page that cannot be written to, and what runs when someone does.
struct Stop {
  char *Page;
  std::function<void()> Meanwhile;
};
Stop *Current = nullptr;
void stopped(int) {
  mprotect(Current->Page, 4096, PROT_READ | PROT_WRITE);
  Current->Meanwhile();
}

} // namespace

// libgcc before version 13 looks at its record again when it has released its
// lock. It writes its answer first, here to a page where it must stop.
TEST(Frames, CodeComesAndGoesWhileTheUnwinderReadsItsRecord) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer reports what a handler allocates.";
#endif
  const std::string Object = makeThrowingObject();
  CompileOptions R;
  R.Lang = Language::CXX;
  auto Code = load(Object, R);
  auto *F = find<char>(Code, "f");
  std::vector<std::shared_ptr<LoadedCode>> Others;
  Stop Here{pages(4096, PROT_NONE), [&] {
              for (int I = 0; I < 30; ++I)
                Others.push_back(load(Object, R));
            }};
  Current = &Here;
  struct sigaction Before = {}, Action = {};
  Action.sa_handler = stopped;
  sigaction(SIGSEGV, &Action, &Before);
  auto *Found = reinterpret_cast<Bases *>(Here.Page);
  EXPECT_NE(_Unwind_Find_FDE(F + 1, Found), nullptr);
  sigaction(SIGSEGV, &Before, nullptr);
  EXPECT_EQ(Found->Function, F);
  EXPECT_EQ(Others.size(), 30U);
  munmap(Here.Page, 4096);
}

TEST(Frames, AreForgottenWhereverTheyStand) {
  constexpr size_t Multiple = size_t(1) << 32;
  char *Memory = pages(2 * Multiple, PROT_READ | PROT_WRITE);
  char *Place =
      Memory + Multiple - reinterpret_cast<uintptr_t>(Memory) % Multiple;
  Section Written(Place);
  Written.addCommon(4, false);
  const char *Frame = Written.addFrame(Place + 4096, 64);
  {
    FrameRegistration Known(Written.finish());
    EXPECT_EQ(frameOf(Place + 4096 + 63), Frame);
    EXPECT_EQ(frameOf(Place + 4096 + 64), nullptr);
  }
  EXPECT_EQ(frameOf(Place + 4096 + 63), nullptr);
  munmap(Memory, 2 * Multiple);
}

TEST(Frames, AreFoundAmongOthersThatComeAndGo) {
  constexpr size_t Blocks = 512, BlockBytes = 1024, FramesBytes = 512;
  char *Memory = pages(Blocks * BlockBytes, PROT_READ | PROT_WRITE);
  struct Loaded {
    std::unique_ptr<FrameRegistration> Known;
    std::map<const char *, const char *> Frames; ///< By function.
  };
  std::vector<Loaded> Live(Blocks);
  uint64_t State = 1; // The same each time.
  auto Random = [&](size_t Below) {
    State = State * 6364136223846793005U + 1442695040888963407U;
    return size_t(State >> 33) % Below;
  };
  auto Load = [&](size_t I) {
    char *Begin = Memory + I * BlockBytes;
    Section Written(Begin);
    Written.addCommon(Random(2) ? 4 : 8, Random(2) != 0);
    const size_t Functions = Random(5); // Without any, too.
    for (size_t F = Functions; F--;) {  // The highest is first.
      const char *Code = Begin + FramesBytes + F * 100;
      Live[I].Frames[Code] = Written.addFrame(Code, 90);
    }
    Live[I].Known = std::make_unique<FrameRegistration>(Written.finish());
  };
  for (int Round = 0; Round < 4000; ++Round) {
    const size_t I = Random(Blocks);
    const bool WasLive = Live[I].Known != nullptr;
    Live[I] = {};
    if (!WasLive)
      Load(I);
    const size_t Asked = Round % 2 ? I : Random(Blocks);
    for (size_t F = 0; F < 5; ++F) {
      const char *Code = Memory + Asked * BlockBytes + FramesBytes + F * 100;
      auto Known = Live[Asked].Frames.find(Code);
      const void *Frame =
          Known == Live[Asked].Frames.end() ? nullptr : Known->second;
      ASSERT_EQ(frameOf(Code), Frame) << Round;
      ASSERT_EQ(frameOf(Code + 89), Frame) << Round;
      ASSERT_EQ(frameOf(Code + 90), nullptr) << Round;
    }
  }
  Live.clear();
  for (size_t I = 0; I < Blocks; ++I)
    EXPECT_EQ(frameOf(Memory + I * BlockBytes + FramesBytes), nullptr);
  munmap(Memory, Blocks * BlockBytes);
}
