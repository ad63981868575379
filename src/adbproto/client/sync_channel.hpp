#pragma once
// One `sync:` stream. Requests are sent and answers read at the same time, so that neither side can
// block the other for ever.
//
//   send ----requests----> stream        run() does both beside each other until both have ended,
//   receive <--answers---- stream        or nothing has moved for the stall limit.

#include "adbproto/client/device.hpp"
#include "adbproto/session/sync_transfer.hpp"
#include "adbproto/wire/sync_reader.hpp"
#include "base/async/signal.hpp"

namespace adbproto {

class SyncChannel {
 public:
  static Task<std::unique_ptr<SyncChannel>> open(Device* device);
  enum class Link { direct, through_server };
  SyncChannel(ByteStreamPtr stream, asio::any_io_executor executor, Link link = Link::direct);

  void expect(SyncAnswerTo request) { reader_.expect(request); }
  Task<void> write(ByteView bytes);
  // The data of an answer is valid until the next call.
  Task<SyncResponse> next();

  // Lets the link work before a long computation, because both use one thread.
  static asio::awaitable<void> breathe();

  // Runs both tasks. A failed task ends the other; returns the first error. A stream error of the
  // sending side waits until the receiving side has read the rest.
  Task<void> run(Task<void> send, Task<void> receive, std::chrono::milliseconds stall_limit);

  // The requests of a run, shared by both tasks.
  RequestWindow& window() { return window_; }
  void sent(std::uint64_t bytes) { window_.sent(bytes); }
  void answered();
  // Waits until half of the window is free.
  Task<void> wait_for_room();

  // After an error or a cancelled run no further request is possible: late answers would be taken
  // for those of the next run.
  [[nodiscard]] bool is_broken() const { return error_.has_value() || is_running_; }
  void close();

 private:
  enum class Side { send, receive };
  asio::awaitable<void> guard(Task<void> task, Side side);
  asio::awaitable<void> watch(std::chrono::milliseconds stall_limit);
  void give_up(Error why);

  ByteStreamPtr stream_;
  Link link_;
  SyncResponseReader reader_;
  Bytes buffer_;
  RequestWindow window_;
  Signal room_;
  std::optional<Error> error_;
  std::optional<Error> write_error_;
  bool is_running_ = false;
  std::uint64_t moved_ = 0;  // grows with every byte; the watch compares it
};

// Queries to a `sync:` service that move no files: stat, list, and both for whole trees with many
// queries in flight. A lost service is opened again for the next query.

class SyncRequests {
 public:
  explicit SyncRequests(Device* device) : device_(device) {}

  // Valid until a run on it fails.
  Task<SyncChannel*> channel();
  [[nodiscard]] bool has(std::string_view feature) const {
    return device_->features().has(feature);
  }

  Task<SyncStat> lstat(std::string path);
  // v1 has only lstat; "link/" is the directory that a link leads to, if it does.
  Task<SyncStat> stat(std::string path);
  Task<std::vector<SyncStat>> lstats(std::vector<std::string> paths);
  // The device's list with "." and ".."; empty for a path that is no directory. At most 32 MiB.
  Task<std::vector<SyncEntry>> list(std::string path);
  // Queries the device until the plan is complete.
  Task<void> complete(PullPlan* plan);

 private:
  using Question = PullPlan::Question;

  [[nodiscard]] SyncId list_id() const;
  [[nodiscard]] SyncAnswerTo list_answer() const;
  [[nodiscard]] SyncAnswerTo stat_answer() const;
  Task<SyncStat> query_stat(SyncId id, std::string path);
  Task<void> send_request(SyncId id, SyncAnswerTo answer, std::string path);
  Task<void> send_lstats(const std::vector<std::string>* paths);
  Task<void> send_all(const std::vector<Question>* questions);
  Task<void> take_stat(SyncStat* into);
  Task<void> take_stats(std::vector<SyncStat>* into, std::size_t count);
  using OnEntry = std::function<Result<void>(SyncEntry)>;
  Task<void> take_list(OnEntry on_entry);
  Task<void> take_all(const std::vector<Question>* questions, PullPlan* plan);

  Device* device_;
  std::unique_ptr<SyncChannel> channel_;
};

}  // namespace adbproto
