// `execute`: several tools, one after the other; or a plan of the app's own actions.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/async/blocking.hpp"
#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/act/ref.hpp"
#include "runtime/act/result.hpp"
#include "runtime/act/snapshot.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/mcp/acting.hpp"
#include "runtime/mcp/as_meant.hpp"
#include "runtime/mcp/call_executor.hpp"
#include "runtime/mcp/jobs.hpp"
#include "runtime/ui/errc.hpp"

namespace clawperator::mcp {
namespace {

// An app before 0.10 reports no step of a plan that failed, only the node that it did not find.
std::optional<std::string> failed_step(const act::Outcome& outcome) {
  const Envelope& envelope = outcome.result->envelope;
  if (const StepResult* ending = act::ending_step(envelope)) return ending->id;
  if (succeeded(envelope) || !outcome.execution) return std::nullopt;
  const act::MissingNode missing = act::find_missing(envelope, *outcome.execution);
  if (missing.node == NodeMatcher{}) return std::nullopt;
  return outcome.execution->actions[missing.step].id;
}

// The steps that were carried out, each with its verdict and time; trees come compact, as
// `snapshot` shows them. Of a plan that failed: the error of the step that ended it, and its id.
Task<ToolAnswer> plan_answer(Call call, act::Outcome outcome) {
  ExecuteResult& result = *outcome.result;
  const act::Seen& seen = call.defaults->seen;
  const bool is_done = succeeded(result.envelope);
  std::string last;
  CO_TRY(const std::string written,
         co_await run_blocking_if(is_large(result.envelope), [&]() -> Result<std::string> {
           last = act::render_snapshots(result.envelope, act::TreeFormat::compact, std::nullopt,
                                        seen.store);
           JsonObject json = is_done ? JsonObject().boolean("ok", true) : failure_verdict(result);
           if (is_done) json.text("device", result.device_id);
           if (result.backend == Backend::shell) json.text("backend", "shell");
           if (result.attempts > 1) json.number("attempts", result.attempts);
           if (const auto step = failed_step(outcome)) json.text("step", *step);
           if (is_done) json.append(outcome.beside());
           if (!is_done) json.append(outcome.miss).append(outcome.several);
           json.json("steps", steps_json(result.envelope));
           return result.secrets.masked_json(json.str());
         }));
  if (!last.empty()) {
    act::note_shown(seen, result, last, act::ShownAs::whole_text);
    CO_TRY(const auto tree, co_await act::held_tree(&seen, last));
    if (tree) act::note_in_front(seen, result, main_package(*tree));
  }
  ToolAnswer answer = text_answer(written);
  answer.is_error = !is_done;
  co_return answer;
}

std::string plan_json(const Arguments& arguments) {
  const std::string id = act::Stamp::now().long_id("mcp");
  return JsonObject()
      .text("commandId", id)
      .text("taskId", id)
      .text("source", "mcp")
      .text("expectedFormat", kExpectedFormat)
      .number("timeoutMs", arguments.whole("timeout_ms").value_or(30000))
      .json("actions", write_json(*arguments.value("actions")))
      .str();
}

Task<ToolAnswer> run_plan(Call call, act::Request request) {
  CallExecutor executor(&call);
  act::Outcome outcome = co_await act::perform(&executor, std::move(request));
  if (!outcome.result) co_return std::unexpected(outcome.result.error());
  co_return co_await plan_answer(call, std::move(outcome));
}

struct Step {
  const ToolRow* tool;
  Arguments arguments;
};

std::string place_of(std::size_t number) { return "step " + std::to_string(number); }

std::unexpected<Error> at_step(std::size_t number, const Error& error) {
  return std::unexpected(
      Error(error.code(), place_of(number) + ": " + error.message(), error.members()));
}

std::string names_of_steps() {
  std::string names;
  for (const ToolRow& row : tool_table()) {
    if (row.is_step) names.append(names.empty() ? "" : ", ").append(row.name);
  }
  return names;
}

// What the plan says for all of its steps, where a step takes that argument and leaves it out. The
// screen is shown behind the last step.
void add_defaults(Json& step, const ToolRow& tool, const Arguments& plan, bool is_last) {
  const auto add = [&](std::string_view name, const Json& value) {
    const bool takes =
        std::ranges::find(tool.properties, name, &Property::name) != tool.properties.end();
    const Json* own = find_member(step, name);
    if (takes && (!own || is_blank_value(*own))) step[std::string(name)] = value;
  };
  for (const std::string_view name : {"device", "patience", "verify", "settle_ms"}) {
    if (const Json* value = plan.value(name)) add(name, *value);
  }
  if (plan.text("stop_on") == "unchanged") add("verify", "changed");
  add("observe", is_last ? plan.text("observe").value_or("diff") : "none");
}

Result<Step> read_step(const Json& given, std::size_t number, const Arguments& plan, bool is_last) {
  Json step = read_text(given);
  // Some hosts send every tool, with nothing for those that the model left out.
  if (step.is_object() && step.size() > 1) step = without_blanks(step);
  if (!step.is_object() || step.size() != 1) {
    return fail(
        errc::usage,
        place_of(number) + " must be one tool with its arguments: {\"tap\":{\"ref\":\"@3\"}}");
  }
  const std::string name = step.begin().key();
  const auto tool = std::ranges::find(tool_table(), name, &ToolRow::name);
  if (tool == tool_table().end() || !tool->is_step) {
    constexpr std::size_t kMostOfName = 64;  // of a client's text; our own names are shorter
    return fail(errc::usage, place_of(number) + " has no tool '" + name.substr(0, kMostOfName) +
                                 "'; known are: " + names_of_steps());
  }
  Json arguments = read_text(step.begin().value());
  if (arguments.is_null()) arguments = Json::object();
  if (arguments.is_object()) add_defaults(arguments, *tool, plan, is_last);
  auto read = Arguments::read(&arguments, tool->properties);
  if (!read) return at_step(number, read.error());
  return Step{&*tool, *std::move(read)};
}

// Carries nothing out: a step that comes this far would be sent. What only reads is real.
class Rehearsal final : public Executor {
 public:
  static constexpr std::string_view kEnd = "rehearsed";

  explicit Rehearsal(Executor* real) : real_(real) {}

  Task<ExecuteResult> execute(ExecuteRequest /*request*/) override { return end<ExecuteResult>(); }
  Task<InputDone> give_input(TargetOptions /*target*/, DeviceInput /*input*/) override {
    return end<InputDone>();
  }
  Task<std::unique_ptr<adbproto::Device>> open(TargetOptions target) override {
    return real_->open(std::move(target));
  }
  Task<std::vector<DeviceRow>> devices() override { return real_->devices(); }

 private:
  template <class Value>
  static Task<Value> end() {
    co_return fail(errc::cancelled, std::string(kEnd));
  }

  Executor* real_;
};

// A plan with a step that could never be sent is refused before its first step is.
Task<void> rehearse(Call call, const std::vector<Step>* steps) {
  Rehearsal executor(call.defaults->executor);
  Defaults defaults = *call.defaults;
  defaults.executor = &executor;
  call.defaults = &defaults;
  for (std::size_t i = 0; i < steps->size(); ++i) {
    call.arguments = (*steps)[i].arguments;
    const auto done = co_await (*steps)[i].tool->run(call);
    if (done || done.error().message() == Rehearsal::kEnd) continue;
    co_return at_step(i + 1, done.error());
  }
  co_return ok();
}

// A step's answer, in parts. That of a snapshot has no verdict.
struct Parts {
  Json verdict = Json::object();
  std::string screen{};
};

Parts parts_of(const ToolAnswer& answer) {
  const std::string& text = answer.text;
  if (!text.starts_with('{')) return {.screen = text};
  const std::size_t end = text.find('\n');
  return {Json::parse(text.substr(0, end), nullptr, false),
          end == text.npos ? "" : text.substr(end + 1)};
}

std::string with_screen(const Json& verdict, const std::string& screen) {
  return write_json(verdict) + (screen.empty() ? "" : "\n" + screen);
}

// A plan that ended at the step of that number.
ToolAnswer stopped_answer(const ToolAnswer& why, std::size_t number, const Step& step,
                          const Json& done, const std::string& screen = {}) {
  Json verdict = parts_of(why).verdict;
  verdict["step"] = number;
  verdict["tool"] = step.tool->name;
  verdict["done"] = done;
  return {.text = with_screen(verdict, screen), .is_error = true};
}

// A step that was done: its tool and time, and what its verdict has beside `ok`.
Json line_of(const Step& step, std::chrono::milliseconds took, const Json& verdict) {
  Json line = {{"tool", step.tool->name}, {"ms", took.count()}};
  for (const auto& [name, value] : verdict.items()) {
    if (name != "ok" && name != "device" && name != "backend") line[name] = value;
  }
  return line;
}

Task<ToolAnswer> run_steps(Call call, std::vector<Step> steps) {
  using std::chrono::milliseconds;
  const bool needs_change = call.arguments.text("stop_on") == "unchanged";
  const auto plan_device = call.arguments.text("device");
  call.secrets = std::make_shared<Secrets>();
  Json done = Json::array(), whole = {{"ok", true}};
  std::string screen;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (call.time_left() == milliseconds(0)) {
      const Error late(errc::deadline_exceeded, "the plan's time was over before this step");
      co_return stopped_answer(error_answer(late), i + 1, step, done);
    }
    const auto start = adbproto::Clock::now();
    call.arguments = step.arguments;
    auto answer = co_await step.tool->run(call);
    if (!answer && answer.error().code() == errc::cancelled) co_return answer;
    if (!answer) answer = error_answer(answer.error());
    if (answer->is_error) co_return stopped_answer(*answer, i + 1, step, done);
    Parts parts = parts_of(*answer);
    if (const Json* backend = find_member(parts.verdict, "backend")) whole["backend"] = *backend;
    const bool has_own_device = step.arguments.text("device") != plan_device;
    if (!answer->device.empty() && !has_own_device) call.last_device = answer->device;
    const auto took = std::chrono::duration_cast<milliseconds>(adbproto::Clock::now() - start);
    done.push_back(line_of(step, took, parts.verdict));
    if (has_own_device && !answer->device.empty()) done.back()["device"] = answer->device;
    screen = std::move(parts.screen);
    if (i + 1 < steps.size() && !screen.empty()) done.back()["screen"] = std::exchange(screen, {});
    const auto* effect = string_value(find_member(parts.verdict, "effect"));
    if (!needs_change || !effect || *effect != "unchanged") continue;
    const Error unchanged(errc::effect_unchanged, "the screen is as before this step");
    co_return stopped_answer(error_answer(unchanged), i + 1, step, done, screen);
  }
  whole["steps"] = std::move(done);
  co_return ToolAnswer{.text = with_screen(whole, screen), .device = call.last_device.value_or("")};
}

Result<std::vector<Step>> read_steps(const Arguments& plan) {
  const Json& given = *plan.value("steps");
  if (given.size() > kMaxActions) {
    return fail(errc::usage, "a plan has at most " + std::to_string(kMaxActions) + " steps");
  }
  std::vector<Step> steps;
  for (const Json& each : given) {
    const bool is_last = steps.size() + 1 == given.size();
    TRY(Step step, read_step(each, steps.size() + 1, plan, is_last));
    steps.push_back(std::move(step));
  }
  return steps;
}

// A bare ref is one of the screen that the client has now, not of one that the plan comes to.
Task<void> complete_refs(Call call, std::vector<Step>* steps) {
  const act::Seen& seen = call.defaults->seen;
  if (seen.by != act::Seen::By::connection) co_return ok();
  CallExecutor executor(&call);
  for (std::size_t i = 0; i < steps->size(); ++i) {
    Arguments& arguments = (*steps)[i].arguments;
    const auto ref = arguments.text("ref");
    if (!ref || !ref->starts_with('@')) continue;
    call.arguments = arguments;
    CO_TRY(const auto shown, co_await act::shown_last(&seen, &executor, target_of(call)));
    if (!shown) {
      co_return at_step(i + 1, act::stale(*ref, "needs a snapshot that was shown before"));
    }
    arguments = arguments.with("ref", shown->hash + *ref);
  }
  co_return ok();
}

Task<ToolAnswer> start_steps(Call call) {
  CO_TRY(std::vector<Step> steps, read_steps(call.arguments));
  const auto limit = call.arguments.whole("timeout_ms");
  call.end = adbproto::Clock::now() + (limit ? std::chrono::milliseconds(*limit) : kLongestPlan);
  CO_TRY_VOID(co_await complete_refs(call, &steps));
  CO_TRY_VOID(co_await rehearse(call, &steps));
  co_return co_await call.jobs->run(run_steps(call, std::move(steps)));
}

Task<ToolAnswer> start_actions(Call call) {
  for (const std::string_view name : {"observe", "settle_ms", "stop_on"}) {
    if (!call.arguments.has(name)) continue;
    co_return fail(errc::usage, std::string(name) + " is for steps, not for actions");
  }
  act::Request request = request_of(call, act::Payload{plan_json(call.arguments)});
  request.timeout_ms.reset();  // it stands in the plan
  request.one_alone = true;
  call.end = adbproto::Clock::now() + kLongestPlan;
  co_return co_await call.jobs->run(run_plan(call, std::move(request)));
}

}  // namespace

Task<ToolAnswer> call_execute(Call call) {
  int given = 0;
  for (const std::string_view name : {"steps", "actions", "handle"}) {
    given += call.arguments.has(name) ? 1 : 0;
  }
  if (given != 1) co_return fail(errc::usage, "give one of steps, actions and handle");
  if (const auto handle = call.arguments.text("handle")) {
    co_return co_await call.jobs->resume(*handle);
  }
  co_return co_await (call.arguments.has("steps") ? start_steps(call) : start_actions(call));
}

}  // namespace clawperator::mcp
