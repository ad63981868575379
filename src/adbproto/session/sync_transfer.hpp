#pragma once
// The pure part of file transfers: the unanswered requests of a `sync:` stream, the names in paths,
// and the walk of a tree on the device.
//
//   PullPlan:  directory --LIST--> files, specials, links --STAT--> files, further directories

#include <deque>

#include "adbproto/wire/sync.hpp"
#include "base/error.hpp"

namespace adbproto {

enum class FileKind { missing, regular, directory, link, device, other };
FileKind kind_of(std::uint32_t mode);
// adb's warning for a file that cannot be copied.
std::string special_file_warning(std::string_view path, std::uint32_t mode);

// The last name of a path, like basename(1): "a/b/" -> "b", "/" -> "/".
std::string_view base_name(std::string_view path);
// Joins both with exactly one '/'.
std::string join_path(std::string_view folder, std::string_view name);
// The local name of a remote path in a folder: empty for "/" and "." (the folder itself); `refused`
// for ".." and for names with a NUL.
Result<std::string> local_name_of(std::string_view remote);

// Requests are answered in their order; at most kMaxOutstanding are unanswered.
class RequestWindow {
 public:
  static constexpr std::size_t kMaxOutstanding = 128;  // like adb: it defers up to 128 answers

  [[nodiscard]] bool may_send() const { return sizes_.size() < kMaxOutstanding; }
  // There is so much room that waiting for more would not make the next write larger.
  [[nodiscard]] bool is_half_empty() const { return sizes_.size() <= kMaxOutstanding / 2; }
  [[nodiscard]] std::size_t outstanding() const { return sizes_.size(); }

  // `bytes` that the peer must read before it can answer.
  void sent(std::uint64_t bytes);
  void answered();

  // The seconds that handed-over bytes may need on a slow link although no progress is visible: a
  // server and a kernel hold up to 32 MiB.
  [[nodiscard]] unsigned drain_seconds() const;

 private:
  std::deque<std::uint64_t> sizes_;
  std::uint64_t bytes_ = 0;
};

struct PullItem {
  std::string remote{};
  std::string local{};  // relative to the target
  std::uint64_t size = 0;
  std::int64_t mtime = 0;
  std::uint32_t mode = 0;

  bool operator==(const PullItem&) const = default;
};

// A tree on the device, listed breadth first. Links are followed, except into a directory that
// contains them.
class PullPlan {
 public:
  // A real backup fits; a hostile phone's endless tree ends here.
  static constexpr std::size_t kMaxEntries = 4'000'000;
  // Bounds the names held in memory: a hostile phone invents folders without an end.
  static constexpr std::size_t kMaxHeld = std::size_t{64} << 20;
  // Real trees are a few dozen folders deep; an endless one stops here.
  static constexpr std::size_t kMaxDepth = 256;

  struct Question {
    enum class Kind { list, stat } kind{};
    std::string remote{};

    bool operator==(const Question&) const = default;
  };

  PullPlan(std::string remote_root, const SyncStat& stat);

  // The next queries, at most `limit`; all may be sent at once. Empty: the plan is complete.
  [[nodiscard]] std::vector<Question> questions(std::size_t limit) const;
  // The answers, in the order of the queries.
  Result<void> on_entry(const SyncEntry& entry);  // of the oldest question, a list
  void on_list_end();
  Result<void> on_stat(const SyncStat& stat);

  [[nodiscard]] const std::vector<std::string>& folders() const { return folders_; }  // relative
  [[nodiscard]] const std::vector<PullItem>& files() const { return files_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
  [[nodiscard]] std::uint64_t skipped() const { return skipped_; }

 private:
  using Identity = std::pair<std::uint64_t, std::uint64_t>;  // dev, ino
  struct Pending {
    Question question;
    std::string local;
    std::vector<Identity> within;  // the directories above and itself; empty with v1
  };
  void add_folder(std::string remote, std::string local, const SyncStat& stat,
                  std::vector<Identity> within);
  void add_file(std::string remote, std::string local, const SyncStat& stat);

  std::deque<Pending> pending_;
  std::vector<std::string> folders_;
  std::vector<PullItem> files_;
  std::vector<std::string> warnings_;
  std::uint64_t skipped_ = 0;
  std::size_t entries_ = 0;
  std::size_t held_ = 0;
};

}  // namespace adbproto
