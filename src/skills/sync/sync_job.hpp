#pragma once
// One sync on a thread of its own, which its caller may have to leave behind: libgit2's ssh has no
// time limit. From give_up() on the thread writes nothing any more.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>

#include "base/file_handle.hpp"
#include "skills/sync/checkout.hpp"
#include "skills/sync/skills_sync.hpp"

namespace clawperator::skills {

class SyncJob {
 public:
  explicit SyncJob(SyncOptions options);
  ~SyncJob() = default;
  SyncJob(const SyncJob&) = delete;
  SyncJob& operator=(const SyncJob&) = delete;

  // On its thread, once.
  Result<SyncReport> run();

  // On the caller's: asks it to stop and waits for that a moment; where it has begun to write,
  // until that is done. What it came to, if it did; else what it left is removed.
  std::optional<Result<SyncReport>> give_up();

 private:
  enum class Phase { fetching, writing, given_up };

  Result<SyncReport> sync();
  Result<void> lock();
  Result<void> lock_registry_if_there();
  void remove_leftovers() const;
  Result<SyncReport> install();
  Result<SyncReport> update();
  Result<SyncReport> fetch_into(Checkout& checkout, const std::string& given);
  Result<void> begin_to_write();

  SyncOptions options_;
  std::stop_source stop_;
  std::atomic<Phase> phase_ = Phase::fetching;
  FileHandle lock_;
  FileHandle registry_lock_;  // no `skills new` meanwhile
  std::mutex mutex_;
  std::condition_variable ended_;
  std::optional<Result<SyncReport>> outcome_;  // guarded by mutex_
};

}  // namespace clawperator::skills
