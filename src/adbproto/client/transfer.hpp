#pragma once
// Files over a `sync:` stream: reads and writes local files and moves the bytes. session/sync_push
// makes the requests of a push: large files go in blocks of 15 DATA records, compressed on request.
// A pull sends many RECV requests at once, and writes their answers as they arrive.

#include "adbproto/client/local_files.hpp"
#include "adbproto/client/sync_channel.hpp"
#include "adbproto/client/sync_client.hpp"
#include "adbproto/session/sync_push.hpp"

namespace adbproto {

// A part of a push or a pull of several files. `done` counts files as they arrive; the pointers
// outlive the task.
struct TransferJob {
  SyncChannel* channel = nullptr;
  const FeatureSet* features = nullptr;
  TransferOptions options{};
  const OnProgress* progress = nullptr;
  TransferResult* done = nullptr;
};

Task<void> push_files(TransferJob job, std::vector<PushItem> files);

// Receives files one after the other, in the order of the requests.
class PullSink {
 public:
  virtual ~PullSink() = default;
  // `item` and `bytes` stay alive until the task has ended.
  virtual Task<void> begin(const PullItem* item) = 0;
  virtual Task<void> write(ByteView bytes) = 0;
  virtual Result<void> end(const PullItem& item) = 0;
  // The local name of the item, for messages.
  [[nodiscard]] virtual std::string name_of(const PullItem& item) const = 0;
};

Task<void> pull_files(TransferJob job, std::vector<PullItem> items, PullSink* sink);

// Targets of pulled files: memory, a name from the user, or a tree of folders.

// Into memory, at most `limit` bytes.
class MemorySink final : public PullSink {
 public:
  explicit MemorySink(std::size_t limit) : limit_(limit) {}
  Task<void> begin(const PullItem*) override { co_return ok(); }
  Task<void> write(ByteView bytes) override {
    if (bytes.size() > limit_ - content.size()) {
      co_return fail(errc::limit, "file is larger than " + std::to_string(limit_) + " bytes");
    }
    append(content, bytes);
    co_return ok();
  }
  Result<void> end(const PullItem&) override { return ok(); }
  [[nodiscard]] std::string name_of(const PullItem&) const override { return "memory"; }

  Bytes content;

 private:
  std::size_t limit_;
};

// Writes one file whose name the user gave, or a tree below a folder.
class FileSink : public PullSink {
 public:
  explicit FileSink(KeepTimes keep_times) : keep_times_(keep_times) {}
  // A pipe as target waits for its reader.
  Task<void> begin(const PullItem* item) override;
  Task<void> write(ByteView bytes) override;
  Result<void> end(const PullItem& item) override {
    std::optional<KeptAttributes> kept;
    if (keep_times_ == KeepTimes::yes) kept.emplace(item.mtime, item.mode);
    TRY_VOID(file_->commit(kept));
    file_.reset();
    return ok();
  }

 private:
  virtual Result<NewFile> create(const PullItem& item) = 0;
  KeepTimes keep_times_;
  std::optional<NewFile> file_;
};

class TreeSink final : public FileSink {
 public:
  TreeSink(PullTarget target, KeepTimes keep_times)
      : FileSink(keep_times), target_(std::move(target)) {}
  PullTarget& target() { return target_; }
  [[nodiscard]] std::string name_of(const PullItem& item) const override {
    return target_.name_of(item.local);
  }

 private:
  Result<NewFile> create(const PullItem& item) override { return target_.create(item.local); }
  PullTarget target_;
};

class NamedSink final : public FileSink {
 public:
  NamedSink(FolderPtr folder, KeepTimes keep_times)
      : FileSink(keep_times), folder_(std::move(folder)) {}
  [[nodiscard]] std::string name_of(const PullItem& item) const override { return item.local; }

 private:
  Result<NewFile> create(const PullItem& item) override {
    const std::string name = item.local.substr(item.local.rfind('/') + 1);
    return NewFile::create(folder_, name, item.local, Special::written_to);
  }
  FolderPtr folder_;
};

// The folder of a file with this path.
Result<FolderPtr> open_folder_of(const std::string& path);

}  // namespace adbproto
