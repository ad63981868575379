#include <algorithm>
#include <nlohmann/json.hpp>

#include "adbproto/wire/base64.hpp"
#include "base/async/blocking.hpp"
#include "base/json_text.hpp"
#include "runtime/act/effect.hpp"
#include "runtime/act/execution.hpp"
#include "runtime/act/result.hpp"
#include "runtime/act/snapshot.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/device/choice/choice.hpp"
#include "runtime/host/doctor/doctor.hpp"
#include "runtime/image/frame.hpp"
#include "runtime/mcp/acting.hpp"
#include "runtime/mcp/jobs.hpp"
#include "runtime/mcp/running.hpp"
#include "runtime/ui/find.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator::mcp {
namespace {

constexpr int kBytes = 200000;
constexpr int kMaxSide = 1280;
// As base64 this is what hosts take without cutting it off.
constexpr std::size_t kMaxPicture = 525000;
constexpr std::chrono::milliseconds kLookAgain{300};

ToolAnswer doctor_answer(const Report& report) {
  std::string troubles;
  std::int64_t passed = 0;
  for (const Check& check : report.checks) {
    if (check.status == CheckStatus::pass) {
      ++passed;
    } else {
      troubles += (troubles.empty() ? "" : ",") + check_head(check).str();
    }
  }
  JsonObject json;
  json.boolean("ok", critical_ok(report)).number("passed", passed);
  if (report.device_id) json.text("device", *report.device_id);
  json.json("troubles", "[" + troubles + "]");
  if (!troubles.empty()) json.strings("nextActions", next_actions(report));
  return text_answer(json.str());
}

Result<ShowRequest> read_showing(const Arguments& arguments) {
  ShowRequest wanted;
  const std::string mode = arguments.text("mode").value_or("compact");
  wanted.since = arguments.text("since");
  if (mode == "full") wanted.showing = Showing::full;
  if (mode == "diff" || wanted.since) wanted.showing = Showing::diff;
  if (wanted.since && mode == "full") return fail(errc::usage, "since is for mode diff");
  if (wanted.since && !act::is_tree_hash(*wanted.since)) {
    return fail(errc::usage, "since must be the hash of a snapshot: 12 hex digits");
  }
  return wanted;
}

struct Shot {
  ScreenshotOptions options;
  int max_side = kMaxSide;
};

Result<Shot> read_shot(const Arguments& arguments) {
  Shot shot;
  shot.max_side = arguments.whole("max_side").value_or(kMaxSide);
  const bool is_png = arguments.text("format") == "png";
  shot.options.format = is_png ? PictureFormat::png : PictureFormat::jpeg;
  shot.options.to_memory = true;
  if (const auto marks = arguments.text("marks")) {
    shot.options.marks = *marks == "all" ? Marked::all : Marked::actionable;
  }
  return shot;
}

Task<ExecuteResult> take(Call call, Shot shot) {
  const act::Action action =
      act::Screenshot{.path = std::nullopt, .with_snapshot = shot.options.marks.has_value()};
  CO_TRY(auto execution,
         act::execution_of(action, act::Stamp::now(), std::nullopt, call.hand->operator_package));
  ExecuteRequest request = request_of(call, std::move(execution));
  request.screenshot = shot.options;
  request.screenshot.max_side = shot.max_side;
  request.backend = act::backend_of(action, call.hand->backend);
  co_return co_await carry_out(call, std::move(request));
}

// What somebody needs who sees the picture: a point of it divided by scale is a point of the
// screen.
JsonObject picture_facts(const ExecuteResult& result, int max_side) {
  JsonObject facts;
  facts.boolean("ok", true).text("device", result.device_id);
  for (const StepResult& step : result.envelope.step_results) {
    if (const std::string* warning = find_data(step.data, "warn")) facts.text("warn", *warning);
  }
  if (!result.screen) return facts;
  const PictureSize screen{result.screen->width, result.screen->height};
  const PictureSize size = fit(screen, static_cast<std::uint32_t>(max_side));
  facts.number("width", size.width).number("height", size.height);
  const double longer = std::max(screen.width, screen.height);
  return facts.real("scale", std::max(size.width, size.height) / longer);
}

Task<ToolAnswer> picture_answer(Call call, Shot shot, ExecuteResult result) {
  JsonObject facts = picture_facts(result, shot.max_side);
  if (shot.options.marks) {
    CO_TRY(const UiTree tree, co_await run_blocking([&] {
             return act::observe(result.envelope, call.hand->snapshots);
           }));
    CO_TRY_VOID(co_await note_shown(call, &result, tree.hash));
    facts.text("hash", tree.hash);
  }
  ToolAnswer answer = text_answer(facts.str());
  CO_TRY(std::string data, co_await run_blocking([&]() -> Result<std::string> {
           return adbproto::encode_base64(result.picture);
         }));
  const bool is_png = shot.options.format == PictureFormat::png;
  answer.content.push_back(JsonObject()
                               .text("type", "image")
                               .text("data", data)
                               .text("mimeType", is_png ? "image/png" : "image/jpeg")
                               .str());
  co_return answer;
}

Task<bool> is_there(Call* call, const NodeMatcher* wanted) {
  CO_TRY(const UiTree tree, co_await look(call));
  co_return find_node(tree, *wanted).has_value();
}

Task<ToolAnswer> wait_until_gone(Call call, act::Selector node, std::chrono::milliseconds limit) {
  const auto end = adbproto::Clock::now() + limit;
  for (;;) {
    CO_TRY(const bool stays, co_await is_there(&call, &node.fields));
    if (!stays) break;
    if (adbproto::Clock::now() + kLookAgain > end) {
      co_return fail(errc::deadline_exceeded,
                     "it is still there after " + std::to_string(limit.count()) + " ms");
    }
    co_await adbproto::sleep_for(kLookAgain);
  }
  co_return co_await observe_after(call, {}, JsonObject().boolean("gone", true));
}

// Trees come compact, as `snapshot` shows them.
Task<ToolAnswer> tell_plan(Call call, ExecuteResult result, std::optional<Verify> verify,
                           JsonObject several) {
  std::string seen;
  const auto written = co_await run_blocking([&]() -> Result<std::string> {
    seen = act::render_snapshots(result.envelope, act::TreeFormat::compact, std::nullopt,
                                 call.hand->snapshots);
    JsonObject more;
    more.text("device", result.device_id);
    if (verify) act::effect_of(result, *verify).tell(more);
    return act::brief_json(result, {.more = more.append(several).str()});
  });
  if (!written) co_return std::unexpected(written.error());
  if (!seen.empty()) CO_TRY_VOID(co_await note_shown(call, &result, seen));
  ToolAnswer answer = text_answer(*written);
  answer.is_error = !succeeded(result.envelope);
  if (answer.is_error) answer.code = failure_verdict(result).append(several).str();
  co_return answer;
}

Result<Execution> read_plan(const Call& call) {
  const auto timeout = call.arguments.whole("timeout_ms");
  const std::string id = act::Stamp::now().long_id("mcp");
  return act::judge_payload(JsonObject()
                                .text("commandId", id)
                                .text("taskId", id)
                                .text("source", "mcp")
                                .text("expectedFormat", kExpectedFormat)
                                .number("timeoutMs", timeout.value_or(30000))
                                .json("actions", call.arguments.json("actions"))
                                .str(),
                            std::nullopt, call.hand->operator_package);
}

// The one step of a plan that acts, where it is on what a matcher names and leaves open whether it
// is strict. Of several steps each says it for itself: an app goes on behind a strict one that
// failed.
struct AloneStep {
  std::size_t index = 0;
  NodeMatcher wanted{};
};

std::optional<AloneStep> find_alone_step(const Execution& plan) {
  const auto acts = [](const Action& action) { return !only_looks(action.type); };
  if (std::ranges::count_if(plan.actions, acts) != 1) return std::nullopt;
  const auto step = std::ranges::find_if(plan.actions, acts);
  const bool knows = step->type == ActionType::click || step->type == ActionType::enter_text ||
                     step->type == ActionType::scroll_and_click;
  const Json params = Json::parse(step->params.value_or("{}"), nullptr, false);
  const Json* matcher = find_member(params, "matcher");
  if (!knows || !matcher || find_member(params, "strict")) return std::nullopt;
  return AloneStep{static_cast<std::size_t>(step - plan.actions.begin()), read_matcher(*matcher)};
}

// An app that cannot be strict takes the first of several for a step that scrolls, or that others
// precede: no look before the plan shows what is there then.
Task<ExecuteResult> carry_out_plan(Call* call, ExecuteRequest request,
                                   std::optional<AloneStep> alone) {
  if (!alone) co_return co_await carry_out(*call, std::move(request));
  const bool by_app = request.backend == Backend::operator_app;
  if (!by_app || !co_await is_known_as_too_old(*call)) {
    ExecuteRequest strict = request;
    std::string& params = *strict.execution.actions[alone->index].params;
    params.insert(params.size() - 1, R"(,"strict":true)");
    auto result = co_await carry_out(*call, std::move(strict));
    if (result || !act::is_too_old_to_be_strict(result.error())) co_return result;
  }
  const bool scrolls = request.execution.actions[alone->index].type == ActionType::scroll_and_click;
  if (alone->index == 0 && !scrolls) CO_TRY_VOID(co_await check_alone(call, alone->wanted));
  co_return co_await carry_out(*call, std::move(request));
}

Task<ToolAnswer> run_plan(Call call, Execution execution) {
  ExecuteRequest request = request_of(call, std::move(execution));
  request.verify = verify_of(call);
  const auto verify = request.verify;
  const auto alone = find_alone_step(request.execution);
  CO_TRY(ExecuteResult result, co_await carry_out_plan(&call, std::move(request), alone));
  JsonObject several;
  if (alone && result.envelope.error_code == "NODE_AMBIGUOUS") {
    CO_TRY(several, co_await tell_several(call, &result, alone->wanted));
  }
  co_return co_await tell_plan(call, std::move(result), verify, std::move(several));
}

}  // namespace

// The default comes first, and stands there, too, where it is away: else a model would go on with
// another phone.
Task<ToolAnswer> call_devices(Call call) {
  CO_TRY(auto rows, co_await call.hand->devices());
  const bool only_ready = call.arguments.flag("ready");
  if (only_ready) {
    std::erase_if(rows, [](const DeviceRow& row) { return row.state != State::device; });
  }
  const Question meant = question_of(call.hand->target);
  const auto is_default = [&](const DeviceRow& row) { return meant.serial && meant.matches(row); };
  std::vector<std::string> list;
  const auto tell = [&](JsonObject& json, bool marked) {
    if (marked) json.boolean("default", true);
    list.push_back(json.str());
  };
  if (meant.serial && !only_ready && std::ranges::none_of(rows, is_default)) {
    tell(JsonObject().text("device", *meant.serial).text("state", "absent"), true);
  }
  for (const bool marked : {true, false}) {
    for (const DeviceRow& row : rows) {
      if (is_default(row) != marked) continue;
      JsonObject json;
      json.text("device", row.serial).text("state", row.state.text());
      json.text("transport", transport_name(row.transport));
      if (!row.model.empty()) json.text("model", row.model);
      tell(json, marked);
    }
  }
  co_return text_answer(JsonObject().json("devices", list_json(list, std::identity{})).str());
}

Task<ToolAnswer> call_doctor(Call call) {
  DoctorOptions options{.target = target_of(call),
                        .operator_package = call.hand->operator_package,
                        .broadcast_action = call.hand->broadcast_action,
                        .versions = call.hand->versions,
                        .log = call.hand->log};
  Report report;
  CO_TRY_VOID(co_await adbproto::with_deadline(run_doctor(std::move(options), &report),
                                               call.time_left(), "doctor"));
  co_return doctor_answer(report);
}

Task<ToolAnswer> call_snapshot(Call call) {
  CO_TRY(const ShowRequest wanted, read_showing(call.arguments));
  CO_TRY(auto execution, act::execution_of(act::Snapshot{}, act::Stamp::now(), std::nullopt,
                                           call.hand->operator_package));
  ExecuteRequest request = request_of(call, std::move(execution));
  CO_TRY(ExecuteResult result, co_await carry_out(call, std::move(request)));
  if (!succeeded(result.envelope)) co_return co_await tell_failure(call, std::move(result));
  CO_TRY(ShownTree tree, co_await show(call, &result, wanted));
  const bool is_unknown = wanted.since && !tree.is_since_held;
  co_return text_answer(
      "device " + result.device_id + (is_unknown ? " since unknown: all of it" : "") + "\n" +
      cut_lines(std::move(tree.text),
                static_cast<std::size_t>(call.arguments.whole("max_bytes").value_or(kBytes))));
}

Task<ToolAnswer> call_screenshot(Call call) {
  CO_TRY(Shot shot, read_shot(call.arguments));
  for (;;) {
    CO_TRY(ExecuteResult result, co_await take(call, shot));
    if (!succeeded(result.envelope)) co_return co_await tell_failure(call, std::move(result));
    // What is too large for hosts is taken anew, smaller.
    constexpr int kSmallest = 320;
    if (result.picture.size() > kMaxPicture && shot.max_side > kSmallest) {
      shot.max_side = std::max(kSmallest, shot.max_side / 2);
      continue;
    }
    co_return co_await picture_answer(call, shot, std::move(result));
  }
}

Task<ToolAnswer> call_wait_for(Call call) {
  const auto patience =
      std::chrono::milliseconds(call.arguments.whole("timeout_ms").value_or(10000));
  CO_TRY(auto found, co_await find_node(&call, RefUse::press));
  auto node = found ? std::optional(std::move(found->node)) : std::nullopt;
  const auto package = call.arguments.text("package");
  if (!node && !package) co_return fail(errc::usage, "give a selector or a package");
  if (call.arguments.flag("gone")) {
    if (!node || package) co_return fail(errc::usage, "gone is for a selector alone");
    co_return co_await wait_until_gone(call, *std::move(node), patience);
  }
  act::Action wait = act::WaitForNavigation{.package = package, .node = node};
  if (!package) wait = act::WaitForNode{.node = *std::move(node), .limit_ms = {}};
  co_return co_await wait_and_observe(call, std::move(wait), patience);
}

Task<ToolAnswer> call_execute(Call call) {
  const auto handle = call.arguments.text("handle");
  if (handle && call.arguments.has("actions")) {
    co_return fail(errc::usage, "give actions or a handle, not both");
  }
  if (handle) co_return co_await call.jobs->resume(*handle);
  if (!call.arguments.has("actions")) co_return fail(errc::usage, "give actions, or a handle");
  CO_TRY(Execution execution, read_plan(call));
  co_await mark_seen_passwords(&call, &execution);
  call.end = adbproto::Clock::now() + kLongestPlan;
  co_return co_await call.jobs->run(run_plan(call, std::move(execution)));
}

}  // namespace clawperator::mcp
