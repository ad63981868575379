#include "runtime/engine/hierarchy_shelf.hpp"

#include <algorithm>

namespace clawperator {
namespace {

constexpr std::size_t kMaxProcesses = 64;
constexpr std::size_t kSpare = 4;  // hierarchies that came twice, beyond those asked for

std::size_t text_size(const auto& candidates) {
  std::size_t size = 0;
  for (const auto& candidate : candidates) size += candidate.hierarchy.text.size();
  return size;
}

}  // namespace

// A process that speaks of our command is never pushed out by the others.
HierarchyShelf::Process& HierarchyShelf::process(std::int32_t pid) {
  if (processes_.size() >= kMaxProcesses && !processes_.contains(pid)) {
    const auto oldest = std::ranges::min_element(processes_, {}, [](const auto& entry) {
      return std::pair(entry.second.told, entry.second.last_use);
    });
    drop(oldest->second, std::nullopt);
    processes_.erase(oldest);
  }
  Process& found = processes_[pid];
  found.last_use = ++uses_;
  return found;
}

void HierarchyShelf::drop(Process& process, std::optional<Owner> owner) {
  std::erase_if(process.candidates, [&](const Candidate& candidate) {
    const bool dropped = !owner || candidate.owner == *owner;
    if (dropped) held_ -= candidate.hierarchy.text.size();
    return dropped;
  });
}

// The app writes a hierarchy before the result that speaks of it; where it does not tell what it
// runs, one that comes late is waited for.
bool HierarchyShelf::takes_more() const {
  const Process& process = processes_.at(*ours_);
  return !over_ && !process.told && process.candidates.size() < wanted_;
}

std::optional<HierarchyShelf::Slot> HierarchyShelf::begin(std::int32_t pid,
                                                          std::optional<bool> named) {
  if (limit_ == 0 || named == false) return std::nullopt;
  if (ours_ && (pid != *ours_ || !takes_more())) return std::nullopt;
  Process& at = process(pid);
  const Owner owner = named ? Owner::ours : at.running;
  if (owner == Owner::other) return std::nullopt;
  if (at.candidates.size() == 2 * limit_ + kSpare) {
    held_ -= at.candidates.front().hierarchy.text.size();
    at.candidates.pop_front();
  }
  at.candidates.push_back({next_slot_, owner, at.stage, true, {{}, Flaw::lost}});
  return next_slot_++;
}

void HierarchyShelf::finish(std::int32_t pid, Slot slot, Hierarchy hierarchy) {
  const auto at = processes_.find(pid);
  if (at == processes_.end()) return;
  const auto candidate = std::ranges::find(at->second.candidates, slot, &Candidate::slot);
  if (candidate == at->second.candidates.end()) return;
  candidate->open = false;
  held_ += hierarchy.text.size();
  candidate->hierarchy = std::move(hierarchy);
  keep_bounded();
}

// Whoever holds most loses first, but not the place of what it held.
void HierarchyShelf::keep_bounded() {
  while (held_ > kMaxHeldHierarchies) {
    const auto biggest = std::ranges::max_element(
        processes_, {}, [](const auto& entry) { return text_size(entry.second.candidates); });
    auto& candidates = biggest->second.candidates;
    const auto oldest = std::ranges::find_if(
        candidates, [](const Candidate& candidate) { return !candidate.hierarchy.text.empty(); });
    held_ -= oldest->hierarchy.text.size();
    oldest->hierarchy = {{}, Flaw::too_long};
  }
}

void HierarchyShelf::on_command(std::int32_t pid, bool ours, std::string_view verb) {
  if (verb == "queued") return;
  if (ours_) {
    over_ = over_ || (pid == *ours_ && !ours);
    return;
  }
  Process& at = process(pid);
  ++at.stage;
  if (!ours) {
    drop(at, Owner::unknown);
    const bool ended = verb == "success" || verb == "failure";
    at.running = ended ? Owner::unknown : Owner::other;
    return;
  }
  // Where the line of the start itself was lost, that of a stage tells as well.
  const bool starts_late = verb == "stage-start" && at.running != Owner::ours;
  if (verb == "start" || starts_late) drop(at, std::nullopt);
  at.running = Owner::ours;
  at.told = true;
}

void HierarchyShelf::on_foreign_result(std::int32_t pid) {
  if (ours_) {
    over_ = over_ || pid == *ours_;
    return;
  }
  const auto at = processes_.find(pid);
  if (at == processes_.end()) return;
  drop(at->second, Owner::unknown);
  at->second.running = Owner::unknown;
}

void HierarchyShelf::on_result(std::int32_t pid, std::size_t wanted) {
  ours_ = pid;
  wanted_ = std::min(wanted, limit_);
  process(pid);
  for (auto at = processes_.begin(); at != processes_.end();) {
    if (at->first == pid) {
      ++at;
      continue;
    }
    drop(at->second, std::nullopt);
    at = processes_.erase(at);
  }
}

bool HierarchyShelf::awaits_more() const {
  if (!ours_) return false;
  const auto& candidates = processes_.at(*ours_).candidates;
  const bool any_open = std::ranges::any_of(candidates, &Candidate::open);
  return wanted_ > 0 && !over_ && (any_open || takes_more());
}

// A log may hold an entry twice. Of two equal neighbours one is too many where the app, which
// speaks of each stage, said nothing between them, and as long as there are more than the result
// speaks of.
void HierarchyShelf::drop_doubles(Process& process) const {
  auto& candidates = process.candidates;
  for (std::size_t i = 1; i < candidates.size();) {
    const Candidate& before = candidates[i - 1];
    const bool same_stage = process.told && before.stage == candidates[i].stage;
    const bool too_many = same_stage || candidates.size() > wanted_;
    const auto at = candidates.begin() + static_cast<std::ptrdiff_t>(i);
    if (too_many && before.hierarchy == at->hierarchy) {
      candidates.erase(at);
    } else {
      ++i;
    }
  }
}

std::vector<Hierarchy> HierarchyShelf::take() {
  std::vector<Hierarchy> taken;
  if (!ours_) return taken;
  drop_doubles(processes_.at(*ours_));
  auto& candidates = processes_.at(*ours_).candidates;
  while (candidates.size() > limit_) candidates.pop_front();
  for (Candidate& candidate : candidates) taken.push_back(std::move(candidate.hierarchy));
  return taken;
}

}  // namespace clawperator
