#include "runtime/http/guesses.hpp"

#include <algorithm>

namespace clawperator::http {
namespace {

// 1 s after the first that is not free, then twice as long each time.
std::chrono::seconds pause_after(std::size_t count) {
  if (count <= Guesses::kFree) return {};
  const std::size_t doublings = std::min<std::size_t>(count - Guesses::kFree - 1, 10);
  return std::min(Guesses::kLongest, std::chrono::seconds(1U << doublings));
}

}  // namespace

std::chrono::seconds Guesses::wait(const std::string& peer, Clock::time_point now) const {
  const auto found = peers_.find(peer);
  if (found == peers_.end()) return {};
  const auto end = found->second.last + pause_after(found->second.count);
  return end <= now ? std::chrono::seconds() : std::chrono::ceil<std::chrono::seconds>(end - now);
}

void Guesses::note_wrong(const std::string& peer, Clock::time_point now) {
  if (!peers_.contains(peer)) make_room(now);
  Wrong& wrong = peers_[peer];
  if (now - wrong.last > kRemembered) wrong.count = 0;
  ++wrong.count;
  wrong.last = now;
}

// The one that has been quiet for the longest goes.
void Guesses::make_room(Clock::time_point now) {
  std::erase_if(peers_, [now](const auto& each) { return now - each.second.last > kRemembered; });
  if (peers_.size() < kPeers) return;
  peers_.erase(
      std::ranges::min_element(peers_, {}, [](const auto& each) { return each.second.last; }));
}

}  // namespace clawperator::http
