#include "skills/watch/skills_watcher.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "adbproto/link/blocking.hpp"
#include "adbproto/link/signal.hpp"

namespace clawperator::agent_skills {

using std::chrono::milliseconds;

namespace {

constexpr auto kLongestBurst = std::chrono::seconds(5);
constexpr auto kLookAfter = milliseconds(50);  // more folders may come meanwhile

}  // namespace

SkillsWatcher::SkillsWatcher(const asio::any_io_executor& executor, WatchOptions options)
    : options_(std::move(options)), tree_(options_.roots, options_.limits), told_(executor) {}

Task<void> SkillsWatcher::start() {
  if (told_.is_open()) co_return ok();
  asio::error_code error;
  const int copy = ::fcntl(tree_.descriptor(), F_DUPFD_CLOEXEC, 0);
  if (copy < 0) co_return fail(errc::io, std::string("no inotify: ") + std::strerror(errno));
  told_.assign(copy, error);
  if (error) co_return fail(errc::io, "no inotify: " + error.message());
  co_return co_await look();
}

Task<WatchEvent> SkillsWatcher::next() {
  using namespace adbproto::parallel;
  CO_TRY_VOID(co_await start());
  for (;;) {
    const auto told = tree_.read();
    take(told.changed);
    if (told.look_again && !look_at_) look_at_ = Clock::now() + kLookAfter;
    auto until = Clock::time_point::max();
    if (changed_) until = std::min(last_ + options_.debounce, first_ + kLongestBurst);
    const auto now = Clock::now();
    if (look_at_ && (*look_at_ <= now || until <= now)) {
      CO_TRY_VOID(co_await look());
      continue;
    }
    if (until <= now) {
      WatchEvent event{.changed_path = *std::exchange(changed_, {})};
      co_return event;
    }
    if (look_at_) until = std::min(until, *look_at_);
    const auto left =
        until == Clock::time_point::max() ? Clock::duration(std::chrono::hours(1)) : until - now;
    co_await (wait_readable() || sleep_for(left));
    if (adbproto::is_cancelled(co_await asio::this_coro::cancellation_state)) {
      co_return fail(errc::cancelled, "cancelled");
    }
  }
}

Task<void> SkillsWatcher::look() {
  look_at_.reset();
  std::optional<std::string> changed;
  CO_TRY_VOID(co_await run_blocking([this, &changed] {
    changed = tree_.look();
    return ok();
  }));
  take(std::move(changed));
  if (auto warning = tree_.take_warning(); warning && options_.warn) options_.warn(*warning);
  co_return ok();
}

asio::awaitable<void> SkillsWatcher::wait_readable() {
  co_await told_.async_wait(asio::posix::stream_descriptor::wait_read, kNoThrow);
}

void SkillsWatcher::take(std::optional<std::string> changed) {
  if (!changed) return;
  last_ = Clock::now();
  if (!changed_) first_ = last_;
  changed_ = std::move(changed);
}

}  // namespace clawperator::agent_skills
