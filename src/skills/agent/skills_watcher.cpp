#include "skills/agent/skills_watcher.hpp"

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>

#include "base/async/blocking.hpp"
#include "base/async/signal.hpp"
#include "base/files.hpp"
#include "base/system/staged_folder.hpp"

namespace clawperator::agent_skills {

using std::chrono::milliseconds;
namespace fs = std::filesystem;

namespace {

// A file that changes without a pause must not delay the report for ever.
constexpr auto kLongestBurst = std::chrono::seconds(5);
constexpr auto kScanDelay = milliseconds(50);       // more folders may come meanwhile
constexpr auto kRescan = std::chrono::seconds(10);  // of folders that are not watched

constexpr std::uint32_t kMoves = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                                 IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_MASK_ADD;
constexpr std::uint32_t kFileChanges = IN_MODIFY | IN_CLOSE_WRITE;

std::string child_of(const std::string& folder, std::string_view name) {
  return folder + (folder.ends_with('/') ? "" : "/") + std::string(name);
}

fs::path without_slash(const fs::path& path) {
  const fs::path normal = fs::absolute(path).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

bool is_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && path.substr(folder.size()).starts_with('/');
}

constexpr int kMostLinks = 16;  // one behind the other

}  // namespace

SkillsWatcher::SkillsWatcher(const asio::any_io_executor& executor, WatchOptions options)
    : options_(std::move(options)), tree_(options_.roots, options_.limits), events_(executor) {}

Task<void> SkillsWatcher::start() {
  if (events_.is_open()) co_return ok();
  asio::error_code error;
  const int copy = ::fcntl(tree_.descriptor(), F_DUPFD_CLOEXEC, 0);
  if (copy < 0) co_return fail(errc::io, std::string("no inotify: ") + std::strerror(errno));
  events_.assign(copy, error);
  if (error) co_return fail(errc::io, "no inotify: " + error.message());
  co_return co_await scan();
}

Task<WatchEvent> SkillsWatcher::next() {
  using namespace base::parallel;
  CO_TRY_VOID(co_await start());
  for (;;) {
    const auto changes = tree_.read();
    take(changes.changed);
    if (changes.scan_again) {
      scan_at_ = std::min(scan_at_.value_or(Clock::time_point::max()), Clock::now() + kScanDelay);
    }
    auto until = Clock::time_point::max();
    if (changed_) until = std::min(last_ + options_.debounce, first_ + kLongestBurst);
    const auto now = Clock::now();
    if (scan_at_ && (*scan_at_ <= now || until <= now)) {
      CO_TRY_VOID(co_await scan());
      continue;
    }
    if (until <= now) {
      WatchEvent event{.changed_path = *std::exchange(changed_, {})};
      co_return event;
    }
    if (scan_at_) until = std::min(until, *scan_at_);
    const auto left =
        until == Clock::time_point::max() ? Clock::duration(std::chrono::hours(1)) : until - now;
    co_await (wait_readable() || sleep_for(left));
    if (adbproto::is_cancelled(co_await asio::this_coro::cancellation_state)) {
      co_return fail(errc::cancelled, "cancelled");
    }
  }
}

Task<void> SkillsWatcher::scan() {
  scan_at_.reset();
  std::optional<std::string> changed;
  CO_TRY_VOID(co_await run_blocking([this, &changed] {
    changed = tree_.scan();
    return ok();
  }));
  take(std::move(changed));
  if (tree_.is_partial()) scan_at_ = Clock::now() + kRescan;
  if (auto warning = tree_.take_warning(); warning && options_.warn) options_.warn(*warning);
  co_return ok();
}

asio::awaitable<void> SkillsWatcher::wait_readable() {
  co_await events_.async_wait(asio::posix::stream_descriptor::wait_read, kNoThrow);
}

void SkillsWatcher::take(std::optional<std::string> changed) {
  if (!changed) return;
  last_ = Clock::now();
  if (!changed_) first_ = last_;
  changed_ = std::move(changed);
}

bool is_unwatched(std::string_view name) {
  return name == ".git" || name == "node_modules" || name == "dist" || name == ".hub-replaced" ||
         !StagedFolder::target_name(name).empty();  // of a skill that a hub's client unpacks
}

// One pass over all folders.
struct WatchedTree::Walk {
  std::set<int> reached{};  // watches: a folder with two paths is read once
  std::optional<std::string> changed{};
  std::set<std::string> ways{};  // links may lead in circles
  bool is_first_below = false;   // the content below the roots was not known before
  // Level by level: a skill's own folder is watched before what lies deep in another one, such as
  // the thousands of folders of a virtual environment.
  struct Waiting {
    std::string path{};
    std::size_t depth = 0;
  };
  std::deque<Waiting> waiting{};
  States unwatched{};
};

WatchedTree::WatchedTree(std::vector<fs::path> roots, const WatchLimits& limits)
    : limits_(limits), inotify_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  for (const fs::path& root : roots) {
    fs::path path = without_slash(root);
    if (std::ranges::find(roots_, path) == roots_.end()) roots_.push_back(std::move(path));
  }
}

// Where the system had no watches left it may have some again.
std::optional<std::string> WatchedTree::scan() {
  Walk walk;
  const bool is_first = scans_ == 0;
  walk.is_first_below = std::exchange(only_roots_, false);
  walk_all(&walk);
  if (only_roots_) {
    const auto changed = walk.changed;
    if (!walk.is_first_below) forget_all();
    // Watches below the roots make room for the roots themselves.
    for (int again = 0; again < 2; ++again) {
      walk.reached.clear();
      walk.ways.clear();
      walk_all(&walk);
    }
    walk.changed = changed;
  }
  return is_first ? std::nullopt : walk.changed;
}

void WatchedTree::walk_all(Walk* walk) {
  ++scans_;
  for (const fs::path& root : roots_) walk_way(root, kMostLinks, walk);
  for (const fs::path& root : roots_) walk->waiting.push_back({root.string(), 0});
  while (!walk->waiting.empty()) {
    const Walk::Waiting next = std::move(walk->waiting.front());
    walk->waiting.pop_front();
    walk_tree(next.path, next.depth, walk);
  }
  drop_unseen(walk);
  compare_unwatched(walk);
}

void WatchedTree::compare_unwatched(Walk* walk) {
  for (const auto& [path, state] : walk->unwatched) {
    const auto before = unwatched_.find(path);
    if (before == unwatched_.end() || before->second != state) walk->changed = path;
  }
  for (const auto& [path, state] : unwatched_) {
    if (!walk->unwatched.contains(path) && !folders_.contains(path)) walk->changed = path;
  }
  unwatched_ = std::move(walk->unwatched);
}

void WatchedTree::forget_all() {
  for (const auto& [watch, path] : paths_) ::inotify_rm_watch(inotify_.get(), watch);
  paths_.clear();
  folders_.clear();
  unwatched_.clear();
  files_ = 0;
}

// Null where the path cannot be watched: it does not exist, or the system has no watches left. A
// folder with two paths is known by the first one.
WatchedTree::Folder* WatchedTree::watch(const std::string& path, std::uint32_t mask, Walk* walk) {
  if (!folders_.contains(path) && folders_.size() >= limits_.folders) {
    if (!std::exchange(warned_of_limit_, true)) {
      warning_ = "more than " + std::to_string(limits_.folders) +
                 " folders: the rest is looked at every 10 s";
    }
    return nullptr;
  }
  const int watch = ::inotify_add_watch(inotify_.get(), path.c_str(), mask);
  if (watch < 0) {
    if (errno != ENOSPC) return nullptr;
    only_roots_ = true;
    if (!std::exchange(warned_of_watches_, true)) {
      warning_ =
          "the system has no watches left (fs.inotify.max_user_watches): only what is directly in "
          "the folders of skills is watched";
    }
    return nullptr;
  }
  const auto [known, is_new] = paths_.try_emplace(watch, path);
  if (known->second != path) {
    const auto other = folders_.find(known->second);
    if (other != folders_.end() && other->second.seen == scans_) return &other->second;
    if (other != folders_.end()) {  // it was moved here from there
      files_ -= other->second.files.size();
      folders_.erase(other);
    }
    known->second = path;
  }
  Folder& folder = folders_[path];
  if (folder.watch >= 0 && folder.watch != watch) {  // made anew under the same name
    ::inotify_rm_watch(inotify_.get(), folder.watch);
    paths_.erase(folder.watch);
    files_ -= folder.files.size();
    if (!folder.files.empty()) walk->changed = path;
    folder = Folder{};
  }
  folder.watch = watch;
  if (std::exchange(folder.seen, scans_) != scans_) folder.awaited.clear();
  return &folder;
}

void WatchedTree::walk_way(const fs::path& root, int links, Walk* walk) {
  if (!walk->ways.insert(root.string()).second) return;
  for (fs::path path = root; path.has_relative_path(); path = path.parent_path()) {
    Folder* folder = watch(path.parent_path().string(), kMoves, walk);
    if (folder != nullptr) folder->awaited.insert(path.filename().string());
    walk_link(path, links, walk);
  }
}

// The target of a link may appear, disappear and appear again.
void WatchedTree::walk_link(const fs::path& path, int links, Walk* walk) {
  std::error_code error;
  const fs::path target = fs::read_symlink(path, error);
  if (error || links == 0) return;
  walk_way(without_slash(path.parent_path() / target), links - 1, walk);
}

void WatchedTree::walk_tree(const std::string& path, std::size_t depth, Walk* walk) {
  if (depth > limits_.depth || (depth > 0 && only_roots_)) return;
  Folder* folder = watch(path, kMoves | kFileChanges, walk);
  if (folder == nullptr) return walk_unwatched(path, depth, walk);
  if (walk->reached.insert(folder->watch).second) walk_entries(path, folder, depth, walk);
}

// Notes names, sizes and times of the files, to compare them at the next scan. Follows no link.
void WatchedTree::walk_unwatched(const std::string& path, std::size_t depth, Walk* walk) {
  const bool is_beyond = !only_roots_ && folders_.size() >= limits_.folders;
  if (!is_beyond || walk->unwatched.size() >= limits_.unwatched) return;
  std::size_t state = 0;  // in any order
  std::error_code error;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().string();
    struct stat found{};
    if (is_unwatched(name) || ::lstat(at->path().c_str(), &found) != 0) continue;
    if (S_ISDIR(found.st_mode)) {
      walk->waiting.push_back({child_of(path, name), depth + 1});
    } else {
      name += "/" + std::to_string(found.st_size) + "/" + std::to_string(found.st_mtim.tv_sec) +
              "/" + std::to_string(found.st_mtim.tv_nsec);
      state += std::hash<std::string>()(name);
    }
  }
  if (!error) walk->unwatched.emplace(path, state);
}

void WatchedTree::walk_entries(const std::string& path, Folder* folder, std::size_t depth,
                               Walk* walk) {
  Names files;
  std::vector<std::string> folders;
  std::vector<fs::path> links;
  std::error_code error;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().string();
    if (is_unwatched(name)) continue;
    std::error_code ignored;
    const auto kind = at->status(ignored).type();
    const bool is_link = at->symlink_status(ignored).type() == fs::file_type::symlink;
    if (is_link && kind != fs::file_type::regular && !only_roots_) {
      links.push_back(at->path());
    }
    if (kind == fs::file_type::directory) {
      folders.push_back(std::move(name));
    } else if (kind != fs::file_type::not_found && kind != fs::file_type::none) {
      files.insert(std::move(name));
    }
  }
  const auto changed = walk->changed;
  note_files(path, folder, std::move(files), walk);
  if (depth > 0 && walk->is_first_below) walk->changed = changed;
  folder->is_tree = true;
  for (const fs::path& link : links) walk_link(link, kMostLinks, walk);
  std::ranges::sort(folders);
  for (const std::string& name : folders) {
    walk->waiting.push_back({child_of(path, name), depth + 1});
  }
}

void WatchedTree::note_files(const std::string& path, Folder* folder, Names files, Walk* walk) {
  files_ -= folder->files.size();
  while (files.size() > limits_.files - std::min(files_, limits_.files)) {
    files.erase(std::prev(files.end()));
  }
  for (const std::string& name : folder->files) {
    if (!files.contains(name)) walk->changed = child_of(path, name);
  }
  for (const std::string& name : files) {
    if (!folder->files.contains(name)) walk->changed = child_of(path, name);
  }
  files_ += files.size();
  folder->files = std::move(files);
}

void WatchedTree::drop_unseen(Walk* walk) {
  for (auto at = folders_.begin(); at != folders_.end();) {
    auto& [path, folder] = *at;
    const bool is_seen = folder.seen == scans_;
    if (is_seen && (!folder.is_tree || walk->reached.contains(folder.watch))) {
      ++at;
      continue;
    }
    // Its files have gone with it; some of them were reported one by one.
    const bool is_counted = walk->changed && is_below(*walk->changed, path);
    if (!folder.files.empty() && !is_counted) walk->changed = path;
    files_ -= folder.files.size();
    if (is_seen) {  // no longer below a root, yet on the way to one
      folder.files.clear();
      folder.is_tree = false;
      ++at;
      continue;
    }
    ::inotify_rm_watch(inotify_.get(), folder.watch);
    const auto known = paths_.find(folder.watch);
    if (known != paths_.end() && known->second == path) paths_.erase(known);
    at = folders_.erase(at);
  }
}

WatchedTree::Changes WatchedTree::read() {
  Changes changes;
  alignas(inotify_event) std::array<char, 1 << 16> buffer;
  for (;;) {
    const ssize_t size = ::read(inotify_.get(), buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return changes;
    for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      at += sizeof(inotify_event) + event->len;
      take(event->wd, event->mask, event->len == 0 ? "" : event->name, &changes);
    }
  }
}

void WatchedTree::take(int watch, std::uint32_t mask, const char* name, Changes* changes) {
  if ((mask & IN_Q_OVERFLOW) != 0) {
    changes->scan_again = true;
    if (!changes->changed && !roots_.empty()) changes->changed = roots_[0].string();
    return;
  }
  const auto named = paths_.find(watch);
  if (named == paths_.end()) return;
  const auto found = folders_.find(named->second);
  if (found == folders_.end()) return;
  if ((mask & (IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)) != 0) {
    changes->scan_again = true;
    return;
  }
  const std::string_view entry(name);
  Folder& folder = found->second;
  if (folder.awaited.contains(entry) && (mask & kFileChanges) == 0) changes->scan_again = true;
  if (!folder.is_tree || is_unwatched(entry)) return;
  if ((mask & IN_ISDIR) != 0) {
    changes->scan_again = true;
    // Its content is not read then, so the folder itself counts.
    if (only_roots_) changes->changed = child_of(found->first, entry);
  } else {
    take_file(found->first, &folder, mask, std::string(entry), changes);
  }
}

void WatchedTree::take_file(const std::string& path, Folder* folder, std::uint32_t mask,
                            const std::string& name, Changes* changes) {
  std::string file = child_of(path, name);
  if ((mask & (IN_DELETE | IN_MOVED_FROM)) != 0) {
    // An unknown name was a link to a folder, or a file that disappeared at once.
    if (folder->files.erase(name) == 0) {
      changes->scan_again = true;
      return;
    }
    --files_;
  } else if (is_folder(file)) {
    changes->scan_again = true;
    return;
  } else if (!is_there(file)) {
    return;
  } else if (files_ < limits_.files && folder->files.insert(name).second) {
    ++files_;
  }
  changes->changed = std::move(file);
}

std::optional<std::string> WatchedTree::take_warning() { return std::exchange(warning_, {}); }

}  // namespace clawperator::agent_skills
