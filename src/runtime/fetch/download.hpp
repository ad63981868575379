#pragma once
// One file by GET into its part file. Bytes that the part file already has are not fetched again.

#include "runtime/fetch/part_file.hpp"

namespace clawperator {

inline constexpr long kHttpOk = 200;

// How the server answered, and what the part file holds then.
struct Downloaded {
  long status = kHttpOk;  // other than 200 and 206: nothing of the answer was taken
  std::string sha256{};   // of the whole file, 64 lower-case hex digits
  bool resumed = false;   // some of it was there before

  [[nodiscard]] bool is_whole() const { return !sha256.empty(); }
};

// Blocks. The file is fetched once more from its start where the server has no such part, or where
// the part and what followed it do not have the checksum `sha256`; without a checksum no part is
// used. The caller compares the checksum and calls become_target(). `limits.whole` is for all tries
// together. Errors: those of fetch(), PartFile and file_sha256().
Result<Downloaded> download(HttpRequest request, const std::string& sha256, PartFile* part,
                            const std::stop_token& stop);

}  // namespace clawperator
