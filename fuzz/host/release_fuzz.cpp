// Invariants: metadata that is accepted names a version fit for a file name, URLs that may be
// fetched, and a digest or none; what it says of URLs can be said again.

#include "runtime/contract/operator_app.hpp"
#include "runtime/host/operator/release.hpp"

#include "runtime/fetch/http_stream.hpp"
#include "runtime/host/errc.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto release = parse_release(text, clawperator::operator_families().front().metadata_url);
  if (!release) {
    fuzz::require(release.error().code() == errc::operator_metadata_invalid);
    return 0;
  }
  fuzz::require(is_release_version(release->version));
  fuzz::require(release->version.find_first_of("/\\ \n") == std::string::npos);
  for (const std::string& url : {release->apk_url, release->checksum_url}) {
    fuzz::require(check_url(url).has_value() && url.starts_with("https://"));
  }
  fuzz::require(release->sha256.empty() || parse_checksum(release->sha256, "x").has_value());
  return 0;
}
