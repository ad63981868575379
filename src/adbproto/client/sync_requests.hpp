#pragma once
// Questions to a `sync:` service that move no files: stat, list, and both for whole trees with many
// questions on the way at once. A service that was lost is opened again for the next question.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "adbproto/client/sync_channel.hpp"

namespace adbproto {

class SyncRequests {
 public:
  explicit SyncRequests(Device* device) : device_(device) {}

  // Valid until a run on it fails.
  Task<SyncChannel*> channel();
  [[nodiscard]] bool has(std::string_view feature) const {
    return device_->features().has(feature);
  }

  Task<SyncStat> lstat(std::string path);
  // v1 knows only lstat; "link/" is the directory a link leads to, if it does.
  Task<SyncStat> stat(std::string path);
  Task<std::vector<SyncStat>> lstats(std::vector<std::string> paths);
  // Lists what the device says: with "." and "..", and nothing for what is no directory. At most 32
  // MiB.
  Task<std::vector<SyncEntry>> list(std::string path);
  // Asks the device until the plan is complete.
  Task<void> complete(PullPlan* plan);

 private:
  using Question = PullPlan::Question;

  [[nodiscard]] SyncId list_id() const;
  [[nodiscard]] SyncAnswerTo list_answer() const;
  [[nodiscard]] SyncAnswerTo stat_answer() const;
  Task<SyncStat> ask_stat(SyncId id, std::string path);
  Task<void> ask(SyncId id, SyncAnswerTo answer, std::string path);
  Task<void> ask_lstats(const std::vector<std::string>* paths);
  Task<void> ask_all(const std::vector<Question>* questions);
  Task<void> take_stat(SyncStat* into);
  Task<void> take_stats(std::vector<SyncStat>* into, std::size_t count);
  using OnEntry = std::function<Result<void>(SyncEntry)>;
  Task<void> take_list(OnEntry on_entry);
  Task<void> take_all(const std::vector<Question>* questions, PullPlan* plan);

  Device* device_;
  std::unique_ptr<SyncChannel> channel_;
};

}  // namespace adbproto
