#pragma once
// The hierarchies that the app logs while it runs our command. Pure; their texts are assembled
// elsewhere.
// A hierarchy keeps its place from its first line on, so one that stays incomplete is never
// replaced by its neighbour.

#include <deque>

#include "base/prelude.hpp"

namespace clawperator {

// Why a hierarchy cannot be used.
enum class Flaw : std::uint8_t { none, lost, cut, too_long };

struct Hierarchy {
  std::string text{};
  Flaw flaw = Flaw::none;
  bool by_log = true;                    // else the envelope held it
  std::optional<std::string> problem{};  // set by post_process once it was checked; else absent

  bool operator==(const Hierarchy&) const = default;
};

inline constexpr std::size_t kMaxHeldHierarchies = std::size_t{64} << 20;  // bytes, all together

class HierarchyShelf {
 public:
  using Slot = std::uint64_t;

  // Keeps all of a plan with `limit` snapshots, and some that came twice.
  explicit HierarchyShelf(std::size_t limit) : limit_(limit) {}

  // Begins a hierarchy. Returns nothing where none is wanted.
  std::optional<Slot> begin();
  void finish(Slot slot, Hierarchy hierarchy);
  // The app wrote a line of the command: the next hierarchy belongs to another step.
  void next_stage() { ++stage_; }

  // In the order of their beginnings. An unfinished one is `lost`.
  std::vector<Hierarchy> take();

  [[nodiscard]] std::size_t held() const { return held_; }

 private:
  struct Candidate {
    Slot slot = 0;
    std::uint64_t stage = 0;
    Hierarchy hierarchy;
  };

  void drop_doubles();
  void keep_bounded();

  std::size_t limit_;
  std::deque<Candidate> candidates_;
  std::uint64_t stage_ = 0;
  Slot next_slot_ = 0;
  std::size_t held_ = 0;  // bytes
};

}  // namespace clawperator
