//===- Relocator.cpp - Addresses put into code ---------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Relocator.h"

#include <cstring>

using namespace clinch;

static uint64_t addressOf(const void *P) {
  return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(P));
}

static void put64(char *Where, uint64_t Value) {
  std::memcpy(Where, &Value, sizeof Value);
}

Status Relocator::run() {
  fillSlots();
  for (size_t I = 0; I < Object.sections().size(); ++I)
    if (Object.relocatesLoaded(I))
      if (Status S = applySection(I); !S.ok())
        return S;
  return {};
}

char *Relocator::slotWritable(size_t Symbol) const {
  ImageLayout::Place P = Layout.got(Symbol);
  bool IsCode = P.In == ImageLayout::Range::Code;
  return (IsCode ? Memory.writable() : Memory.data()) + P.Offset;
}

uint64_t Relocator::slotAddress(size_t Symbol) const {
  ImageLayout::Place P = Layout.got(Symbol);
  bool IsCode = P.In == ImageLayout::Range::Code;
  return addressOf(IsCode ? Memory.code() : Memory.data()) + P.Offset;
}

uint64_t Relocator::gotAddress() const {
  return addressOf(Memory.code()) + Layout.gotOffset();
}

void Relocator::fillSlots() {
  for (size_t I = 0; I < Object.symbols().size(); ++I) {
    if (Layout.hasSlot(I) && !isIndirect(Object.symbols()[I]))
      put64(slotWritable(I), Addresses[I]);
    if (!Layout.hasStub(I))
      continue;
    // jmp *slot(%rip), then two bytes that trap.
    static constexpr char Jump[2] = {'\xff', '\x25'};
    static constexpr char Trap[2] = {'\x0f', '\x0b'};
    char *Stub = Memory.writable() + Layout.stub(I);
    uint64_t After = addressOf(Memory.code()) + Layout.stub(I) + 6;
    auto Distance = uint32_t(slotAddress(I) - After);
    std::memcpy(Stub, Jump, sizeof Jump);
    std::memcpy(Stub + 2, &Distance, sizeof Distance);
    std::memcpy(Stub + 6, Trap, sizeof Trap);
  }
}

Status Relocator::applySection(size_t RelocationSection) {
  size_t Target = Object.sections()[RelocationSection].sh_info;
  ImageLayout::Place P = Layout.section(Target);
  if (P.In == ImageLayout::Range::None)
    return {};
  bool IsCode = P.In == ImageLayout::Range::Code;
  char *Written = (IsCode ? Memory.writable() : Memory.data()) + P.Offset;
  uint64_t Read = addressOf(IsCode ? Memory.code() : Memory.data()) + P.Offset;
  size_t Size = Object.sections()[Target].sh_size;
  for (const Elf64_Rela &R : Object.relocations(RelocationSection)) {
    Site S{Written + R.r_offset,
           Read + R.r_offset,
           Size - R.r_offset,
           R.r_offset,
           ELF64_R_SYM(R.r_info),
           unsigned(ELF64_R_TYPE(R.r_info)),
           R.r_addend};
    if (Status Applied = apply(S); !Applied.ok())
      return Applied;
  }
  return {};
}

static bool isWide(unsigned Type) {
  switch (Type) {
  case R_X86_64_64:
  case R_X86_64_PC64:
  case R_X86_64_GOTOFF64:
  case R_X86_64_GOTPC64:
  case R_X86_64_GOT64:
  case R_X86_64_GOTPCREL64:
  case R_X86_64_PLTOFF64:
  case R_X86_64_SIZE64:
    return true;
  default:
    return false;
  }
}

static size_t widthOf(unsigned Type) {
  switch (Type) {
  case R_X86_64_NONE:
    return 0;
  case R_X86_64_8:
  case R_X86_64_PC8:
    return 1;
  case R_X86_64_16:
  case R_X86_64_PC16:
    return 2;
  default:
    return isWide(Type) ? 8 : 4;
  }
}

Status Relocator::apply(const Site &S) {
  if (S.Room < widthOf(S.Type))
    return Error(ErrorKind::Link, "The object file cannot be loaded: a "
                                  "relocation ends behind its section.");
  uint64_t Value = Addresses[S.Symbol] + uint64_t(S.Addend);
  switch (S.Type) {
  case R_X86_64_NONE:
    return {};
  case R_X86_64_64:
    put64(S.Bytes, Value);
    return {};
  case R_X86_64_32:
    return put32(S, Value, false) ? Status() : outOfReach(S);
  case R_X86_64_32S:
    return put32(S, Value, true) ? Status() : outOfReach(S);
  case R_X86_64_SIZE32:
  case R_X86_64_SIZE64:
    Value = Object.symbols()[S.Symbol].st_size + uint64_t(S.Addend);
    if (S.Type == R_X86_64_SIZE32)
      return put32(S, Value, false) ? Status() : outOfReach(S);
    put64(S.Bytes, Value);
    return {};
  case R_X86_64_PC32:
  case R_X86_64_PLT32:
  case R_X86_64_PC64:
    return applyRelative(S);
  default:
    return applyGot(S);
  }
}

bool Relocator::put32(const Site &S, uint64_t Value, bool Signed) {
  bool Fits =
      Signed ? int64_t(Value) == int32_t(Value) : Value == uint32_t(Value);
  auto Low = uint32_t(Value);
  if (Fits)
    std::memcpy(S.Bytes, &Low, sizeof Low);
  return Fits;
}

/// Whether the four bytes at \p Offset are the distance of a call or a jump.
static bool isBranch(const char *Bytes, size_t Offset) {
  auto Byte = [&](size_t Back) {
    return static_cast<unsigned char>(*(Bytes - Back));
  };
  if (Offset >= 1 && (Byte(1) == 0xe8 || Byte(1) == 0xe9))
    return true;
  return Offset >= 2 && Byte(2) == 0x0f && (Byte(1) & 0xf0) == 0x80;
}

Status Relocator::applyRelative(const Site &S) {
  uint64_t Value = Addresses[S.Symbol] + uint64_t(S.Addend) - S.Address;
  if (S.Type == R_X86_64_PC64) {
    put64(S.Bytes, Value);
    return {};
  }
  if (put32(S, Value, true))
    return {};
  if (!Layout.hasStub(S.Symbol) || !isBranch(S.Bytes, S.Offset))
    return outOfReach(S);
  uint64_t Stub = addressOf(Memory.code()) + Layout.stub(S.Symbol);
  put32(S, Stub + uint64_t(S.Addend) - S.Address, true);
  return {};
}

/// `add slot(%rip), %reg` becomes `add $target, %reg`, and so do its kin, of
/// which `cmp` is the one that compilers write.
bool Relocator::relaxArithmetic(const Site &S) {
  constexpr unsigned char RexW = 0x48, RexR = 0x04, RexB = 0x01;
  auto Rex = static_cast<unsigned char>(S.Bytes[-3]);
  auto Op = static_cast<unsigned char>(S.Bytes[-2]);
  auto Mode = static_cast<unsigned char>(S.Bytes[-1]);
  if ((Rex & ~RexR) != RexW || !put32(S, Addresses[S.Symbol], true))
    return false;
  // The register moves from one field of the mode to the other.
  S.Bytes[-3] = char(RexW | (Rex & RexR ? RexB : 0));
  S.Bytes[-2] = char(0x81);
  S.Bytes[-1] = char(0xc0 | (Op & 0x38) | (Mode >> 3 & 7));
  return true;
}

/// `op *slot(%rip)` becomes `op target(%rip)` where the target is in reach:
/// one load less.
bool Relocator::relaxGot(const Site &S) {
  if (S.Type == R_X86_64_GOTPCREL || S.Addend != -4 || S.Offset < 2)
    return false;
  uint64_t Target = Addresses[S.Symbol];
  auto Op = static_cast<unsigned char>(S.Bytes[-2]);
  auto Mode = static_cast<unsigned char>(S.Bytes[-1]);
  if (Op == 0x8b) {
    // mov slot(%rip), %reg: lea target(%rip), %reg.
    if (!Target || !put32(S, Target - 4 - S.Address, true))
      return false;
    S.Bytes[-2] = char(0x8d);
    return true;
  }
  if ((Op & 0xc7) == 0x03)
    return S.Type == R_X86_64_REX_GOTPCRELX && S.Offset >= 3 &&
           !isIndirect(Object.symbols()[S.Symbol]) && relaxArithmetic(S);
  if (Op != 0xff || (Mode != 0x15 && Mode != 0x25))
    return false;
  // call *slot(%rip): addr32 call target. jmp *slot(%rip): jmp target; nop.
  // The distance of the jump stands one byte earlier.
  bool IsJump = Mode == 0x25;
  Site Branch = S;
  Branch.Bytes -= IsJump;
  Branch.Address -= IsJump;
  if (!put32(Branch, Target - 4 - Branch.Address, true))
    return false;
  if (IsJump) {
    S.Bytes[-2] = char(0xe9);
    S.Bytes[3] = char(0x90);
  } else {
    S.Bytes[-2] = char(0x67);
    S.Bytes[-1] = char(0xe8);
  }
  return true;
}

Status Relocator::applyGot(const Site &S) {
  auto Addend = uint64_t(S.Addend);
  switch (S.Type) {
  case R_X86_64_GOTPCREL:
  case R_X86_64_GOTPCRELX:
  case R_X86_64_REX_GOTPCRELX:
    if (relaxGot(S))
      return {};
    put32(S, slotAddress(S.Symbol) + Addend - S.Address, true);
    return {};
  case R_X86_64_GOTPC32:
    put32(S, gotAddress() + Addend - S.Address, true);
    return {};
  case R_X86_64_GOT32:
    put32(S, slotAddress(S.Symbol) + Addend - gotAddress(), true);
    return {};
  case R_X86_64_GOTPC64:
    put64(S.Bytes, gotAddress() + Addend - S.Address);
    return {};
  case R_X86_64_GOT64:
    put64(S.Bytes, slotAddress(S.Symbol) + Addend - gotAddress());
    return {};
  case R_X86_64_GOTPCREL64:
    put64(S.Bytes, slotAddress(S.Symbol) + Addend - S.Address);
    return {};
  case R_X86_64_GOTOFF64:
  case R_X86_64_PLTOFF64:
    put64(S.Bytes, Addresses[S.Symbol] + Addend - gotAddress());
    return {};
  default:
    return unknown(S);
  }
}

std::string Relocator::nameOf(size_t Symbol) const {
  std::string Name(Object.symbolName(Symbol));
  return Name.empty() ? "a section" : "`" + Name + "`";
}

Status Relocator::outOfReach(const Site &S) const {
  return Error(ErrorKind::Link,
               "The address of " + nameOf(S.Symbol) +
                   " is out of reach: expected code that can stand at any "
                   "address (-fPIC, -mcmodel=small).");
}

Status Relocator::unknown(const Site &S) const {
  return Error(ErrorKind::Link,
               "The object file cannot be loaded: relocation type " +
                   std::to_string(S.Type) + " of " + nameOf(S.Symbol) +
                   " is not known.");
}
