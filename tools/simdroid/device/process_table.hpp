#pragma once
// The processes that `ps` lists and `kill` ends: a few that always exist, and those that adbd
// started.

#include <functional>
#include <map>
#include <string>

namespace simdroid {

struct ProcessEntry {
  std::string user;
  std::string name;
  std::function<void()> kill;         // empty: belongs to the system, the shell may not
  std::function<void()> interrupt{};  // SIGINT, where that is something else than to be killed
};

class ProcessTable {
 public:
  int add(ProcessEntry entry) {
    const int pid = next_pid_++;
    entries_[pid] = std::move(entry);
    return pid;
  }
  // Waits until the process has ended or no longer runs the work.
  void catch_interrupts(int pid, std::function<void()> interrupt) {
    const auto at = entries_.find(pid);
    if (at != entries_.end()) at->second.interrupt = std::move(interrupt);
  }
  void put(int pid, ProcessEntry entry) { entries_[pid] = std::move(entry); }
  void remove(int pid) { entries_.erase(pid); }
  [[nodiscard]] const std::map<int, ProcessEntry>& all() const { return entries_; }
  [[nodiscard]] int pid_of(std::string_view name) const {
    for (const auto& [pid, entry] : entries_) {
      if (entry.name == name) return pid;
    }
    return 0;
  }

 private:
  std::map<int, ProcessEntry> entries_;
  int next_pid_ = 4000;
};

}  // namespace simdroid
