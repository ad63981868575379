#pragma once
// Which of the hierarchies in the log are our command's. Pure; texts are put together elsewhere.
//
//   hierarchies of every process are held  -- our result --> those of the process that wrote it
//
// The app runs one command at a time, and most versions log when one begins: what was drawn while
// another ran, or before ours began, is not ours. A hierarchy keeps its place from its first line
// on, so one that never becomes whole is never taken for its neighbour.

#include <deque>
#include <map>

#include "base/prelude.hpp"

namespace clawperator {

// What keeps a hierarchy from being the truth.
enum class Flaw : std::uint8_t { none, lost, cut, too_long };

struct Hierarchy {
  std::string text;
  Flaw flaw = Flaw::none;
  std::optional<std::string> problem{};  // once it was looked for, by post_process; else absent

  bool operator==(const Hierarchy&) const = default;
};

inline constexpr std::size_t kMaxHeldHierarchies = std::size_t{64} << 20;  // bytes, all together

class HierarchyShelf {
 public:
  using Slot = std::uint64_t;

  // Keeps the last `limit` of each process.
  explicit HierarchyShelf(std::size_t limit) : limit_(limit) {}

  // A hierarchy begins. Nothing when it cannot be ours. `named`: its marker names our command
  // (true) or another one (false).
  std::optional<Slot> begin(std::int32_t pid, std::optional<bool> named);
  void finish(std::int32_t pid, Slot slot, Hierarchy hierarchy);

  // The app says what becomes of a command: queued, start, stage-start, success, ...
  void on_command(std::int32_t pid, bool ours, std::string_view verb);
  void on_foreign_result(std::int32_t pid);
  // Ours. `wanted`: how many hierarchies it speaks of.
  void on_result(std::int32_t pid, std::size_t wanted);

  // Whether reading on may bring one that our result speaks of.
  [[nodiscard]] bool awaits_more() const;
  // After our result; in the order in which they began. An unfinished one is `lost`.
  std::vector<Hierarchy> take();

  [[nodiscard]] std::size_t held() const { return held_; }

 private:
  enum class Owner { unknown, ours, other };
  struct Candidate {
    Slot slot = 0;
    Owner owner = Owner::unknown;
    std::uint64_t stage = 0;
    bool open = true;
    Hierarchy hierarchy;
  };
  struct Process {
    Owner running = Owner::unknown;
    bool told = false;        // it says when our command begins
    std::uint64_t stage = 0;  // how often it has said anything of a command
    std::deque<Candidate> candidates;
    std::uint64_t last_use = 0;
  };

  Process& process(std::int32_t pid);
  void drop(Process& process, std::optional<Owner> owner);
  void drop_doubles(Process& process) const;
  [[nodiscard]] bool takes_more() const;
  void keep_bounded();

  std::size_t limit_;
  std::map<std::int32_t, Process> processes_;
  std::optional<std::int32_t> ours_;
  std::size_t wanted_ = 0;
  bool over_ = false;  // another command has begun behind our result
  Slot next_slot_ = 0;
  std::uint64_t uses_ = 0;
  std::size_t held_ = 0;  // bytes
};

}  // namespace clawperator
