#pragma once
// ~/.clawperator/operator_signers.json: the signer of each package that was downloaded or
// installed, as ssh's known_hosts. The first signer is remembered; another one is
// operator_signer_changed until the user accepts it.
//   {"packages":[{"package":"com.clawperator.operator","sha256":["c0ffee..."]}]}

#include "base/system/named_list.hpp"
#include "runtime/host/operator/apk_signer.hpp"

namespace clawperator {

using KnownSigners = base::NamedList<ApkSigners, &ApkSigners::package, 64>;

KnownSigners parse_known_signers(std::string_view text);
std::string to_json(const KnownSigners& known);

struct SignerCheck {
  std::filesystem::path apk{};
  std::string name{};                    // of the file, in errors
  std::optional<std::string> package{};  // by the user
  bool accept_new = false;
  OnNotice on_notice{};
};

// Call it before the file is used. Its signer must be the one that is known for its package and for
// the named package; a new one is remembered. Where no signer is known, Android judges a file that
// cannot be read. Where one is known, that file is refused: of the named package, or of any if none
// is named.
Task<void> meet_signers(SignerCheck check);

}  // namespace clawperator
