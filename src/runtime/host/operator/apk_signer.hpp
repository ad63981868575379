#pragma once
// The signers and the app of an Android package, read from the file alone.
//
// The signature itself is not verified: Android does that at the installation. It refuses a file
// that shows a certificate and has no signature by its key. So a digest names the key whose
// signature Android will require.
//
// A file that Android might read in another way (two end records, two manifests, an unknown
// compression) is refused here.

#include <filesystem>
#include <functional>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace clawperator {

inline constexpr std::size_t kMaxManifest = 4 << 20;     // unpacked
inline constexpr std::size_t kMaxApkSection = 16 << 20;  // the directory, the signing block
inline constexpr std::size_t kMaxSigners = 16;  // an app has one or a few; a forged list must end

struct ApkSigners {
  std::string package{};
  // SHA-256 of the first certificate of each signer, by APK Signature Scheme v2, v3 and v3.1; in
  // order, each once. Empty: no such scheme signs it (v1 alone, or none).
  std::vector<std::string> sha256{};

  bool operator==(const ApkSigners&) const = default;
};

// `read` returns exactly so many bytes, or an error; no call goes beyond `size`.
struct ByteSource {
  std::uint64_t size = 0;
  std::function<Result<Bytes>(std::uint64_t offset, std::size_t size)> read{};
};

// `protocol` for a file that is no package, is damaged, or goes beyond a bound; the errors of
// `read`.
Result<ApkSigners> read_apk_signers(const ByteSource& source);
// `io` where the file cannot be read. Blocks.
Result<ApkSigners> read_apk_signers(const std::filesystem::path& apk);

}  // namespace clawperator
