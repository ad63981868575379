// Actions on one node: wait, click, type, read.
#include "base/text.hpp"
#include "simdroid/operator/action_runner.hpp"

#include <nlohmann/json.hpp>
#include <regex>

namespace simdroid {
namespace {

// The executor without back-references: its time is bounded by pattern times text.
constexpr auto kSyntax = std::regex::ECMAScript
#ifdef __GLIBCXX__
                         | std::regex_constants::__polynomial
#endif
    ;

const char* pattern_of(const DeviceAction& action) {
  switch (action.validator) {
    case Validator::temperature: return "\\s*-?\\d+([.,]\\d+)?\\s*(\xc2\xb0)?\\s*[CcFf]?\\s*";
    case Validator::version: return "\\s*v?\\d+(\\.\\d+)*([-+ ._]?[0-9A-Za-z]+)*\\s*";
    case Validator::regex: return action.validator_pattern.c_str();
    case Validator::none: break;
  }
  return "";
}

std::optional<std::regex> compile(const DeviceAction& action, std::string& why) {
  try {
    return std::regex(pattern_of(action), kSyntax);
  } catch (const std::regex_error& error) {
    why = error.what();
    return std::nullopt;
  }
}

bool whole_match(const std::string& text, const std::regex& pattern) {
  try {
    return std::regex_match(text, pattern);
  } catch (const std::regex_error&) {
    return false;
  }
}

std::string_view validator_name(Validator validator) {
  switch (validator) {
    case Validator::temperature: return "temperature";
    case Validator::version: return "version";
    case Validator::regex: return "regex";
    case Validator::none: break;
  }
  return "none";
}

std::string all_texts(const std::vector<const View*>& views, int& count) {
  nlohmann::json texts = nlohmann::json::array();
  for (const View* view : views) {
    if (!trimmed(label_of(*view)).empty()) texts.push_back(label_of(*view));
  }
  count = static_cast<int>(texts.size());
  return texts.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool ends_with_summary(const View& view) { return view.spec->resource_id.ends_with("/summary"); }

// The first text after `child` inside `parent`; where one is named .../summary, that one.
const View* text_after(const View& parent, const View* child) {
  const View* named = nullptr;
  const View* first = nullptr;
  const auto consider = [&](const View& view) {
    if (trimmed(view.text).empty()) return;
    if (first == nullptr) first = &view;
    if (named == nullptr && ends_with_summary(view)) named = &view;
  };
  bool after = false;
  for (const View& sibling : parent.children) {
    if (after) for_each_view(sibling, consider);
    after = after || &sibling == child;
  }
  return named != nullptr ? named : first;
}

// The value beside a label: searched from the label outwards, up to the list item around it.
const View* value_beside(const std::vector<const View*>& path) {
  for (std::size_t i = path.size() - 1; i-- > 0;) {
    if (const View* value = text_after(*path[i], path[i + 1])) return value;
    if (role_of(*path[i]) == "listitem") return nullptr;
  }
  return nullptr;
}

}  // namespace

Routine<Outcome> ActionRunner::wait_for_node(const DeviceAction* action) {
  const Time deadline = c_.timeline->now() + action->timeout.value_or(Duration::zero());
  Retry retry = action->retry;
  if (action->timeout) retry.max_attempts = 1;
  std::string resource_id, label;
  const auto look = [this, action, &resource_id, &label]() -> Attempt<std::string> {
    const auto view = locate(*action);
    if (!view) return std::unexpected(view.error());
    resource_id = (*view)->spec->resource_id;
    label = label_of(**view);
    return label;
  };
  for (int attempt = 1;; ++attempt) {
    const auto found =
        co_await with_retry(&retry, "waitForNode(" + action->matcher.describe() + ")", look);
    if (found) break;
    if (!action->timeout) co_return std::unexpected(found.error());
    if (found.error().code.ends_with("_AMBIGUOUS")) co_return std::unexpected(found.error());
    const Time now = c_.timeline->now();
    if (now >= deadline) {
      co_return give_up(
          "Timeout waiting for node matching: " + action->matcher.describe() +
              " (timeoutMs=" + milliseconds_text(action->timeout.value_or(Duration::zero())) + ")",
          "WAIT_TIMEOUT");
    }
    co_await pause(std::min(retry_delay(action->retry, attempt), deadline - now));
  }
  StepData data{{"resource_id", resource_id}, {"label", label}};
  if (action->timeout)
    data.emplace_back("timeout_ms", milliseconds_text(action->timeout.value_or(Duration::zero())));
  co_return succeeded(*action, std::move(data));
}

// The nearest clickable node takes the click. Without one, or if it refuses the click, a gesture on
// the centre of the matched node does it.
Attempt<std::string> ActionRunner::click_once(const DeviceAction& action) {
  if (action.coordinate) {
    dispatched("coordinate_gesture", c_.facts->gestures_work, action.coordinate);
    if (!c_.facts->gestures_work) {
      return give_up("Click at coordinate (" + std::to_string(action.coordinate->x) + "," +
                         std::to_string(action.coordinate->y) + ") failed",
                     "GESTURE_FAILED");
    }
    action.click == Click::long_click ? c_.world->long_press(*action.coordinate)
                                      : c_.world->tap(*action.coordinate);
    return "";
  }
  const auto view = locate(action);
  if (!view) return std::unexpected(view.error());
  const Point centre = (*view)->reported.centre();
  const bool focuses = action.click == Click::focus;
  const View* taker =
      self_or_above(tree(), **view, focuses ? &NodeSpec::focusable : &NodeSpec::clickable);
  const bool clicked =
      taker != nullptr && c_.world->perform_click(taker->spec->number, action.click);
  dispatched("accessibility_action", clicked);
  if (clicked) return "";
  if (action.click == Click::focus) return give_up("Click on matching UI node failed");
  dispatched("coordinate_gesture", c_.facts->gestures_work, centre);
  if (!c_.facts->gestures_work) {
    return give_up("Click on matching UI node failed", "GESTURE_FAILED");
  }
  action.click == Click::long_click ? c_.world->long_press(centre) : c_.world->tap(centre);
  return "";
}

Routine<Outcome> ActionRunner::click(const DeviceAction* action) {
  const std::string target = action->matcher.given() ? action->matcher.describe() : "coordinate";
  const auto clicked = co_await with_retry(&action->retry, "click(" + target + ")",
                                           [this, action] { return click_once(*action); });
  if (!clicked) co_return std::unexpected(clicked.error());
  co_await cost(c_.latencies->action);
  StepData data;
  if (action->coordinate) {
    data.emplace_back("coordinate", "(" + std::to_string(action->coordinate->x) + "," +
                                        std::to_string(action->coordinate->y) + ")");
  }
  data.emplace_back("click_types", click_name(action->click));
  co_return succeeded(*action, std::move(data));
}

Routine<Outcome> ActionRunner::enter_text(const DeviceAction* action) {
  const auto entered =
      co_await with_retry(&action->retry, "enterText(" + action->matcher.describe() + ")",
                          [this, action]() -> Attempt<std::string> {
                            const auto view = locate(*action);
                            if (!view) return std::unexpected(view.error());
                            const View* field = self_or_above(tree(), **view, &NodeSpec::editable);
                            const int number = (field != nullptr ? field : *view)->spec->number;
                            const bool set = c_.world->set_text(number, action->text);
                            dispatched("accessibility_action", set);
                            if (!set) return give_up("Failed to set text on matching UI node");
                            if (action->submit) c_.world->submit(number);
                            return "";
                          });
  if (!entered) co_return std::unexpected(entered.error());
  co_await cost(c_.latencies->action);
  StepData data{{"text", action->text}};
  if (c_.can->clears_text) data.emplace_back("clear", action->clear ? "true" : "false");
  data.emplace_back("submit", action->submit ? "true" : "false");
  if (c_.can->reports_submission) {
    merge(data, {{"text_entry", "accepted"},
                 {"submission", action->submit ? "accepted" : "not_requested"},
                 {"submit_method", action->submit ? "ime_action" : "not_requested"}});
  }
  co_return succeeded(*action, std::move(data));
}

Routine<Outcome> ActionRunner::read_text(const DeviceAction* action) {
  std::string why, raw;
  const auto pattern = compile(*action, why);
  if (!pattern) co_return failed_step(*action, "INVALID_REGEX_PATTERN", {{"message", why}});
  int count = 0;
  const auto look = [this, action, &pattern, &raw, &count]() -> Attempt<std::string> {
    if (action->all) {
      const auto found = candidates(*action);
      if (!found) return std::unexpected(found.error());
      return all_texts(*found, count);
    }
    const auto view = locate(*action);
    if (!view) return std::unexpected(view.error());
    const std::string& text = label_of(**view);
    if (trimmed(text).empty()) return give_up("Matching UI node has no text content");
    if (action->validator == Validator::none || whole_match(text, *pattern)) return text;
    raw = text;
    return give_up("VALIDATOR_MISMATCH");
  };
  const auto text =
      co_await with_retry(&action->retry, "getText(" + action->matcher.describe() + ")", look);
  if (!text) {
    const Failure& failure = text.error();
    if (failure.reason == "VALIDATOR_MISMATCH") {
      co_return failed_step(*action, failure.reason, {{"raw_text", raw}});
    }
    const bool scoped = action->container.given() && failure.code == "NODE_NOT_FOUND";
    if (failure.returned || (!scoped && failure.code != "CONTAINER_NOT_FOUND")) {
      co_return std::unexpected(failure);
    }
    StepData more;
    if (c_.can->typed_failures) more.emplace_back("message", failure.reason);
    co_return failed_step(*action, failure.code, std::move(more));
  }
  StepData data{{"text", *text}};
  if (action->all) {
    data.emplace_back("all", "true");
    data.emplace_back("count", std::to_string(count));
  }
  data.emplace_back("validator", action->all ? "none" : validator_name(action->validator));
  if (action->container.given()) data.emplace_back("container", action->container.describe());
  co_return succeeded(*action, std::move(data));
}

Routine<Outcome> ActionRunner::read_key_value_pair(const DeviceAction* action) {
  std::string label;
  const auto look = [this, action, &label]() -> Attempt<std::string> {
    const View& root = tree();
    const View* found = find_match(root, action->matcher);
    if (found == nullptr) return give_up("NODE_NOT_FOUND");
    label = label_of(*found);
    const View* value = value_beside(path_to(root, found));
    if (value == nullptr) return give_up("VALUE_NODE_NOT_FOUND");
    return value->text;
  };
  const auto value = co_await with_retry(
      &action->retry, "readKeyValuePair(" + action->matcher.describe() + ")", look);
  if (!value) co_return failed_step(*action, value.error().reason);
  co_return succeeded(*action, {{"label", label}, {"value", *value}});
}

}  // namespace simdroid
