#pragma once
// The conditions of a wait that the host decides by reading the screen again and again:
//
//   {selector, gone?, contains?} | {package} | {keyboard: "shown" | "hidden"} | {still: true}

#include "base/json_document.hpp"
#include "runtime/act/look.hpp"

namespace clawperator::act {

// Exactly one of node, package, keyboard and still.
struct Condition {
  std::optional<NodeMatcher> node{};  // it is there
  bool gone = false;                  // no such node is there
  std::string contains{};  // ... in whose texts, or in those of a node below it, this stands
  std::string package{};   // the app in front
  std::optional<bool> keyboard{};  // whether it is shown
  bool still = false;              // the screen has been the same for kStill
};
inline constexpr std::chrono::milliseconds kStill{300};  // longer than the pause between two reads
inline constexpr std::size_t kMostConditions = 16;       // a wish has few; an array needs a bound

struct Conditions {
  std::vector<Condition> list{};
  bool all = false;    // otherwise one of them suffices
  std::string word{};  // of one condition that answers name by a word: "gone", "still"
};
Conditions until_gone(NodeMatcher node);
Conditions until_still();

// A screen, and what its tree does not show.
struct WaitScreen {
  const UiTree* tree = nullptr;
  bool is_still = false;       // it has been the same for kStill
  bool has_keyboard = false;   // the app's tree has the window in front alone
  bool has_exact_ids = false;  // otherwise an id without a slash is that of a node on this screen
};
bool is_met(const Condition& condition, const WaitScreen& screen);

// An array of conditions as a caller writes it; usage, with `name` for the text's source.
Result<Conditions> read_conditions(const Json& given, std::string_view name, bool all);

// The screen that met them.
struct Met {
  Look seen;
  JsonObject verdict{};  // {"gone":true}, or the indexes of the conditions that it meets: {"met"}
};
// Reads the screen at least five times a second; in between the device is free for other callers.
// deadline_exceeded after `limit`. Of several conditions the error has "met", "unmet", and what
// describe_miss() reports for their missing nodes; the screen is kept then.
Task<Met> wait_until(Executor* executor, Request* request, Conditions conditions,
                     std::chrono::milliseconds limit);

}  // namespace clawperator::act
