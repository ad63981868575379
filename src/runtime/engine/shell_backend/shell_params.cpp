#include "runtime/engine/shell_backend/shell_params.hpp"

#include <algorithm>
#include <cmath>

#include "base/error_members.hpp"
#include "base/text.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/engine/errc.hpp"

namespace clawperator {
namespace {

using std::chrono::milliseconds;

std::unexpected<Error> cannot(const Action& action, Errc code, std::string_view why) {
  const std::string type(action_name(action.type()));
  return fail(
      code, "--backend shell: " + type + " " + std::string(why),
      ErrorMembers()
          .text("hint", "With the Operator app (the default backend) it works.")
          .object("details", ErrorMembers().text("actionId", action.id).text("actionType", type))
          .str());
}

// Refuses what only the Operator app can do.
struct CheckCan {
  const Action& action;

  Result<void> operator()(const StartRecording&) const { return is_the_apps(); }
  Result<void> operator()(const StopRecording&) const { return is_the_apps(); }
  Result<void> operator()(const ReadText& read) const {
    if (!read.validator) return ok();
    return cannot(action, errc::not_implemented,
                  "has a validator, whose rules are the Operator app's");
  }
  Result<void> operator()(const EnterText& enter) const {
    if (can_type(*enter.text)) return ok();
    return cannot(action, errc::input_text_unsupported,
                  "can type what an American keyboard has and nothing else: printable ASCII, "
                  "without line breaks and tabs");
  }
  template <class Clicks>
    requires requires(Clicks clicks) { clicks.click_type; }
  Result<void> operator()(const Clicks& clicks) const {
    const std::string click = ascii_lower(clicks.click_type.value_or("default"));
    if (is_one_of(click, "default click long_click longclick")) return ok();
    return cannot(action, errc::not_implemented,
                  "can click and press long; clickType \"" + click.substr(0, 80) +
                      "\" needs the Operator app");
  }
  Result<void> operator()(const auto&) const { return ok(); }

 private:
  [[nodiscard]] Result<void> is_the_apps() const {
    return cannot(action, errc::not_implemented, "is done inside the Operator app alone");
  }
};

double within(std::optional<double> given, double otherwise, double low, double high) {
  return given ? std::clamp(*given, low, high) : otherwise;
}

}  // namespace

milliseconds ShellRetry::pause(int after_attempt) const {
  const auto first = static_cast<double>(initial_delay.count());
  const auto most = static_cast<double>(std::max(initial_delay, max_delay).count());
  const double wanted = std::min(most, first * std::pow(multiplier, after_attempt - 1));
  return milliseconds(static_cast<std::int64_t>(wanted));
}

ShellRetry shell_retry(const std::optional<Retry>& given) {
  const Retry retry = given.value_or(Retry());
  return {whole_of(retry.max_attempts, 3, 1, 10),
          time_of(retry.initial_delay_ms, milliseconds(500), 30000),
          time_of(retry.max_delay_ms, milliseconds(3000), 60000),
          within(retry.backoff_multiplier, 2, 1, 5)};
}

int whole_of(std::optional<double> given, int otherwise, int low, int high) {
  return static_cast<int>(within(given, otherwise, low, high));
}

milliseconds time_of(std::optional<double> given, milliseconds otherwise, int most_ms) {
  const auto preset = static_cast<double>(otherwise.count());
  return milliseconds(static_cast<std::int64_t>(within(given, preset, 0, most_ms)));
}

std::string direction_of(const Scroll& scroll) {
  const std::string given = ascii_lower(trimmed(scroll.direction.value_or("")));
  return given.empty() ? "down" : given;
}

double ratio_of(const Scroll& scroll) { return within(scroll.distance_ratio, 0.7, 0, 1); }

milliseconds settle_of(const Scroll& scroll) {
  return time_of(scroll.settle_delay_ms, milliseconds(250), 10000);
}

Point point_of(const Coordinate& at) {
  constexpr int kMaxPixel = 100000;  // above any screen's side (kMaxFrameSide); an int holds it
  return {whole_of(at.x, 0, 0, kMaxPixel), whole_of(at.y, 0, 0, kMaxPixel)};
}

bool is_long(const std::optional<std::string>& click_type) {
  return ascii_lower(click_type.value_or("")).starts_with("long");
}

Result<void> check_shell_can(const Execution& execution) {
  for (const Action& action : execution.actions) {
    TRY_VOID(std::visit(CheckCan{action}, action.kind));
  }
  return ok();
}

bool needs_tree(const Action& action) {
  switch (action.type()) {
    case ActionType::open_app:
    case ActionType::open_uri:
    case ActionType::close_app:
    case ActionType::take_screenshot:
    case ActionType::sleep:
    case ActionType::press_key: return false;
    case ActionType::click: return action.as<Click>()->matcher.has_value();
    default: return true;
  }
}

}  // namespace clawperator
