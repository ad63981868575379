#pragma once
// ~/.clawperator/operator_signers.json: by whom each package was signed that was downloaded or
// installed, as ssh's known_hosts. The first signer is remembered; another one is
// operator_signer_changed until its user says that it is meant.
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
  std::optional<std::string> package{};  // asked for
  bool accept_new = false;
  OnNotice on_notice{};
};

// Before the file is taken: its signer is the one that is known for its package and for the package
// that was asked for, and a new one is remembered. Where nothing is known, Android judges a file
// that cannot be read. Where something is, that file is refused: of the named package, or of any
// if none is named.
Task<void> meet_signers(SignerCheck check);

}  // namespace clawperator
