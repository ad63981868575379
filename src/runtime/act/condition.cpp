#include "runtime/act/condition.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/async/blocking.hpp"
#include "base/error_members.hpp"
#include "base/js_string.hpp"
#include "base/system/errc.hpp"
#include "base/text.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/act/ref.hpp"
#include "runtime/act/selector.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/host/verbs/input.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator::act {
namespace {

using std::chrono::milliseconds;

// So an answer is late by at most this and the time of one read.
constexpr milliseconds kBetweenLooks{200};

// Errors that a later try may not have: between two windows there is no tree, and another command
// may hold the device.
bool may_pass(const Error& error) {
  return error.code() == errc::snapshot_extraction_failed ||
         error.code() == errc::execution_conflict_in_flight;
}

bool has_text(const UiTree& screen, std::size_t root, std::string_view part) {
  const auto last =
      screen.nodes.begin() + static_cast<std::ptrdiff_t>(end_of_subtree(screen, root));
  return std::any_of(screen.nodes.begin() + static_cast<std::ptrdiff_t>(root), last,
                     [part](const UiNode& node) {
                       return node.text.contains(part) || node.description.contains(part);
                     });
}

bool has_node(const Condition& condition, const WaitScreen& now) {
  const UiTree& screen = *now.tree;
  NodeMatcher wanted = *condition.node;
  const bool is_exact = now.has_exact_ids || !wanted.resource_id;
  if (!is_exact) wanted.resource_id = id_on(screen, *wanted.resource_id);
  if (condition.contains.empty()) return find_node(screen, wanted).has_value();
  return std::ranges::any_of(matching_nodes(screen, wanted), [&](std::size_t node) {
    return has_text(screen, node, condition.contains);
  });
}

std::unexpected<Error> wrong_condition(const std::string& where, std::string_view problem) {
  return fail(errc::usage, where + " " + std::string(problem));
}

Result<void> read_member(Condition& condition, const std::string& name, const Json& value,
                         const std::string& where) {
  const std::string* text = string_value(&value);
  if (name == "selector") {
    TRY(condition.node, read_matcher(value, where + ".selector"));
  } else if ((name == "gone" || name == "still") && value.is_boolean()) {
    (name == "gone" ? condition.gone : condition.still) = value.get<bool>();
  } else if ((name == "contains" || name == "package") && text && !is_blank(*text)) {
    (name == "contains" ? condition.contains : condition.package) = *text;
  } else if (name == "keyboard" && text && is_one_of(*text, "shown hidden")) {
    condition.keyboard = *text == "shown";
  } else {
    return wrong_condition(
        where + "." + name.substr(0, 64),
        "is none of: selector (an object), gone (true), contains (a text), package (a "
        "text), keyboard (shown or hidden), still (true)");
  }
  return ok();
}

Result<Condition> read_condition(const Json& given, const std::string& where) {
  if (!given.is_object()) return wrong_condition(where, "must be an object");
  Condition condition;
  for (const auto& [name, value] : given.get_ref<const Json::object_t&>()) {
    TRY_VOID(read_member(condition, name, value, where));
  }
  const int count = (condition.node ? 1 : 0) + (condition.package.empty() ? 0 : 1) +
                    (condition.keyboard ? 1 : 0) + (condition.still ? 1 : 0);
  if (count != 1) return wrong_condition(where, "needs one of selector, package, keyboard, still");
  if (!condition.node && (condition.gone || !condition.contains.empty())) {
    return wrong_condition(where, "has gone or contains, which need a selector");
  }
  return condition;
}

// Since when the screen is the same.
struct Stillness {
  std::string hash{};
  Clock::time_point since{};

  bool note(const std::string& now) {
    if (now != hash) *this = {now, Clock::now()};
    return Clock::now() - since >= kStill;
  }
};

// The keyboard is read once for each screen, where a condition is about it.
struct Watch {
  Executor* executor;
  Request* request;
  Conditions conditions;
  Stillness stillness{};
  std::unique_ptr<adbproto::Device> device{};  // open where the keyboard is read
};

// A screen, and the indexes of the conditions that it meets.
struct Judged {
  Look seen;
  std::vector<std::size_t> met{};
};

Task<bool> read_keyboard(Watch* watch) {
  const auto is_of_keyboard = [](const Condition& each) { return each.keyboard.has_value(); };
  if (std::ranges::none_of(watch->conditions.list, is_of_keyboard)) co_return false;
  if (!watch->device) {
    CO_TRY(watch->device, co_await watch->executor->open(watch->request->how.target));
  }
  co_return co_await is_keyboard_shown(watch->device.get());
}

Task<Judged> look_and_judge(Watch* watch) {
  CO_TRY(Look seen, co_await look(watch->executor, watch->request));
  CO_TRY(const bool has_keyboard, co_await read_keyboard(watch));
  const bool is_still = watch->stillness.note(seen.screen.hash);
  const bool is_exact = watch->request->short_ids == ShortIds::as_given;
  Judged judged{std::move(seen)};
  const WaitScreen now{&judged.seen.screen, is_still, has_keyboard, is_exact};
  for (std::size_t i = 0; i < watch->conditions.list.size(); ++i) {
    if (is_met(watch->conditions.list[i], now)) judged.met.push_back(i);
  }
  co_return judged;
}

void write_indexes(JsonObject& json, std::string_view name, const std::vector<std::size_t>& list) {
  json.json(name, list_json(list, [](std::size_t i) { return std::to_string(i); }));
}

Met met_by(const Conditions& conditions, Judged judged) {
  Met met{std::move(judged.seen)};
  if (conditions.word.empty()) {
    write_indexes(met.verdict, "met", judged.met);
  } else {
    met.verdict.boolean(conditions.word, true);
  }
  return met;
}

// What the error has of several conditions, by the last screen that was read.
JsonObject members_of(const Conditions& conditions, const Judged& last) {
  std::vector<std::size_t> unmet;
  std::vector<NodeMatcher> missing;
  for (std::size_t i = 0; i < conditions.list.size(); ++i) {
    if (std::ranges::find(last.met, i) != last.met.end()) continue;
    unmet.push_back(i);
    const Condition& condition = conditions.list[i];
    if (condition.node && !condition.gone) missing.push_back(*condition.node);
  }
  JsonObject json;
  write_indexes(json, "met", last.met);
  write_indexes(json, "unmet", unmet);
  return json.append(describe_miss(last.seen.screen, missing));
}

Error late(const Conditions& conditions, milliseconds limit, const std::string& why) {
  std::string vain = "not " + conditions.word;
  if (conditions.word.empty())
    vain = conditions.all ? "not every condition holds" : "no condition holds";
  return {errc::deadline_exceeded, vain + " after " + std::to_string(limit.count()) + " ms" + why};
}

// With what the last screen shows of several conditions.
Task<Met> fail_late(Request* request, const Conditions* conditions, const Judged* last,
                    Error error) {
  if (!last || !conditions->word.empty()) co_return std::unexpected(std::move(error));
  keep(request->seen, last->seen.result, last->seen.screen);
  CO_TRY(const JsonObject members, co_await run_blocking([&]() -> Result<JsonObject> {
           return members_of(*conditions, *last);
         }));
  co_return std::unexpected(with_members(error, members));
}

}  // namespace

bool is_met(const Condition& condition, const WaitScreen& screen) {
  if (condition.node) return has_node(condition, screen) != condition.gone;
  if (!condition.package.empty()) return main_package(*screen.tree) == condition.package;
  if (condition.keyboard) return *condition.keyboard == screen.has_keyboard;
  return screen.is_still;
}

Conditions until_gone(NodeMatcher node) {
  return {.list = {{.node = std::move(node), .gone = true}}, .word = "gone"};
}

Conditions until_still() { return {.list = {{.still = true}}, .word = "still"}; }

Result<Conditions> read_conditions(const Json& given, std::string_view name, bool all) {
  if (!given.is_array() || given.empty() || given.size() > kMostConditions) {
    return wrong_condition(std::string(name), "must be an array of 1 to " +
                                                  std::to_string(kMostConditions) + " conditions");
  }
  Conditions conditions{.all = all};
  for (const Json& each : given) {
    const std::string where =
        std::string(name) + "[" + std::to_string(conditions.list.size()) + "]";
    TRY(Condition condition, read_condition(each, where));
    conditions.list.push_back(std::move(condition));
  }
  return conditions;
}

Task<Met> wait_until(Executor* executor, Request* request, Conditions conditions,
                     milliseconds limit) {
  const auto end = Clock::now() + limit;
  const std::size_t enough = conditions.all ? conditions.list.size() : 1;
  Watch watch{executor, request, std::move(conditions)};
  std::optional<Judged> last;
  for (;;) {
    auto now = co_await look_and_judge(&watch);
    if (!now && !may_pass(now.error())) co_return std::unexpected(now.error());
    const std::string why = now ? "" : ": " + now.error().message();
    if (now) {
      last = *std::move(now);
      if (last->met.size() >= enough) co_return met_by(watch.conditions, *std::move(last));
    }
    const auto left = end - Clock::now();
    if (left <= Clock::duration::zero()) {
      co_return co_await fail_late(request, &watch.conditions, last ? &*last : nullptr,
                                   late(watch.conditions, limit, why));
    }
    co_await sleep_for(std::min<Clock::duration>(kBetweenLooks, left));
  }
}

}  // namespace clawperator::act
