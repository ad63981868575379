#include "skills/workspace/stamp.hpp"

#include <ctime>

namespace clawperator::agent_skills {
namespace {

constexpr std::int64_t kSettledNs = 1'000'000'000;

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

std::int64_t file_clock_now() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(now);
}

Stamp stamp_of(const struct stat& found, std::int64_t now) {
  const std::int64_t changed = nanoseconds(found.st_ctim);
  return {.device = found.st_dev,
          .inode = found.st_ino,
          .size = found.st_size,
          .modified_ns = nanoseconds(found.st_mtim),
          .changed_ns = changed,
          .is_settled = now - changed > kSettledNs};
}

}  // namespace clawperator::agent_skills
