// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which line an address comes from.

#include "LineTable.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"

#include <algorithm>
#include <map>

using namespace clinch;

namespace {

/// A header's name is a path. An author's text and ours are named otherwise.
bool isHeader(llvm::StringRef File) { return File.starts_with("/"); }

/// Reads the line tables of an object.
class Reader {
public:
  explicit Reader(const llvm::object::ObjectFile &Object)
      : Context(llvm::DWARFContext::create(
            Object, llvm::DWARFContext::ProcessDebugRelocations::Process,
            nullptr, "", ignore, ignore)) {}

  /// Calls \p Take(section, offset, file, line) for each row; line 0 ends a
  /// sequence.
  template <typename Fn> void read(Fn Take) {
    for (const auto &Unit : Context->compile_units())
      if (const auto *Table = Context->getLineTableForUnit(Unit.get()))
        for (const auto &Row : Table->Rows)
          read(*Table, Row, Take);
  }

private:
  static void ignore(llvm::Error E) { llvm::consumeError(std::move(E)); }

  template <typename Fn>
  void read(const llvm::DWARFDebugLine::LineTable &Table,
            const llvm::DWARFDebugLine::Row &Row, Fn Take) {
    const auto Where = Row.Address;
    if (Row.EndSequence)
      return Take(Where.SectionIndex, Where.Address, std::string(), 0U);
    std::string File;
    if (Table.hasFileAtIndex(Row.File))
      File = llvm::dwarf::toString(
          Table.Prologue.getFileNameEntry(Row.File).Name, "");
    unsigned Line = Row.Line;
    if (isHeader(File))
      leaveHeader(Where, File, Line);
    Take(Where.SectionIndex, Where.Address, File, Line);
  }

  /// Of code that was inlined from a header, the line that it was inlined into.
  void leaveHeader(llvm::object::SectionedAddress Where, std::string &File,
                   unsigned &Line) {
    llvm::DILineInfoSpecifier Raw(
        llvm::DILineInfoSpecifier::FileLineInfoKind::RawValue,
        llvm::DILineInfoSpecifier::FunctionNameKind::None);
    auto Frames = Context->getInliningInfoForAddress(Where, Raw);
    for (unsigned I = 0; I != Frames.getNumberOfFrames(); ++I) {
      const llvm::DILineInfo &Frame = Frames.getFrame(I);
      if (isHeader(Frame.FileName))
        continue;
      File = Frame.FileName;
      Line = Frame.Line;
      return;
    }
  }

  std::unique_ptr<llvm::DWARFContext> Context;
};

} // namespace

LineTable::LineTable(std::string_view Object,
                     std::vector<LoadedSection> LoadedSections,
                     std::vector<LoadedFunction> LoadedFunctions)
    : Sections(std::move(LoadedSections)),
      Functions(std::move(LoadedFunctions)) {
  auto File = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef({Object.data(), Object.size()}, "object"));
  if (!File) {
    llvm::consumeError(File.takeError());
    return;
  }
  std::map<uint64_t, const char *> Begin;
  for (const llvm::object::SectionRef &S : (*File)->sections())
    for (const LoadedSection &L : Sections)
      if (llvm::expectedToOptional(S.getName()) == llvm::StringRef(L.Name))
        Begin[S.getIndex()] = L.Begin;
  std::map<std::string, unsigned> Numbers;
  Reader(**File).read([&](uint64_t Section, uint64_t Offset,
                          const std::string &Name, unsigned Line) {
    auto At = Begin.find(Section);
    if (At == Begin.end())
      return;
    unsigned Of = NoFile;
    if (!Name.empty()) {
      auto [Number, New] = Numbers.try_emplace(Name, unsigned(Files.size()));
      if (New)
        Files.push_back(Name);
      Of = Number->second;
    }
    Rows.push_back(
        {reinterpret_cast<uintptr_t>(At->second) + Offset, Of, Line});
  });
  // Where one sequence ends, another may begin.
  std::stable_sort(Rows.begin(), Rows.end(), [](const Row &A, const Row &B) {
    return std::pair(A.Address, A.File != NoFile) <
           std::pair(B.Address, B.File != NoFile);
  });
}

bool LineTable::contains(uintptr_t Address) const {
  for (const LoadedSection &S : Sections)
    if (Address >= reinterpret_cast<uintptr_t>(S.Begin) &&
        Address < reinterpret_cast<uintptr_t>(S.End))
      return true;
  return false;
}

const std::string *LineTable::functionAt(uintptr_t Address) const {
  for (const LoadedFunction &F : Functions)
    if (Address - reinterpret_cast<uintptr_t>(F.Begin) < F.Size)
      return &F.Name;
  return nullptr;
}

bool LineTable::find(uintptr_t Address, Line &Found) const {
  auto After = std::upper_bound(
      Rows.begin(), Rows.end(), Address,
      [](uintptr_t Wanted, const Row &R) { return Wanted < R.Address; });
  // Code of no line, such as that between two calls, is of the line before.
  while (After != Rows.begin()) {
    --After;
    if (After->File == NoFile)
      return false;
    if (After->Number == 0)
      continue;
    const std::string &File = Files[After->File];
    Found = {File.c_str(), After->Number, isHeader(File)};
    return true;
  }
  return false;
}
