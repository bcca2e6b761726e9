// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of a frame.

#include "Locals.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/LowLevel/DWARFExpression.h"
#include "llvm/Object/ELFObjectFile.h"

#include <algorithm>
#include <utility>

using namespace clinch;
namespace dwarf = llvm::dwarf;

namespace {

using FileKind = llvm::DILineInfoSpecifier::FileLineInfoKind;

/// Whether the loaded code has the bytes of \p S, but for what a link changes:
/// four or eight bytes, and before them the instruction that uses an address.
bool isSame(const llvm::object::SectionRef &S, const char *Loaded) {
  llvm::Expected<llvm::StringRef> Contents = S.getContents();
  if (!Contents) {
    llvm::consumeError(Contents.takeError());
    return false;
  }
  std::string Found(Loaded, Contents->size()), Wanted = Contents->str();
  const auto *File = llvm::cast<llvm::object::ObjectFile>(S.getObject());
  for (const llvm::object::SectionRef &Of : File->sections()) {
    auto Target = llvm::expectedToOptional(Of.getRelocatedSection());
    if (!Target || *Target != S)
      continue;
    for (const llvm::object::RelocationRef &R : Of.relocations()) {
      const size_t At = R.getOffset() - std::min<size_t>(R.getOffset(), 3);
      const bool IsWide = R.getType() == llvm::ELF::R_X86_64_64;
      const size_t End =
          std::min<size_t>(R.getOffset() + (IsWide ? 8 : 4), Found.size());
      std::fill(Found.begin() + long(At), Found.begin() + long(End), 0);
      std::fill(Wanted.begin() + long(At), Wanted.begin() + long(End), 0);
    }
  }
  return Found == Wanted;
}

/// Evaluates where a variable is.
class Place {
public:
  Place(const CrashFrame &Frame, std::optional<uint64_t> Base)
      : Frame(Frame), Base(Base) {}

  /// Returns false if nobody knows.
  bool find(llvm::ArrayRef<uint8_t> Expression, Local &V) {
    const llvm::DataExtractor Data(Expression, true, 8);
    for (const auto &Op : llvm::DWARFExpression(Data, 8))
      if (Op.isError() || !step(Op))
        return false;
    if (Bytes.empty() && IsValue)
      append(&Top, sizeof Top);
    V.Bytes = Bytes;
    V.Address = Bytes.empty() && HasTop ? uintptr_t(Top) : 0;
    return V.Address || !Bytes.empty();
  }

  /// Returns what a frame's base is: a register.
  static std::optional<uint64_t> base(llvm::ArrayRef<uint8_t> Expression,
                                      const CrashFrame &Frame) {
    if (Expression.size() != 1 || Expression[0] < dwarf::DW_OP_reg0 ||
        Expression[0] > dwarf::DW_OP_reg15)
      return std::nullopt;
    const unsigned Register = Expression[0] - dwarf::DW_OP_reg0;
    return Frame.knows(Register) ? std::optional(Frame.General.at(Register))
                                 : std::nullopt;
  }

private:
  using Operation = llvm::DWARFExpression::Operation;

  bool step(const Operation &Op) {
    const unsigned Code = Op.getCode();
    if (Code >= dwarf::DW_OP_lit0 && Code <= dwarf::DW_OP_lit31)
      return push(Code - dwarf::DW_OP_lit0);
    if (Code >= dwarf::DW_OP_reg0 && Code <= dwarf::DW_OP_reg31)
      return take(Code - dwarf::DW_OP_reg0);
    if (Code == dwarf::DW_OP_regx)
      return take(unsigned(Op.getRawOperand(0)));
    if (Code >= dwarf::DW_OP_breg0 && Code <= dwarf::DW_OP_breg15) {
      const unsigned Register = Code - dwarf::DW_OP_breg0;
      return Frame.knows(Register) &&
             push(Frame.General.at(Register) + Op.getRawOperand(0));
    }
    if (Code >= dwarf::DW_OP_const1u && Code <= dwarf::DW_OP_consts)
      return push(Op.getRawOperand(0));
    switch (Code) {
    case dwarf::DW_OP_fbreg:
      return Base && push(*Base + Op.getRawOperand(0));
    case dwarf::DW_OP_plus_uconst:
      Top += Op.getRawOperand(0);
      return HasTop;
    case dwarf::DW_OP_stack_value:
      return IsValue = HasTop;
    case dwarf::DW_OP_piece:
      return piece(Op.getRawOperand(0));
    default:
      return false;
    }
  }

  bool push(uint64_t Number) {
    Top = Number;
    // A second number would be an operand, and no operator is known.
    return !std::exchange(HasTop, true);
  }

  /// The value is that of a register.
  bool take(unsigned Register) {
    constexpr unsigned FirstVector = 17, Vectors = 16;
    if (Register < Frame.General.size() && Frame.knows(Register))
      append(&Frame.General[Register], sizeof(uint64_t));
    else if (Frame.IsExact && Register - FirstVector < Vectors)
      append(&Frame.Vector[Register - FirstVector], 2 * sizeof(uint64_t));
    else
      return false;
    return true;
  }

  /// Ends a part of a variable, which is in a register or a number.
  bool piece(uint64_t Size) {
    if (std::exchange(IsValue, false))
      append(&Top, sizeof Top);
    HasTop = false;
    if (Bytes.size() < Done + Size)
      return false;
    Bytes.resize(Done += Size);
    return true;
  }

  void append(const void *Data, size_t Size) {
    Bytes.append(static_cast<const char *>(Data), Size);
  }

  const CrashFrame &Frame;
  const std::optional<uint64_t> Base;
  uint64_t Top = 0;
  bool HasTop = false, IsValue = false;
  std::string Bytes;
  size_t Done = 0; ///< Bytes of whole pieces.
};

class Reader {
public:
  Reader(llvm::DWARFContext &Context, const CrashFrame &Frame,
         llvm::object::SectionedAddress Where)
      : Context(Context), Frame(Frame), Where(Where) {}

  std::vector<LocalScope> read() {
    for (const auto &Unit : Context.compile_units())
      enter(Unit->getUnitDIE(false));
    llvm::DILineInfo Line =
        Context
            .getLineInfoForAddress(
                Where, {FileKind::RawValue,
                        llvm::DILineInfoSpecifier::FunctionNameKind::None})
            .value_or(llvm::DILineInfo());
    std::reverse(Scopes.begin(), Scopes.end());
    if (!Scopes.empty()) {
      Scopes.front().File = Line.FileName;
      Scopes.front().Line = Line.Line;
      Scopes.front().Column = Line.Column;
    }
    return std::move(Scopes);
  }

private:
  bool contains(const llvm::DWARFAddressRange &R) const {
    return R.SectionIndex == Where.SectionIndex && R.LowPC <= Where.Address &&
           Where.Address < R.HighPC;
  }

  bool contains(const llvm::DWARFDie &Die) const {
    auto Ranges = llvm::expectedToOptional(Die.getAddressRanges());
    return Ranges &&
           llvm::any_of(*Ranges, [&](const auto &R) { return contains(R); });
  }

  static const char *orEmpty(const char *Name) { return Name ? Name : ""; }

  // NOLINTNEXTLINE(misc-no-recursion): scopes nest
  void enter(const llvm::DWARFDie &Outer) {
    for (const llvm::DWARFDie &Die : Outer.children())
      switch (Die.getTag()) {
      case dwarf::DW_TAG_namespace:
        enter(Die);
        break;
      case dwarf::DW_TAG_subprogram:
      case dwarf::DW_TAG_inlined_subroutine:
        if (contains(Die)) {
          begin(Die);
          enter(Die);
        }
        break;
      case dwarf::DW_TAG_lexical_block:
        if (contains(Die))
          enter(Die);
        break;
      case dwarf::DW_TAG_formal_parameter:
      case dwarf::DW_TAG_variable:
        if (!Scopes.empty())
          add(Die);
        break;
      default:
        break;
      }
  }

  void begin(const llvm::DWARFDie &Function) {
    if (Function.getTag() == dwarf::DW_TAG_subprogram) {
      auto Base = Function.getLocations(dwarf::DW_AT_frame_base);
      if (Base && !Base->empty())
        FrameBase = Place::base(Base->front().Expr, Frame);
      else
        llvm::consumeError(Base.takeError());
    } else if (!Scopes.empty()) {
      uint32_t File = 0, Discriminator = 0;
      LocalScope &Caller = Scopes.back();
      Function.getCallerFrame(File, Caller.Line, Caller.Column, Discriminator);
      if (const auto *Lines =
              Context.getLineTableForUnit(Function.getDwarfUnit()))
        Lines->getFileNameByIndex(File, "", FileKind::RawValue, Caller.File);
    }
    LocalScope Here;
    Here.Function = orEmpty(Function.getShortName());
    Scopes.push_back(std::move(Here));
  }

  void add(const llvm::DWARFDie &Die) {
    Local V;
    V.Name = orEmpty(Die.getShortName());
    V.File = Die.getDeclFile(FileKind::RawValue);
    V.Line = unsigned(Die.getDeclLine());
    auto Places =
        llvm::expectedToOptional(Die.getLocations(dwarf::DW_AT_location));
    if (Places)
      for (const llvm::DWARFLocationExpression &L : *Places)
        if ((!L.Range || contains(*L.Range)) &&
            Place(Frame, FrameBase).find(L.Expr, V))
          break;
    if (auto Constant = llvm::dwarf::toSigned(
            Die.findRecursively(dwarf::DW_AT_const_value)))
      V.Bytes.assign(reinterpret_cast<const char *>(&*Constant),
                     sizeof *Constant);
    if (!V.Name.empty())
      Scopes.back().Variables.push_back(std::move(V));
  }

  llvm::DWARFContext &Context;
  const CrashFrame &Frame;
  const llvm::object::SectionedAddress Where;
  std::optional<uint64_t> FrameBase;
  std::vector<LocalScope> Scopes; ///< The outermost first.
};

void ignore(llvm::Error E) { llvm::consumeError(std::move(E)); }

} // namespace

std::vector<LocalScope>
clinch::localsOf(std::string_view Object, const CrashFrame &Frame,
                 const std::function<const char *(const std::string &)> &Find) {
  auto File = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef({Object.data(), Object.size()}, "object"));
  if (!File) {
    llvm::consumeError(File.takeError());
    return {};
  }
  for (const llvm::object::SymbolRef &Symbol : (*File)->symbols()) {
    auto Type = llvm::expectedToOptional(Symbol.getType());
    auto Name = llvm::expectedToOptional(Symbol.getName());
    auto Offset = llvm::expectedToOptional(Symbol.getValue());
    auto Section = llvm::expectedToOptional(Symbol.getSection());
    if (Type != llvm::object::SymbolRef::ST_Function || !Name || !Offset ||
        !Section || *Section == (*File)->section_end())
      continue;
    const char *Loaded = Find(Name->str());
    const uint64_t Where =
        Frame.Address - reinterpret_cast<uintptr_t>(Loaded) + *Offset;
    if (!Loaded || Where >= (*Section)->getSize() ||
        !isSame(**Section, Loaded - *Offset))
      continue;
    auto Context = llvm::DWARFContext::create(
        **File, llvm::DWARFContext::ProcessDebugRelocations::Process, nullptr,
        "", ignore, ignore);
    return Reader(*Context, Frame, {Where, (*Section)->getIndex()}).read();
  }
  return {};
}
