#pragma once
// Fetches the Operator app's package and keeps it, verified, where `operator setup` finds it:
//
//   ~/.clawperator/downloads/operator-v0.5.3.apk          and its .sha256, for `sha256sum -c`
//   ~/.clawperator/downloads/operator.apk                 the one fetched last (a hard link)
//   ~/.clawperator/downloads/operator-v0.5.3.apk.part     the part that has arrived so far
//
// A version that is there and fits its checksum is not fetched again; its own checksum file is
// enough, so this needs no network.

#include <filesystem>

#include "base/async/task.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/device/target_file.hpp"
#include "runtime/fetch/download.hpp"
#include "runtime/host/operator/release.hpp"

namespace clawperator {

// Room for the app to grow; a server that sends without an end must not fill the disk.
inline constexpr std::uint64_t kMaxPackage = 300ULL << 20;

struct DownloadOptions {
  std::string metadata_url{family_of(kReleaseOperatorPackage).metadata_url};
  std::optional<std::string> version{};  // absent: the latest
  std::filesystem::path folder{};        // ~/.clawperator/downloads
  std::filesystem::path out{};           // this file alone, instead of the folder's
  HttpLimits limits{};                   // `whole` is for everything together
  OnProgress on_progress{};              // called on another thread
  std::optional<std::string> package{};  // the expected one; its signer must be the known one
  bool accept_new_signer = false;
  OnNotice on_notice{};
};

struct DownloadReport {
  std::string version{};
  std::filesystem::path path{};
  std::filesystem::path default_path{};  // empty with `out`
  std::string url{};
  std::string sha256{};
  std::uint64_t bytes = 0;
  bool resumed = false;
  bool already_present = false;
};

// operator_metadata_invalid, operator_download_failed (details.url), operator_checksum_failed,
// operator_signer_changed (what arrived stays a .part), file_write_failed,
// execution_conflict_in_flight, cancelled.
Task<DownloadReport> download_operator(DownloadOptions options);

}  // namespace clawperator
