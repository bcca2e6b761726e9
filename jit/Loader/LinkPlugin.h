// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Our passes of a link.

#pragma once

#include "LinkJob.h"

#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

namespace clinch {

/// The passes of a link: they resolve imports to the addresses that were found,
/// keep all sections, make names local to the module, and record the job's
/// results.
class LinkPlugin : public llvm::orc::ObjectLinkingLayer::Plugin {
public:
  /// \p Current is the job whose graphs are linked.
  explicit LinkPlugin(LinkJob *const &Current) : Current(Current) {}

  void modifyPassConfig(llvm::orc::MaterializationResponsibility &R,
                        llvm::jitlink::LinkGraph &G,
                        llvm::jitlink::PassConfiguration &Config) override;
  llvm::Error notifyFailed(llvm::orc::MaterializationResponsibility &) override;
  llvm::Error notifyRemovingResources(llvm::orc::JITDylib &,
                                      llvm::orc::ResourceKey) override;
  void notifyTransferringResources(llvm::orc::JITDylib &,
                                   llvm::orc::ResourceKey,
                                   llvm::orc::ResourceKey) override;

private:
  LinkJob *const &Current;
};

} // namespace clinch
