#include "runtime/engine/hierarchy_shelf.hpp"

#include <algorithm>

namespace clawperator {
namespace {

constexpr std::size_t kSpare = 4;  // hierarchies that came twice, beyond the wanted ones

}  // namespace

std::optional<HierarchyShelf::Slot> HierarchyShelf::begin() {
  if (limit_ == 0) return std::nullopt;
  if (candidates_.size() == 2 * limit_ + kSpare) {
    held_ -= candidates_.front().hierarchy.text.size();
    candidates_.pop_front();
  }
  candidates_.push_back({next_slot_, stage_, {.flaw = Flaw::lost}});
  return next_slot_++;
}

void HierarchyShelf::finish(Slot slot, Hierarchy hierarchy) {
  const auto candidate = std::ranges::find(candidates_, slot, &Candidate::slot);
  if (candidate == candidates_.end()) return;
  held_ += hierarchy.text.size();
  candidate->hierarchy = std::move(hierarchy);
  keep_bounded();
}

// The oldest text is dropped, but its place stays.
void HierarchyShelf::keep_bounded() {
  while (held_ > kMaxHeldHierarchies) {
    const auto oldest = std::ranges::find_if(
        candidates_, [](const Candidate& each) { return !each.hierarchy.text.empty(); });
    held_ -= oldest->hierarchy.text.size();
    oldest->hierarchy = {.flaw = Flaw::too_long};
  }
}

// A log may hold an entry twice. One of two equal neighbours is dropped where the app, which writes
// a line before each step, wrote no line between them.
void HierarchyShelf::drop_doubles() {
  const auto [first, last] = std::ranges::unique(candidates_, [](const auto& one, const auto& two) {
    return one.stage == two.stage && one.hierarchy == two.hierarchy;
  });
  candidates_.erase(first, last);
}

std::vector<Hierarchy> HierarchyShelf::take() {
  drop_doubles();
  std::vector<Hierarchy> taken;
  for (Candidate& candidate : candidates_) taken.push_back(std::move(candidate.hierarchy));
  candidates_.clear();
  held_ = 0;
  return taken;
}

}  // namespace clawperator
