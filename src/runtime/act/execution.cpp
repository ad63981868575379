#include "runtime/act/execution.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/json_document.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/parse.hpp"

namespace clawperator::act {
namespace {

// How executions of one kind of action are called, and how long they may take.
enum class Manner {
  direct,  // "mode":"direct"; a caller's timeout replaces the judged one (override_timeout)
  brief,   // the same, and ids without a random part
  plain,   // a caller's timeout is judged with the rest
};

struct Row {
  ActionType type{};
  Manner manner{};
  std::string_view name;         // of the command's id
  std::string_view step = "a1";  // its id
  std::string_view task{};       // its id; empty: the command's
  double timeout_ms = 30000;
  std::string_view source = "clawperator-cli";
};

constexpr std::string_view kActs = "clawperator-action";
constexpr std::string_view kObserves = "clawperator-observe";

constexpr Row kRows[] = {
    {ActionType::click, Manner::direct, "click", "click", "", 30000, kActs},
    {ActionType::enter_text, Manner::direct, "type", "type", "", 30000, kActs},
    {ActionType::read_text, Manner::direct, "read", "read", "", 30000, kActs},
    {ActionType::read_key_value_pair, Manner::direct, "read-value", "read-value", "", 30000, kActs},
    {ActionType::wait_for_node, Manner::direct, "wait", "wait", "", 30000, kActs},
    {ActionType::wait_for_navigation, Manner::direct, "wait-for-nav", "wait-for-nav", "", 30000,
     kActs},
    {ActionType::snapshot_ui, Manner::direct, "snapshot", "snap", "", 30000, kObserves},
    {ActionType::take_screenshot, Manner::plain, "screenshot", "snap", "", 30000, kObserves},
    {ActionType::close_app, Manner::plain, "close", "close"},
    {ActionType::sleep, Manner::plain, "sleep", "sleep"},
    {ActionType::scroll, Manner::plain, "scroll", "a1", "cli-action-scroll"},
    {ActionType::scroll_until, Manner::plain, "scroll-until"},
    {ActionType::scroll_and_click, Manner::plain, "scroll-until"},
    {ActionType::press_key, Manner::brief, "press_key", "a1", "cli-action-press-key", 10000},
    {ActionType::open_app, Manner::brief, "open_app", "a1", "cli-action-open-app", 15000},
    {ActionType::open_uri, Manner::brief, "open_uri", "a1", "cli-action-open-uri", 15000},
    {ActionType::start_recording, Manner::brief, "start_recording", "a1", "cli-record-start",
     10000},
    {ActionType::stop_recording, Manner::brief, "stop_recording", "a1", "cli-record-stop", 15000},
};

// The parameters of one action. What is absent is left out.
class Params {
 public:
  Params& put(const char* name, const std::string& text) { return set(name, valid_utf8(text)); }
  Params& put(const char* name, double number) { return set(name, number); }
  Params& put(const char* name, bool value) { return set(name, value); }
  Params& put(const char* name, const Selector& selector) {
    return set(name, to_document(selector));
  }
  Params& put(const char* name, Point point) { return set(name, {{"x", point.x}, {"y", point.y}}); }
  template <class T>
  Params& put(const char* name, const std::optional<T>& value) {
    return value ? put(name, *value) : *this;
  }
  // The app's own pauses between its tries.
  Params& put_retry(const Tries& tries) {
    if (!tries) return *this;
    return set("retry", {{"maxAttempts", *tries},
                         {"initialDelayMs", 500},
                         {"maxDelayMs", 3000},
                         {"backoffMultiplier", 2.0},
                         {"jitterRatio", 0.15}});
  }
  Params& put_if(const char* name, bool value) { return value ? put(name, true) : *this; }

  [[nodiscard]] const Json& json() const { return json_; }

 private:
  Params& set(const char* name, Json value) {
    json_[name] = std::move(value);
    return *this;
  }

  Json json_ = Json::object();
};

// An action in the contract's words.
struct Step {
  ActionType type{};
  Params params{};
  std::optional<double> lasts_ms{};  // what it takes in any case
};

Step step_of(const Click& click) {
  Step step{ActionType::click};
  const auto* selector = std::get_if<Selector>(&click.place);
  if (selector) {
    step.params.put("matcher", *selector).put_if("strict", click.strict);
  } else {
    step.params.put("coordinate", std::get<Point>(click.place));
  }
  if (click.kind == ClickKind::focus) step.params.put("clickType", std::string("focus"));
  if (click.kind == ClickKind::long_press) step.params.put("clickType", std::string("long_click"));
  step.params.put_retry(click.tries);
  return step;
}
Step step_of(const EnterText& enter) {
  return {ActionType::enter_text, Params()
                                      .put("matcher", enter.field)
                                      .put("text", enter.text)
                                      .put("submit", enter.submit)
                                      .put("clear", enter.clear)
                                      .put_if("strict", enter.strict)
                                      .put_if("secret", enter.is_secret)
                                      .put_retry(enter.tries)};
}
Step step_of(const ReadText& read) {
  return {ActionType::read_text, Params()
                                     .put("matcher", read.node)
                                     .put("container", read.container)
                                     .put_if("all", read.all)
                                     .put_if("strict", read.strict)
                                     .put_retry(read.tries)};
}
Step step_of(const ReadValue& read) {
  return {ActionType::read_key_value_pair,
          Params().put("labelMatcher", read.label).put_if("all", read.all).put_retry(read.tries)};
}
Step step_of(const WaitForNode& wait) {
  return {ActionType::wait_for_node,
          Params().put("matcher", wait.node).put("timeoutMs", wait.limit_ms),
          wait.limit_ms.value_or(0)};
}
Step step_of(const WaitForNavigation& wait) {
  return {ActionType::wait_for_navigation,
          Params()
              .put("expectedPackage", wait.package)
              .put("expectedNode", wait.node)
              .put("timeoutMs", wait.limit_ms),
          wait.limit_ms};
}
Step step_of(const PressKey& press) {
  return {ActionType::press_key, Params().put("key", press.key)};
}
Step step_of(const OpenApp& open) {
  return {ActionType::open_app, Params().put("applicationId", open.package)};
}
Step step_of(const OpenUri& open) { return {ActionType::open_uri, Params().put("uri", open.uri)}; }
Step step_of(const CloseApp& close) {
  return {ActionType::close_app, Params().put("applicationId", close.package)};
}
Step step_of(const Sleep& sleep) {
  return {ActionType::sleep, Params().put("durationMs", sleep.duration_ms), sleep.duration_ms};
}
Step step_of(const Scroll& scroll) {
  return {ActionType::scroll,
          Params().put("container", scroll.container).put("direction", scroll.direction)};
}
Step step_of(const ScrollUntil& scroll) {
  return {scroll.click ? ActionType::scroll_and_click : ActionType::scroll_until,
          Params()
              .put("matcher", scroll.node)
              .put("container", scroll.container)
              .put("direction", scroll.direction)
              .put_if("clickAfter", scroll.click)
              .put_if("strict", scroll.strict)};
}
Step step_of(const Snapshot&) { return {ActionType::snapshot_ui}; }
Step step_of(const Screenshot& shot) {
  return {ActionType::take_screenshot, Params().put("path", shot.path)};
}
Step step_of(const StartRecording& start) {
  return {ActionType::start_recording, Params().put("sessionId", start.session_id)};
}
Step step_of(const StopRecording& stop) {
  return {ActionType::stop_recording, Params().put("sessionId", stop.session_id)};
}

// What lasts is outlived by its plan as far as a plan may last, so that the device can still report
// that it was in vain.
double timeout_of(const Row& row, const Step& step, std::optional<double> given) {
  if (step.lasts_ms) {
    return std::max({std::min(*step.lasts_ms + 5000, kMaxTimeoutMs), given.value_or(0), 30000.0});
  }
  return row.manner == Manner::plain ? given.value_or(row.timeout_ms) : row.timeout_ms;
}

Json json_of(std::string_view id, ActionType type) {
  return Json{{"id", id}, {"type", action_name(type)}};
}

void add_look(Json& steps, ThenLook look) {
  if (look.before) {
    steps.insert(steps.begin(), json_of(kBeforeStep, ActionType::snapshot_ui));
  }
  if (look.settle.count() > 0) {
    steps.push_back(json_of("settle", ActionType::sleep));
    steps.back()["params"] = {{"durationMs", look.settle.count()}};
  }
  steps.push_back(json_of(kLookStep, ActionType::snapshot_ui));
}

void add_settle_time(Execution& execution, ThenLook look) {
  const double longer = execution.timeout_ms + static_cast<double>(look.settle.count());
  execution.timeout_ms = std::min(longer, kMaxTimeoutMs);
}

Json steps_json(const Action& action, const Row& row, const Step& step) {
  Json steps = Json::array();
  const auto* shot = std::get_if<Screenshot>(&action);
  if (shot && shot->with_snapshot) {
    steps.push_back(json_of(kLookStep, ActionType::snapshot_ui));
  }
  steps.push_back(json_of(row.step, row.type));
  if (row.type != ActionType::snapshot_ui) steps.back()["params"] = step.params.json();
  return steps;
}

Result<Execution> judge_rest(Execution execution, std::optional<double> timeout_override,
                             const NamedOperator& operator_package) {
  if (timeout_override) {
    TRY(execution, override_timeout(std::move(execution), *timeout_override));
  }
  TRY_VOID(check_size(execution));
  TRY_VOID(check_operator_is_kept(execution, operator_package));
  return execution;
}

}  // namespace

Result<Execution> execution_of(const Action& action, const Stamp& stamp,
                               std::optional<double> timeout_ms,
                               const NamedOperator& operator_package,
                               std::optional<ThenLook> then) {
  const Step step = std::visit([](const auto& one) { return step_of(one); }, action);
  const Row& row = *std::ranges::find(kRows, step.type, &Row::type);
  const std::string id =
      row.manner == Manner::brief ? stamp.short_id(row.name) : stamp.long_id(row.name);
  Json document = {{"commandId", id},
                   {"taskId", row.task.empty() ? std::string_view(id) : row.task},
                   {"source", row.source},
                   {"expectedFormat", kExpectedFormat},
                   {"timeoutMs", timeout_of(row, step, timeout_ms)},
                   {"actions", steps_json(action, row, step)}};
  if (then) add_look(document["actions"], *then);
  if (row.manner == Manner::direct) document["mode"] = "direct";
  TRY(auto execution, judge_execution(std::move(document)));
  const bool replaces = row.manner != Manner::plain && !step.lasts_ms;
  TRY(execution,
      judge_rest(std::move(execution), replaces ? timeout_ms : std::nullopt, operator_package));
  if (then) add_settle_time(execution, *then);
  return execution;
}

namespace {

bool needs_no_app(const Action& action) {
  const auto* key = std::get_if<PressKey>(&action);
  const auto* shot = std::get_if<Screenshot>(&action);
  return std::holds_alternative<OpenApp>(action) || std::holds_alternative<OpenUri>(action) ||
         std::holds_alternative<CloseApp>(action) || (shot && !shot->with_snapshot) ||
         (key && is_one_of(ascii_lower(trim_js(key->key)), "back home"));
}

// The app takes no empty text, and never answers for one.
bool needs_shell(const Action& action) {
  const auto* enter = std::get_if<EnterText>(&action);
  return enter && enter->text.empty();
}

}  // namespace

Backend backend_of(const Action& action, std::optional<Backend> named, bool shows_tree) {
  if (named) return *named;
  const bool by_shell = needs_shell(action) || (needs_no_app(action) && !shows_tree);
  return by_shell ? Backend::shell : Backend::operator_app;
}

Result<Execution> judge_payload(std::string_view json, std::optional<double> timeout_ms,
                                const NamedOperator& operator_package,
                                std::optional<ThenLook> then) {
  TRY(auto execution, parse_execution(json));
  if (!then) return judge_rest(std::move(execution), timeout_ms, operator_package);
  Json document = Json::parse(payload_json(execution));
  add_look(document["actions"], *then);
  TRY(execution, judge_execution(std::move(document)));
  TRY(execution, judge_rest(std::move(execution), timeout_ms, operator_package));
  add_settle_time(execution, *then);
  return execution;
}

}  // namespace clawperator::act
