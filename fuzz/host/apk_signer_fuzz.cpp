// Invariants, for whatever a package holds: no input crashes; nothing beyond the file is read, and
// no more than the bounds at once; what is accepted names a package and each digest once, and is
// refused without its last byte.

#include <algorithm>

#include "base/text.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/host/operator/apk_signer.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView file = fuzz::input(data, size);
  const auto read = [file](std::uint64_t offset, std::size_t wanted) -> Result<Bytes> {
    fuzz::require(offset <= file.size() && wanted <= file.size() - offset);
    fuzz::require(wanted <= kMaxApkSection);
    const ByteView piece = file.subspan(offset, wanted);
    return Bytes(piece.begin(), piece.end());
  };
  const auto signers = read_apk_signers({file.size(), read});
  if (!signers) {
    fuzz::require(signers.error().code() == errc::protocol);
    return 0;
  }
  fuzz::require(is_package_name(signers->package));
  fuzz::require(signers->sha256.size() <= kMaxSigners);
  fuzz::require(std::ranges::adjacent_find(signers->sha256, std::greater_equal<>()) ==
                signers->sha256.end());
  for (const std::string& digest : signers->sha256) fuzz::require(is_hex(digest, 64));
  fuzz::require(!read_apk_signers({file.size() - 1, read}));
  return 0;
}
