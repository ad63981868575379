#pragma once
// Tells that something in the folders of skills has changed: once for a burst of changes.
//
//   SkillsWatcher watcher(executor, {.roots = roots});
//   CO_TRY_VOID(co_await watcher.start());          from here on nothing is missed
//   for (;;) CO_TRY(const WatchEvent event, co_await watcher.next());

#include <asio/any_io_executor.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "adbproto/link/task.hpp"
#include "skills/watch/watched_tree.hpp"

namespace clawperator::agent_skills {

struct WatchOptions {
  std::vector<std::filesystem::path> roots{};
  std::chrono::milliseconds debounce{250};
  WatchLimits limits{};
  std::function<void(std::string)> warn{};  // what cannot be watched; each once
};

struct WatchEvent {
  std::string changed_path{};  // the last file of the burst
};

class SkillsWatcher {
 public:
  SkillsWatcher(const asio::any_io_executor& executor, WatchOptions options);
  ~SkillsWatcher() = default;
  SkillsWatcher(const SkillsWatcher&) = delete;
  SkillsWatcher& operator=(const SkillsWatcher&) = delete;

  // io where there is no inotify.
  Task<void> start();
  // When nothing has changed for `debounce`, after five seconds of changes in any case. One that is
  // cancelled loses nothing: the next call tells it.
  Task<WatchEvent> next();

 private:
  Task<void> look();
  asio::awaitable<void> wait_readable();
  void take(std::optional<std::string> changed);

  WatchOptions options_;
  WatchedTree tree_;
  asio::posix::stream_descriptor told_;
  std::optional<std::string> changed_;
  Clock::time_point first_{};  // change of this burst
  Clock::time_point last_{};
  std::optional<Clock::time_point> look_at_;
};

}  // namespace clawperator::agent_skills
