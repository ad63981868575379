#include "skills/agent/skill_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>

#include "base/file_handle.hpp"
#include "base/utf8.hpp"
#include "skills/agent/rules/frontmatter.hpp"

namespace clawperator::agent_skills {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFileName = "SKILL.md";
// A folder that links to itself ends here; Linux itself follows 40 links.
constexpr std::size_t kMaxDepth = 40;
constexpr std::size_t kMaxFolders = 50'000;  // below one root
constexpr std::size_t kMaxSkills = 20'000;   // a catalogue of thousands fits; each costs a read
constexpr std::size_t kMostRead = 1 << 20;   // of one file: its frontmatter is at its beginning
constexpr std::size_t kFirstRead = 4 << 10;

// The C library's directory stream makes twice as many system calls for each folder.
std::vector<std::string> names_in(const FileHandle& folder) {
  std::vector<std::string> names;
  alignas(dirent64) std::array<char, 16 << 10> listing;
  for (;;) {
    const ssize_t size = ::getdents64(folder.get(), listing.data(), listing.size());
    if (size <= 0) break;
    for (ssize_t at = 0; at < size;) {
      const auto* each = reinterpret_cast<const dirent64*>(listing.data() + at);
      at += each->d_reclen;
      const std::string_view name = each->d_name;
      if (name.starts_with('.') || name == "node_modules") continue;
      // An entry that can be neither a folder nor the file needs no stat.
      if (each->d_type == DT_REG && name != kFileName) continue;
      names.emplace_back(name);
    }
  }
  std::ranges::sort(names);
  return names;
}

Result<std::string> read_beginning(int root, const char* path) {
  const auto cannot = [&] { return fail(errc::io, std::strerror(errno)); };
  const FileHandle file(::openat(root, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return cannot();
  std::string text;
  for (std::size_t want = kFirstRead; text.size() < kMostRead; want = kMostRead) {
    const std::size_t before = text.size();
    text.resize(std::min(want, kMostRead));
    const ssize_t size = ::read(file.get(), text.data() + before, text.size() - before);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(0, size)));
    if (size < 0 && errno != EINTR) return cannot();
    if (size == 0 || end_of_frontmatter(text) != text.npos) return text;
  }
  return fail(errc::limit, "its frontmatter has no end within 1 MiB");
}

// An exception of the allocator would end another thread, so it is caught here.
Result<Entry> read_safely(const std::string& text, const std::string& folder_name) {
  try {
    return read_skill(text, folder_name);
  } catch (const std::exception& error) {
    return fail(errc::limit, error.what());
  }
}

// Helper threads for reading while this thread walks on; it does the rest of the work at the end.
class Readers {
 public:
  using Work = std::function<void()>;

  Readers() = default;
  ~Readers() { finish(); }
  Readers(const Readers&) = delete;
  Readers& operator=(const Readers&) = delete;

  void add(Work work) {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(std::move(work));
    const bool is_worth_it = ++added_ % kWorthAThread == 0 && threads_.size() < wanted_;
    if (is_worth_it) start_thread();
    if (!threads_.empty()) changed_.notify_one();
  }

  // Returns when all of the work is done.
  void finish() {
    {
      const std::scoped_lock lock(mutex_);
      is_all_ = true;
      changed_.notify_all();
    }
    run();
    threads_.clear();
  }

 private:
  void start_thread() {
    try {
      threads_.emplace_back([this] { run(); });
    } catch (const std::system_error&) {
      wanted_ = 0;  // the system gives no more threads
    }
  }

  void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_all_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const Work work = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      work();
    }
  }

  static constexpr std::size_t kWorthAThread = 32;
  // Four with this thread; more would take processors from others for milliseconds of work.
  static constexpr std::size_t kMostThreads = 3;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> waiting_;
  std::size_t added_ = 0;
  bool is_all_ = false;
  std::size_t wanted_ =
      std::min<std::size_t>(kMostThreads, std::thread::hardware_concurrency() - 1);
  std::vector<std::jthread> threads_;
};

}  // namespace

// A folder or a SKILL.md in its last known state.
struct SkillFiles::Node {
  std::string name{};
  std::string path{};
  Stamp stamp{};
  std::vector<Node> children{};  // of a folder, in the byte order of their names
  std::size_t stat_number = 0;   // of this walk; 0: none

  // Of a SKILL.md:
  Source source = Source::extra;
  std::shared_ptr<const Entry> entry{};  // null: it is no skill
  std::string reason{};
};

// Reads the stat of all known paths again, on several threads at once: nearly all of that time is
// the system's.
class SkillFiles::Stats {
 public:
  void clear() { stats_.clear(); }

  // Returns the number of its stat, from 1 on. The path must stay until read().
  std::size_t add(const char* path) {
    stats_.push_back({.path = path});
    return stats_.size();
  }

  void read(int root) {
    const std::span<Stat> all = stats_;
    std::size_t others = std::min<std::size_t>(
        {kMostOthers, std::thread::hardware_concurrency() - 1, all.size() / kWorthAThread});
    const std::size_t share = all.size() / (others + 1);
    std::vector<std::jthread> threads;
    try {
      while (threads.size() < others) {
        const auto part = all.subspan(threads.size() * share, share);
        threads.emplace_back([root, part] { read_part(root, part); });
      }
    } catch (const std::system_error&) {
      others = threads.size();  // no more threads are available: this thread reads the rest
    }
    read_part(root, all.subspan(others * share));
  }

  // nullptr: the path does not exist.
  [[nodiscard]] const struct stat* found(std::size_t number) const {
    const Stat& stat = stats_[number - 1];
    return stat.is_there ? &stat.found : nullptr;
  }

 private:
  struct Stat {
    const char* path;
    struct stat found{};
    bool is_there = false;
  };

  static void read_part(int root, std::span<Stat> part) {
    for (Stat& each : part) each.is_there = ::fstatat(root, each.path, &each.found, 0) == 0;
  }

  static constexpr std::size_t kWorthAThread = 256;
  static constexpr std::size_t kMostOthers = 3;  // as kMostThreads

  std::vector<Stat> stats_;
};

class SkillFiles::Walk {
 public:
  Walk(SkillFiles* files, const fs::path& root, Source source, const ScanRules& rules,
       std::vector<std::string>* warnings)
      : files_(files), source_(source), rules_(rules), warnings_(warnings) {
    std::error_code ignored;
    if (rules.contained) root_ = fs::canonical(root, ignored).string() + "/";
    open_root_ = FileHandle(::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    skip_ = root.string().size() + 1;
  }

  // Reads the stats of everything known below the folder, all at once.
  void read_stats(Node* folder) {
    stats_->clear();
    add_stats(folder);
    stats_->read(open_root_.get());
  }

  // `found`: the stat of the folder.
  void enter(Node* folder, const struct stat& found, std::size_t depth) {
    if (depth > kMaxDepth || seen_.size() >= kMaxFolders) {
      return warn(folder->path, "too many folders");
    }
    if (!seen_.emplace(found.st_dev, found.st_ino).second) return;
    list(folder, stamp_of(found, now_));
    for (Node& child : folder->children) {
      struct stat anew{};
      const struct stat* what = found_of(&child, &anew);
      if (!what) continue;
      if (S_ISDIR(what->st_mode)) {
        if (is_inside(child.path)) enter(&child, *what, depth + 1);
      } else if (S_ISREG(what->st_mode) && child.name == kFileName && is_inside(child.path)) {
        add(&child, *folder, *what);
      }
    }
  }

  std::vector<std::shared_ptr<const Entry>> take() {
    readers_.finish();
    std::vector<std::shared_ptr<const Entry>> entries;
    entries.reserve(candidates_.size());
    for (const Node* file : candidates_) {
      if (!file->entry) {
        warn(file->path, file->reason);
      } else if (entries.size() >= rules_.max_loaded) {
        warn(file->path, "over the limit of its source");
      } else {
        entries.push_back(file->entry);
      }
    }
    return entries;
  }

 private:
  void add_stats(Node* folder) {
    for (Node& child : folder->children) {
      child.stat_number = stats_->add(within_root(child.path));
      add_stats(&child);
    }
  }

  // nullptr: the path does not exist. `anew` stores the stat of a path that was not read before.
  const struct stat* found_of(Node* node, struct stat* anew) {
    if (const std::size_t number = std::exchange(node->stat_number, 0)) {
      return stats_->found(number);
    }
    const bool is_there = ::fstatat(open_root_.get(), within_root(node->path), anew, 0) == 0;
    return is_there ? anew : nullptr;
  }

  // The path relative to the root, which the system resolves faster.
  [[nodiscard]] const char* within_root(const std::string& path) const {
    return path.size() < skip_ ? "." : path.c_str() + skip_;
  }

  void warn(const std::string& path, std::string_view reason) {
    warnings_->push_back(path + ": " + std::string(reason));
  }

  bool is_inside(const std::string& path) {
    if (!rules_.contained) return true;
    std::error_code error;
    if ((fs::canonical(path, error).string() + "/").starts_with(root_)) return true;
    warn(path, "a link leads out of the folder of skills");
    return false;
  }

  // Entries that still exist keep their parsed content.
  void list(Node* folder, const Stamp& stamp) {
    if (stamp.confirms(folder->stamp)) return;
    folder->stamp = stamp;
    const FileHandle open(
        ::openat(open_root_.get(), within_root(folder->path), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!open.is_open()) folder->stamp = {};  // it is read again
    std::vector<Node> before = std::exchange(folder->children, {});
    auto known = before.begin();
    for (std::string& name : names_in(open)) {
      known = std::ranges::lower_bound(known, before.end(), name, {}, &Node::name);
      if (known != before.end() && known->name == name) {
        folder->children.push_back(std::move(*known++));
      } else {
        std::string path = folder->path + "/" + name;
        folder->children.push_back({.name = std::move(name), .path = std::move(path)});
        ++files_->kept_;
      }
    }
  }

  void add(Node* file, const Node& folder, const struct stat& found) {
    const std::size_t most = std::min(rules_.max_candidates, kMaxSkills);
    if (++seen_skills_ > most) {
      if (seen_skills_ == most + 1) {
        warn(file->path, "there are more skills than the limit allows");
      }
    } else if (static_cast<std::size_t>(found.st_size) > rules_.max_file_bytes) {
      warn(file->path, "over " + std::to_string(rules_.max_file_bytes) + " bytes");
    } else {
      const Stamp stamp = stamp_of(found, now_);
      candidates_.push_back(file);
      if (stamp.confirms(file->stamp) && file->source == source_) return;
      file->stamp = stamp;
      file->source = source_;
      file->entry = nullptr;
      readers_.add([this, file, &folder] { read(file, folder.path); });
    }
  }

  void read(Node* file, const std::string& folder) const {
    const auto text = read_beginning(open_root_.get(), within_root(file->path));
    if (!text && text.error().code() == errc::io) file->stamp = {};  // it is read again
    const std::string name = valid_utf8(folder.substr(folder.rfind('/') + 1));
    auto entry = text ? read_safely(*text, name) : Result<Entry>(std::unexpected(text.error()));
    if (!entry) {
      file->reason = entry.error().message();
      return;
    }
    entry->skill.file_path = file->path;
    entry->skill.base_dir = folder;
    entry->skill.source = source_;
    file->entry = std::make_shared<const Entry>(*std::move(entry));
  }

  SkillFiles* files_;
  Source source_;
  const ScanRules& rules_;
  std::vector<std::string>* warnings_;
  std::string root_;
  FileHandle open_root_;
  std::size_t skip_ = 0;
  std::int64_t now_ = file_clock_now();
  std::set<std::pair<dev_t, ino_t>> seen_;
  std::size_t seen_skills_ = 0;
  std::vector<const Node*> candidates_;
  Stats* stats_ = files_->stats_.get();
  Readers readers_;
};

SkillFiles::SkillFiles() : stats_(std::make_unique<Stats>()) {}
SkillFiles::~SkillFiles() = default;

std::vector<std::shared_ptr<const Entry>> SkillFiles::below(const fs::path& root, Source source,
                                                            const ScanRules& rules,
                                                            std::vector<std::string>* warnings) {
  struct stat found{};
  if (root.empty() || ::stat(root.c_str(), &found) != 0 || !S_ISDIR(found.st_mode)) return {};
  // Bounds the memory of a process that stays; beyond it everything is read again.
  constexpr std::size_t kMostNodes = 100'000;
  if (kept_ > kMostNodes) {
    roots_.clear();
    stats_ = std::make_unique<Stats>();
    kept_ = 0;
  }
  std::unique_ptr<Node>& folder = roots_[root.string()];
  if (!folder) folder = std::make_unique<Node>(Node{.path = root.string()});
  Walk walk(this, root, source, rules, warnings);
  walk.read_stats(folder.get());
  walk.enter(folder.get(), found, 0);
  return walk.take();
}

}  // namespace clawperator::agent_skills
