#pragma once
// Reports changes in the folders of skills: once for a burst of changes.
//
//   SkillsWatcher watcher(executor, {.roots = roots});
//   CO_TRY_VOID(co_await watcher.start());          from here on no change is missed
//   for (;;) CO_TRY(const WatchEvent event, co_await watcher.next());

#include <asio/any_io_executor.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <filesystem>
#include <map>
#include <set>

#include "base/async/task.hpp"
#include "base/file_handle.hpp"

namespace clawperator::agent_skills {

struct WatchLimits {
  std::size_t folders = 8192;
  std::size_t depth = 32;          // below a root
  std::size_t files = 200'000;     // whose names are kept
  std::size_t unwatched = 65'536;  // folders beyond the first bound, which scans compare
};

// Whether files of that name, and everything below them, are ignored.
bool is_unwatched(std::string_view name);

// Folders and everything below them, watched by inotify: which files appeared, changed and
// disappeared. It blocks only as long as reading the folders takes.
// Every folder on the way to a root is watched, too, so a root may appear later, be moved away and
// be made again, and so may the target of a link. Links to folders are followed, each folder once.
class WatchedTree {
 public:
  explicit WatchedTree(std::vector<std::filesystem::path> roots, const WatchLimits& limits = {});

  // Readable when there are events; -1: the system has no inotify.
  [[nodiscard]] int descriptor() const { return inotify_.get(); }

  // Reads the present state: watches new folders and forgets removed ones. Returns the last file
  // that appeared or disappeared since the scan before; none at the first scan.
  std::optional<std::string> scan();

  struct Changes {
    std::optional<std::string> changed{};  // the last file
    bool scan_again = false;               // folders appeared or disappeared, or events were lost
  };
  // All events until now.
  Changes read();

  // Some folders are only compared, by scans.
  [[nodiscard]] bool is_partial() const { return !unwatched_.empty(); }

  // Folders that cannot be watched, each once.
  std::optional<std::string> take_warning();

 private:
  using Names = std::set<std::string, std::less<>>;
  using States = std::map<std::string, std::size_t>;  // of folders that are not watched
  struct Folder {
    int watch = -1;
    Names files{};
    bool is_tree = false;    // it is a root or below one
    Names awaited{};         // of a folder on the way: the names that lead to a root
    std::uint64_t seen = 0;  // the number of the scan
  };
  struct Walk;

  Folder* watch(const std::string& path, std::uint32_t mask, Walk* walk);
  void walk_all(Walk* walk);
  void walk_way(const std::filesystem::path& root, int links, Walk* walk);
  void walk_link(const std::filesystem::path& path, int links, Walk* walk);
  void walk_tree(const std::string& path, std::size_t depth, Walk* walk);
  void walk_unwatched(const std::string& path, std::size_t depth, Walk* walk);
  void compare_unwatched(Walk* walk);
  void walk_entries(const std::string& path, Folder* folder, std::size_t depth, Walk* walk);
  void note_files(const std::string& path, Folder* folder, Names files, Walk* walk);
  void drop_unseen(Walk* walk);
  void forget_all();
  void take(int watch, std::uint32_t mask, const char* name, Changes* changes);
  void take_file(const std::string& path, Folder* folder, std::uint32_t mask,
                 const std::string& name, Changes* changes);

  std::vector<std::filesystem::path> roots_;
  WatchLimits limits_;
  base::FileHandle inotify_;
  std::map<std::string, Folder, std::less<>> folders_;  // by path
  std::map<int, std::string> paths_;                    // by watch
  States unwatched_;
  std::size_t files_ = 0;
  std::uint64_t scans_ = 0;
  bool only_roots_ = false;  // the system has no watches left
  std::optional<std::string> warning_;
  bool warned_of_limit_ = false;
  bool warned_of_watches_ = false;
};

struct WatchOptions {
  std::vector<std::filesystem::path> roots{};
  std::chrono::milliseconds debounce{250};
  WatchLimits limits{};
  std::function<void(std::string)> warn{};  // a folder that cannot be watched; each once
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
  // Returns when nothing has changed for `debounce`, and after five seconds of changes in any case.
  // A cancelled call loses no event: the next call returns it.
  Task<WatchEvent> next();

 private:
  Task<void> scan();
  asio::awaitable<void> wait_readable();
  void take(std::optional<std::string> changed);

  WatchOptions options_;
  WatchedTree tree_;
  asio::posix::stream_descriptor events_;
  std::optional<std::string> changed_;
  Clock::time_point first_{};  // change of this burst
  Clock::time_point last_{};
  std::optional<Clock::time_point> scan_at_;
};

}  // namespace clawperator::agent_skills
