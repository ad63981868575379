#include <algorithm>
#include <nlohmann/json.hpp>

#include "adbproto/wire/base64.hpp"
#include "base/async/blocking.hpp"
#include "base/json_text.hpp"
#include "runtime/act/condition.hpp"
#include "runtime/act/effect.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/act/result.hpp"
#include "runtime/act/snapshot.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/device/choice/choice.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/host/doctor/doctor.hpp"
#include "runtime/image/frame.hpp"
#include "runtime/mcp/acting.hpp"
#include "runtime/mcp/call_executor.hpp"
#include "runtime/mcp/jobs.hpp"
#include "runtime/ui/find.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator::mcp {
namespace {

constexpr int kBytes = 200000;
constexpr int kMaxSide = 1280;  // as a JPEG it fits kMaxPicture, and a phone's text stays legible
// As base64 this is what hosts take without cutting it off.
constexpr std::size_t kMaxPicture = 525000;

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

// How the tree is written, and where a diff begins: at a hash, else at the screen that was shown
// last.
struct Showing {
  act::SnapshotRequest tree{.format = act::TreeFormat::compact, .since = {}};
  bool is_diff = false;
  std::optional<std::string> since{};
};

Result<Showing> read_showing(const Arguments& arguments) {
  Showing wanted;
  const std::string mode = arguments.text("mode").value_or("compact");
  wanted.since = arguments.text("since");
  if (mode == "full") wanted.tree.format = act::TreeFormat::xml;
  wanted.is_diff = mode == "diff" || wanted.since;
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

asio::awaitable<act::Outcome> take(const Call* call, Shot shot) {
  act::Request request = request_of(*call, Screenshot{});
  request.tree_first = shot.options.marks.has_value();
  request.how.screenshot = shot.options;
  request.how.screenshot.max_side = shot.max_side;
  CallExecutor executor(call);
  co_return co_await act::perform(&executor, std::move(request));
}

// Facts for the reader of the picture. The caller gets it: its points can be given from now on,
// where callers are known.
JsonObject picture_facts(const act::Seen& seen, const ExecuteResult& result, int max_side) {
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
  facts.real("scale", std::max(size.width, size.height) / longer);
  act::note_picture(seen, result, {{size.width, size.height}, *result.screen});
  if (size == screen) return facts;
  const std::string_view by_name = seen.pictures ? "x and y with space: picture, or " : "";
  return facts.text("points", "To tap what is at x, y of this picture, give " +
                                  std::string(by_name) + "x / scale and y / scale.");
}

Task<ToolAnswer> picture_answer(Call call, Shot shot, ExecuteResult result) {
  const act::Seen& seen = call.defaults->seen;
  JsonObject facts = picture_facts(seen, result, shot.max_side);
  std::string app;  // a picture alone shows an app without its name
  if (shot.options.marks) {
    CO_TRY(const UiTree tree, co_await run_blocking_if(is_large(result.envelope), [&] {
             return act::observe(result.envelope, seen.store);
           }));
    act::note_shown(seen, result, tree.hash, act::ShownAs::part);
    facts.text("hash", tree.hash);
    app = main_package(tree);
  }
  act::note_in_front(seen, result, app);
  ToolAnswer answer = text_answer(facts.str());
  CO_TRY(std::string data, co_await run_blocking([&]() -> Result<std::string> {
           return adbproto::encode_base64(result.picture);
         }));
  const bool is_png = shot.options.format == PictureFormat::png;
  answer.picture = JsonObject()
                       .text("type", "image")
                       .text("data", data)
                       .text("mimeType", is_png ? "image/png" : "image/jpeg")
                       .str();
  co_return answer;
}

Task<ToolAnswer> wait_until(Call call, act::Conditions conditions,
                            std::chrono::milliseconds limit) {
  // What the caller has waited for is no surprise to it, in whichever app it is.
  const bool waits_for_something =
      std::ranges::any_of(conditions.list, [](const act::Condition& each) {
        return !each.package.empty() || (each.node && !each.gone);
      });
  CallExecutor executor(&call);
  act::Request request = request_of(call, Snapshot{});
  CO_TRY(act::Met met, co_await act::wait_until(&executor, &request, std::move(conditions), limit));
  call.last_device = met.seen.result.device_id;
  if (waits_for_something) {
    act::note_in_front(request.seen, met.seen.result, main_package(met.seen.screen));
  }
  CO_TRY(ToolAnswer answer, co_await observe_after(call, {}, std::move(met.verdict)));
  answer.device = met.seen.result.device_id;
  co_return answer;
}

}  // namespace

// The default comes first, and stands there, too, where it is away: else a model would go on with
// another phone.
Task<ToolAnswer> call_devices(Call call) {
  CO_TRY(auto rows, co_await call.defaults->executor->devices());
  const bool only_ready = call.arguments.flag("ready");
  if (only_ready) {
    std::erase_if(rows, [](const DeviceRow& row) { return row.state != State::device; });
  }
  const Question meant = question_of(call.defaults->target);
  const auto is_default = [&](const DeviceRow& row) { return meant.serial && meant.matches(row); };
  std::vector<std::string> list;
  const auto add_row = [&](JsonObject& json, bool marked) {
    if (marked) json.boolean("default", true);
    list.push_back(json.str());
  };
  if (meant.serial && !only_ready && std::ranges::none_of(rows, is_default)) {
    add_row(JsonObject().text("device", *meant.serial).text("state", "absent"), true);
  }
  for (const bool marked : {true, false}) {
    for (const DeviceRow& row : rows) {
      if (is_default(row) != marked) continue;
      JsonObject json;
      json.text("device", row.serial).text("state", row.state.text());
      json.text("transport", transport_name(row.transport));
      if (!row.model.empty()) json.text("model", row.model);
      add_row(json, marked);
    }
  }
  co_return text_answer(JsonObject().json("devices", list_json(list, std::identity{})).str());
}

Task<ToolAnswer> call_doctor(Call call) {
  DoctorOptions options{.target = target_of(call),
                        .operator_package = call.defaults->operator_package,
                        .broadcast_action = call.defaults->broadcast_action,
                        .versions = call.defaults->versions,
                        .log = call.defaults->log};
  Report report;
  CO_TRY_VOID(co_await adbproto::with_deadline(run_doctor(std::move(options), &report),
                                               call.time_left(), "doctor"));
  co_return doctor_answer(report);
}

Task<ToolAnswer> call_snapshot(Call call) {
  CO_TRY(Showing wanted, read_showing(call.arguments));
  const act::Seen& seen = call.defaults->seen;
  CallExecutor executor(&call);
  act::Outcome outcome = co_await act::perform(&executor, request_of(call, Snapshot{}));
  if (!outcome.result) co_return std::unexpected(outcome.result.error());
  ExecuteResult& result = *outcome.result;
  if (!succeeded(result.envelope)) co_return failure_answer(outcome);
  if (wanted.is_diff) {
    const auto since = wanted.since ? wanted.since : act::last_read_of(seen, own_name(result));
    CO_TRY(auto before, co_await act::held_tree(&seen, since));
    if (before) wanted.tree.since = act::Since{std::move(before)};
  }
  const bool is_unknown = wanted.since && !wanted.tree.since;
  StepResult* step = snapshot_step(result.envelope);
  if (!step) co_return fail(errc::snapshot_extraction_failed, "the device gave no hierarchy");
  const auto most = static_cast<std::size_t>(call.arguments.whole("max_bytes").value_or(kBytes));
  CO_TRY_VOID(co_await act::show(&seen, &result, step, wanted.tree, most));
  co_return ToolAnswer{.text = "device " + result.device_id +
                               (is_unknown ? " since unknown: all of it" : "") + "\n" +
                               cut_lines(*find_data(step->data, "text"), most),
                       .device = result.device_id};
}

Task<ToolAnswer> call_screenshot(Call call) {
  CO_TRY(Shot shot, read_shot(call.arguments));
  for (;;) {
    act::Outcome outcome = co_await take(&call, shot);
    if (!outcome.result) co_return std::unexpected(outcome.result.error());
    ExecuteResult& result = *outcome.result;
    if (!succeeded(result.envelope)) co_return failure_answer(outcome);
    // A picture that is too large for hosts is taken again, smaller.
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
  CO_TRY(auto node, read_node(call.arguments));
  const auto package = call.arguments.text("package");
  const bool gone = call.arguments.flag("gone");
  CO_TRY(auto any, call.arguments.conditions("any", false));
  CO_TRY(auto all, call.arguments.conditions("all", true));
  if (any || all) {
    const bool alone = !(any && all) && !node && !package && !gone;
    if (!alone)
      co_return fail(errc::usage, "give any or all alone, with each condition in its array");
    co_return co_await wait_until(call, any ? *std::move(any) : *std::move(all), patience);
  }
  if (!node && !package) co_return fail(errc::usage, "give a selector or a package, or any or all");
  if (gone) {
    if (!node || package) co_return fail(errc::usage, "gone is for a selector alone");
    co_return co_await wait_until(call, act::until_gone(node->fields), patience);
  }
  const auto limit_ms = static_cast<double>(patience.count());
  Action wait = WaitForNode{.matcher = node, .timeout_ms = limit_ms};
  if (package) wait = WaitForNavigation{package, node, limit_ms};
  co_return co_await wait_and_answer(call, std::move(wait), patience);
}

}  // namespace clawperator::mcp
