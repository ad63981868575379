#include "runtime/fetch/download.hpp"

#include <algorithm>

#include "base/clock.hpp"

namespace clawperator {

namespace {

constexpr long kHttpPartial = 206;
constexpr long kHttpNoSuchRange = 416;

}  // namespace

Result<Downloaded> download(HttpRequest request, const std::string& sha256, PartFile* part,
                            const std::stop_token& stop) {
  using std::chrono::milliseconds;
  const auto give_up = Clock::now() + request.limits.whole;
  if (part->size() > 0) {
    TRY(std::string found, file_sha256(part->path(), stop));
    if (found == sha256) return Downloaded{.sha256 = std::move(found), .resumed = true};
    if (sha256.empty() || part->size() >= request.max_bytes) TRY_VOID(part->truncate());
  }
  for (;;) {
    request.offset = part->size();
    const auto left = std::chrono::duration_cast<milliseconds>(give_up - Clock::now());
    request.limits.whole = std::max(milliseconds(1), left);
    TRY(const long status, fetch(request, part, stop));
    const bool resumed = request.offset > 0 && status == kHttpPartial;
    if (status == kHttpOk || resumed) {
      TRY(std::string found, file_sha256(part->path(), stop));
      if (found == sha256 || !resumed) return Downloaded{status, std::move(found), resumed};
    } else if (request.offset == 0 || status != kHttpNoSuchRange) {
      return Downloaded{.status = status};
    }
    // The existing part may belong to another file.
    TRY_VOID(part->truncate());
  }
}

}  // namespace clawperator
