#pragma once
// Files to and from a device over its `sync:` service: stat, list, push, pull, of files and trees.
//
// One stream carries many requests. A small file is pushed as one write, and its answer is read
// later (at most 128 outstanding). Nothing is ever written outside the target of a pull, and no
// incomplete file has its final name.

#include "adbproto/client/compression.hpp"
#include "adbproto/client/device.hpp"
#include "adbproto/wire/sync.hpp"

namespace adbproto {

enum class KeepTimes { no, yes };  // -a: times and modes
enum class OnlyNewer { no, yes };  // --sync
enum class DryRun { no, yes };     // -n
enum class DotEntries { no, yes };

struct TransferResult {
  std::uint64_t files = 0;    // pushed or pulled
  std::uint64_t skipped = 0;  // up to date, or of a kind that cannot be moved (devices, sockets)
  std::uint64_t bytes = 0;
  std::chrono::microseconds took{};
  std::vector<std::string> warnings{};  // in adb's words if it has any
  std::vector<Error> unread{};          // unreadable parts of a pushed tree; the rest was pushed
};

// The result of one source.
struct SourceOutcome {
  enum class Kind { file, tree };
  std::string source{};
  Kind kind = Kind::file;
  TransferResult result{};
  std::optional<Error> error{};
};

struct TransferOptions {
  Compression compression = Compression::none;
  KeepTimes keep_times = KeepTimes::no;
  OnlyNewer only_newer = OnlyNewer::no;
  DryRun dry_run = DryRun::no;
  std::chrono::milliseconds stall_limit{30000};  // without a byte of progress
  // Called after each source; then a failed source does not end the transfer.
  std::function<void(const SourceOutcome&)> on_source{};
};

struct TransferProgress {
  std::string path{};           // the current file, by its source's name
  std::uint64_t file_done = 0;  // bytes, uncompressed
  std::uint64_t file_size = 0;
  std::uint64_t total_done = 0;
  std::uint64_t total_size = 0;  // 0: not known
};
using OnProgress = std::function<void(const TransferProgress&)>;

class PullSink;  // transfer.hpp

class SyncClient {
 public:
  // `device` must outlive this.
  static Task<std::unique_ptr<SyncClient>> open(Device* device);
  virtual ~SyncClient() = default;

  // lstat and stat; `error` in the result is the reason of a failure (v1: ENOENT for all zeros).
  virtual Task<SyncStat> lstat(std::string path) = 0;
  virtual Task<SyncStat> stat(std::string path) = 0;
  // `refused` when `path` is no directory. With dot entries it is the device's own list, which is
  // empty for such a path.
  virtual Task<std::vector<SyncEntry>> list(std::string path, DotEntries dots = DotEntries::no) = 0;

  // Arguments work as in `adb push` and `adb pull`: several sources need a directory as target, a
  // directory as target gets the source's name, a tree is copied recursively. Paths are checked
  // before the first byte is sent. The first source that fails, or cannot be read completely, ends
  // the transfer unless on_source is set.
  virtual Task<TransferResult> push(std::vector<std::string> local, std::string remote,
                                    TransferOptions options, OnProgress progress) = 0;
  virtual Task<TransferResult> pull(std::vector<std::string> remote, std::string local,
                                    TransferOptions options, OnProgress progress) = 0;

  // One file from memory, or into memory (at most `limit` bytes).
  virtual Task<void> put(std::string remote, std::uint32_t mode, Bytes content) = 0;
  virtual Task<Bytes> get(std::string remote, std::size_t limit) = 0;
  // Writes one file to a sink, which must outlive the task.
  virtual Task<void> get_into(std::string remote, PullSink* sink) = 0;
};

}  // namespace adbproto
