#pragma once
// Scrolling: once, until a node is there, and the same with a click on it.

#include "runtime/contract/param.hpp"

namespace clawperator {

struct Scroll {
  static const ActionRow kRow;
  std::optional<Selector> container{};
  std::optional<std::string> direction{};
  std::optional<double> distance_ratio{};
  std::optional<double> settle_delay_ms{};
  std::optional<bool> find_first_scrollable_child{};
  std::optional<Retry> retry{};
  std::optional<bool> strict{};
};

// The members that both actions with a target node share.
struct ScrollTo : Scroll {
  std::optional<Selector> matcher{};
  std::optional<double> no_position_change_threshold{};
  std::optional<std::string> click_type{};
  std::optional<bool> click_after{};
};

struct ScrollUntil : ScrollTo {
  static const ActionRow kRow;
  std::optional<double> max_scrolls{};
  std::optional<double> max_duration_ms{};
};

struct ScrollAndClick : ScrollTo {
  static const ActionRow kRow;
  std::optional<double> max_swipes{};
  std::optional<Retry> scroll_retry{};
  std::optional<Retry> click_retry{};
};

}  // namespace clawperator
