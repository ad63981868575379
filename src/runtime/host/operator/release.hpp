#pragma once
// The place of the Operator app's published packages, and their metadata. Pure.
//
//   <base>/latest.json                             the metadata: which version is the latest
//   <base>/v<V>/operator-v<V>.apk, ....apk.sha256   each version, never changed again
//
// The metadata is one JSON object; members that are not listed are ignored:
//   version                                        "0.5.3"
//   apk_url (also apkUrl, url)                     absent: by the scheme above
//   sha256_url (also sha256Url, checksumUrl)       absent: the package's URL + ".sha256"
//   sha256                                         64 hex digits; absent: in the checksum file

#include "base/error.hpp"

namespace clawperator {

// The latest release or a checksum, a few lines; an endless answer must not fill memory.
inline constexpr std::size_t kMaxMetadata = 64 * 1024;

struct OperatorRelease {
  std::string version{};
  std::string apk_url{};
  std::string checksum_url{};
  std::string sha256{};  // lower case; empty: read checksum_url

  bool operator==(const OperatorRelease&) const = default;
};

// By the scheme, beside the metadata.
OperatorRelease release_of(std::string_view version, std::string_view metadata_url);

// operator_metadata_invalid when it is no such object or names anything but https URLs.
Result<OperatorRelease> parse_release(std::string_view json, std::string_view metadata_url);

// The digest of `file_name` in `sha256sum`'s format, or of the only line; lower case.
// operator_checksum_failed without one.
Result<std::string> parse_checksum(std::string_view text, std::string_view file_name);

// "0.5.3", "1.0.0-rc.1": fit for a URL and a file name.
bool is_release_version(std::string_view text);

// "operator-v0.5.3.apk"
std::string package_file_name(std::string_view version);

}  // namespace clawperator
