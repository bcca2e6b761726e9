// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clinch's code in a session of the host's.

#include "clinch/Orc/Orc.h"
#include "jit/Compiler/Linkable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace clinch;
namespace orc = llvm::orc;

char OrcError::ID = 0;

void OrcError::log(llvm::raw_ostream &OS) const { OS << Cause.message(); }

std::error_code OrcError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

static llvm::Error failed(Error::Kind Kind, std::string Message) {
  return llvm::make_error<OrcError>(Error(Kind, std::move(Message)));
}

namespace {
/// Keeps libraries open for as long as the JITDylib exists. As a generator it
/// never defines anything.
class Holder : public orc::DefinitionGenerator {
public:
  explicit Holder(std::vector<std::shared_ptr<void>> Kept)
      : Kept(std::move(Kept)) {}
  llvm::Error tryToGenerate(orc::LookupState &, orc::LookupKind,
                            orc::JITDylib &, orc::JITDylibLookupFlags,
                            const orc::SymbolLookupSet &) override {
    return llvm::Error::success();
  }

private:
  std::vector<std::shared_ptr<void>> Kept;
};
} // namespace

/// Refuses what would later fail in a worse way than with an error.
static llvm::Error check(orc::ExecutionSession &ES, const Linkable &Code) {
  const llvm::Triple &Target = ES.getTargetTriple();
  if (Target.getArch() != llvm::Triple::x86_64 || !Target.isOSBinFormatELF())
    return failed(Error::Kind::InvalidArgument,
                  "Expected a session for x86-64 Linux, found one for `" +
                      Target.str() + "`.");
  if (Code.HasInitializers)
    return failed(Error::Kind::Link,
                  "The code has initialisers, which would never run: expected "
                  "no global objects with constructors.");
  return llvm::Error::success();
}

/// Creates a JITDylib, with the platform of \p ES if it has one.
static llvm::Expected<orc::JITDylib &> makeDylib(orc::ExecutionSession &ES,
                                                 const std::string &Name) {
  // Under the lock, so that nobody else takes the name in between.
  return ES.runSessionLocked([&]() -> llvm::Expected<orc::JITDylib &> {
    if (ES.getJITDylibByName(Name))
      return failed(Error::Kind::InvalidArgument,
                    "A JITDylib is called `" + Name +
                        "` already: expected a name that is free.");
    return ES.createJITDylib(Name);
  });
}

static llvm::Error fill(orc::JITDylib &Dylib, orc::ObjectLayer &Layer,
                        const Linkable &Code) {
  orc::ExecutionSession &ES = Dylib.getExecutionSession();
  Dylib.addGenerator(std::make_unique<Holder>(Code.Libraries));
  // Not exported: a lookup from outside finds only what the text defines.
  orc::SymbolMap Symbols;
  for (const auto &[Name, Address] : Code.Symbols)
    Symbols[ES.intern(Name)] = {orc::ExecutorAddr::fromPtr(Address),
                                llvm::JITSymbolFlags::None};
  if (!Symbols.empty())
    if (llvm::Error E = Dylib.define(orc::absoluteSymbols(std::move(Symbols))))
      return E;
  for (const std::string &Object : Code.Objects)
    if (llvm::Error E = Layer.add(Dylib, llvm::MemoryBuffer::getMemBufferCopy(
                                             Object, Dylib.getName() + ".o")))
      return E;
  return llvm::Error::success();
}

llvm::Expected<orc::JITDylib &> clinch::addToSession(orc::ObjectLayer &Layer,
                                                     const std::string &Name,
                                                     Session &S,
                                                     const SourceText &Text,
                                                     const CompileOptions &O) {
  orc::ExecutionSession &ES = Layer.getExecutionSession();
  auto Code = S.linkable(Text, O);
  if (!Code)
    return llvm::make_error<OrcError>(Code.takeError());
  if (llvm::Error E = check(ES, *Code))
    return E;
  auto Dylib = makeDylib(ES, Name);
  if (!Dylib)
    return Dylib.takeError();
  if (llvm::Error E = fill(*Dylib, Layer, *Code))
    return llvm::joinErrors(std::move(E), ES.removeJITDylib(*Dylib));
  return Dylib;
}
