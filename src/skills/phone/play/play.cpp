#include "skills/phone/play/play.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/async/signal.hpp"
#include "base/error_members.hpp"
#include "runtime/act/aim.hpp"
#include "runtime/act/look.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/act/perform.hpp"
#include "runtime/act/ref.hpp"
#include "runtime/act/result.hpp"
#include "runtime/contract/secrets.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/find.hpp"
#include "runtime/ui/node_matcher.hpp"
#include "skills/phone/play/find_rule.hpp"
#include "skills/phone/recipe/errc.hpp"
#include "skills/phone/recipe/fields_table.hpp"

namespace clawperator::recipe {
namespace {

using std::chrono::milliseconds;

// The app itself searches for a node five times, in about 7 s.
constexpr milliseconds kPatience{7000};
constexpr milliseconds kPerTry = kPatience / 5;
// Between two looks other callers get the device.
constexpr milliseconds kBetweenLooks{150};
// A list that was scrolled comes to rest in this time.
constexpr milliseconds kAfterScroll{1000};
constexpr double kMostSwipes = 10;  // the app's default

bool changes(const Action& action) {
  const auto* scroll = action.as<ScrollAndClick>();
  return action.is<Click>() || action.is<EnterText>() ||
         (scroll && scroll->click_after.value_or(true));
}

bool is_check(const Action& action) { return action.is<WaitForNode>() || action.is<ReadText>(); }

milliseconds patience_of(const Action& action) {
  if (const auto* wait = action.as<WaitForNode>(); wait && wait->timeout_ms) {
    return milliseconds(static_cast<std::int64_t>(*wait->timeout_ms));
  }
  const auto* retry = param_as<Retry>(action, "retry");
  const auto tries = retry ? retry->max_attempts : std::nullopt;
  return tries ? static_cast<std::int64_t>(*tries) * kPerTry : kPatience;
}

// What the screen lacks: of a check behind a change it is the change that is not proved.
bool is_of_screen(Errc code) {
  return code == errc::node_not_found || code == errc::node_ambiguous ||
         code == errc::app_not_in_front || code == errc::recipe_step_failed;
}

class Player {
 public:
  Player(Executor* executor, Play play)
      : executor_(executor), play_(std::move(play)), app_(play_.app) {}

  Task<Played> run() {
    for (const PlanStep& step : play_.steps) {
      Result<void> did = fail(errc::cancelled, "interrupted before it began");
      const bool begins = !is_cancelled(co_await asio::this_coro::cancellation_state);
      try {
        if (begins) did = co_await take(&step);
      } catch (const std::system_error&) {
        did = fail(errc::cancelled, "interrupted; it may have been done");
      }
      if (!did) co_return std::unexpected(located(step, did.error()));
      played_.done.push_back(step.action.id);
      if (is_check(step.action)) is_unproved_ = false;
      if (changes(step.action)) is_unproved_ = true;
      if (const auto* open = step.action.as<OpenApp>()) app_ = open->application_id.value_or("");
    }
    co_return std::move(played_);
  }

 private:
  enum class Count : std::uint8_t { one, any };
  struct Found {
    act::Look now;
    std::vector<std::size_t> nodes{};
  };

  Task<void> take(const PlanStep* step) {
    const Action& action = step->action;
    if (const auto* sleep = action.as<Sleep>()) {
      co_await sleep_for(milliseconds(static_cast<std::int64_t>(sleep->duration_ms.value_or(0))));
      const bool is_cut = is_cancelled(co_await asio::this_coro::cancellation_state);
      if (is_cut) co_return fail(errc::cancelled, "interrupted");
      co_return ok();
    }
    if (action.is<WaitForNode>()) {
      CO_TRY_VOID(co_await find(step, patience_of(action), Count::any));
      co_return ok();
    }
    if (!step->node) co_return co_await send_as_it_is(step);
    if (action.is<ScrollAndClick>()) co_return co_await scroll_to(step);
    CO_TRY(const Found found, co_await find(step, patience_of(action), Count::one));
    if (action.is<ReadText>()) {
      co_return take_text(action.id, label_of(found.now.screen.nodes[found.nodes[0]]));
    }
    co_return co_await send_to(action, &found);
  }

  // An action without a node, or a reading by the app's own matcher. The recipe's app may still be
  // coming to the front: then nothing is sent, and the reading waits for it.
  Task<void> send_as_it_is(const PlanStep* step) {
    Action action = step->action;
    if (auto* read = action.as<ReadText>()) read->strict = !read->all.value_or(false);
    std::optional<ShownNode> shown;
    const NodeMatcher texts = matched_by(action);
    const bool is_bound = texts != NodeMatcher{} && !app_.empty() && !names_app(texts);
    if (is_bound) shown = ShownNode{.app = app_, .front = app_};
    const auto end = Clock::now() + patience_of(action);
    for (;;) {
      const auto sent = co_await send(action, shown);
      if (sent) co_return take_result(action, *sent);
      const bool waits = sent.error().code() == errc::app_not_in_front && Clock::now() < end;
      if (!waits) co_return std::unexpected(sent.error());
      co_await sleep_for(kBetweenLooks);
    }
  }

  Result<void> take_result(const Action& action, const ExecuteResult& result) {
    if (!action.is<ReadText>()) return ok();
    for (const StepResult& each : result.envelope.step_results) {
      const std::string* text = find_data(each.data, "text");
      if (text && each.action_type == "read_text") return take_text(action.id, *text);
    }
    return fail(errc::recipe_step_failed, "the phone's answer has no text");
  }

  // The node was found on a snapshot: nothing is sent for another one.
  Task<void> send_to(Action action, const Found* found) {
    CO_TRY(const act::Target target, act::target_of(found->now.screen, found->nodes[0]));
    const NodeFlags& flags = found->now.screen.nodes[found->nodes[0]].flags;
    if (auto* enter = action.as<EnterText>()) enter->secret |= flags.password;
    const Error otherwise(errc::node_ambiguous, "no selector distinguishes the node from others");
    CO_TRY(action, act::aimed_at(std::move(action), target, otherwise));
    CO_TRY_VOID(co_await send(std::move(action), target.shown));
    co_return ok();
  }

  Task<ExecuteResult> send(Action action, std::optional<ShownNode> shown) {
    act::Request request = play_.how;
    request.what = std::move(action);
    request.stamp = act::Stamp::now();
    request.how.shown = std::move(shown);
    request.how.secrets = secrets_;
    request.explains_miss = true;
    act::Outcome outcome = co_await act::perform(executor_, std::move(request));
    if (!outcome.result) co_return std::unexpected(std::move(outcome.result).error());
    note(*outcome.result);
    const Envelope& envelope = outcome.result->envelope;
    if (succeeded(envelope)) co_return *std::move(outcome.result);
    JsonObject details = std::move(outcome.miss);
    details.append(outcome.several);
    const std::string code = act::failure_code(envelope);
    const std::string message = act::failure_message(envelope);
    if (act::is_ambiguous(envelope)) co_return fail_with(errc::node_ambiguous, message, details);
    if (code == errc::node_not_found.published) {
      co_return fail_with(errc::node_not_found, message, details);
    }
    details.object("cause", JsonObject().text("code", code).text("message", message));
    co_return fail_with(errc::recipe_step_failed, message, details);
  }

  // The rest of the recipe is for this very phone.
  void note(const ExecuteResult& result) {
    played_.device_id = result.device_id;
    stay_on(&play_.how.how.target, result.device_id);
    secrets_.add(result.secrets);
  }

  // Whether the step's node is one of the app that the steps act in.
  [[nodiscard]] bool is_bound(const PlanStep& step) const {
    return !app_.empty() && !names_app(step.node->texts);
  }

  // Reads the screen until nodes fit. Several are an error as soon as two looks show the same.
  Task<Found> find(const PlanStep* step, milliseconds limit, Count count) {
    const NodeRule* container = step->container ? &*step->container : nullptr;
    const auto end = Clock::now() + limit;
    std::string ambiguous;  // the hash of the screen that has several
    for (;;) {
      CO_TRY(act::Look now, co_await act::look(executor_, &play_.how));
      note(now.result);
      const std::string front = main_package(now.screen);
      const bool is_other = is_bound(*step) && front != app_;
      auto nodes =
          is_other ? std::vector<std::size_t>() : find_rule(now.screen, *step->node, container);
      if (nodes.size() == 1 || (count == Count::any && !nodes.empty())) {
        co_return Found{std::move(now), std::move(nodes)};
      }
      const bool is_over = Clock::now() >= end;
      if (nodes.size() > 1 && (is_over || now.screen.hash == ambiguous)) {
        co_return fail_with(errc::node_ambiguous, std::to_string(nodes.size()) + " nodes match",
                            act::describe_candidates(kept(std::move(now)), nodes));
      }
      ambiguous = nodes.empty() ? "" : now.screen.hash;
      if (is_over && is_other) {
        co_return std::unexpected(stale_ref({.app = app_, .front = app_}, kOtherApp, front));
      }
      if (is_over) {
        co_return fail_with(errc::node_not_found, "no node matches",
                            act::describe_miss(kept(std::move(now)), texts_of(*step->node)));
      }
      co_await sleep_for(kBetweenLooks);
    }
  }

  // The screen for an error: without the secrets, and held so that its refs name nodes.
  UiTree kept(act::Look now) const {
    if (!secrets_.empty()) {
      mask(now.result.envelope, secrets_);
      auto masked = act::observe(now.result.envelope, act::SnapshotStore({}));
      if (masked) now.screen = *std::move(masked);
    }
    keep(play_.how.seen, now.result, now.screen);
    return std::move(now.screen);
  }

  // Scrolls until one node fits, or the screen does not move any more.
  Task<void> scroll_to(const PlanStep* step) {
    const auto& wanted = *step->action.as<ScrollAndClick>();
    std::string before;
    for (double swipes = 0;; ++swipes) {
      const auto found = co_await find(step, kAfterScroll, Count::one);
      if (found) {
        if (!wanted.click_after.value_or(true)) co_return ok();
        Action click = Click{.click_type = wanted.click_type};
        co_return co_await send_to(std::move(click), &*found);
      }
      const bool may_scroll = found.error().code() == errc::node_not_found;
      if (!may_scroll || swipes >= wanted.max_swipes.value_or(kMostSwipes)) {
        co_return std::unexpected(found.error());
      }
      CO_TRY(const act::Look now, co_await act::look(executor_, &play_.how));
      if (now.screen.hash == before) co_return std::unexpected(found.error());  // the end
      before = now.screen.hash;
      Scroll scroll{.direction = wanted.direction, .distance_ratio = wanted.distance_ratio};
      CO_TRY(scroll.container, container_on(now, *step));
      const std::string app = is_bound(*step) ? app_ : main_package(now.screen);
      CO_TRY_VOID(co_await send(std::move(scroll), ShownNode{.app = app, .front = app}));
    }
  }

  // The container as the app's matcher describes it; none where the app takes that one by itself.
  Result<std::optional<Selector>> container_on(const act::Look& now, const PlanStep& step) const {
    if (!step.container) return std::nullopt;
    const UiTree& screen = now.screen;
    const auto found = find_rule(screen, *step.container);
    if (found.size() > 1) {
      return fail_with(errc::node_ambiguous,
                       std::to_string(found.size()) + " nodes match the container",
                       act::describe_candidates(kept(now), found));
    }
    if (found.empty()) {
      return fail_with(errc::node_not_found, "no node matches the container",
                       act::describe_miss(kept(now), texts_of(*step.container)));
    }
    TRY(const act::Target target, act::target_of(screen, found[0]));
    if (const auto* selector = std::get_if<Selector>(&target.place)) return *selector;
    if (first_scrollable(screen) == found[0]) return std::nullopt;
    return fail(errc::node_ambiguous, "no selector distinguishes the container from other nodes");
  }

  Result<void> take_text(std::string_view id, std::string_view text) {
    for (const Output& output : play_.outputs) {
      if (output.step != id) continue;
      // Before anything else is written about it.
      if (output.redaction != Redaction::none) secrets_.add(text);
      const auto value = value_of(output.type, text);
      if (!value) {
        return fail(errc::recipe_output_invalid,
                    "output '" + output.name + "': the text is no " + output.type);
      }
      if (const auto shown = redacted(*value, output.redaction)) {
        played_.outputs.json(output.name, write_json(*shown));
      }
    }
    return ok();
  }

  Error located(const PlanStep& step, const Error& error) const {
    const std::string& id = step.action.id;
    const bool proves = id.starts_with(kConfirmId) || (is_unproved_ && is_check(step.action));
    const bool is_verification = proves && is_of_screen(error.code());
    ErrorMembers details;
    details.text("file", play_.file)
        .number("line", static_cast<std::int64_t>(step.place.line))
        .number("column", static_cast<std::int64_t>(step.place.column))
        .text("step", id)
        .strings("done", played_.done);
    if (!step.wanted.empty()) details.json("expected", step.wanted);
    if (is_verification) {
      details.object("cause", JsonObject().text("code", error.code()->published));
    }
    const Error full(is_verification ? Errc(errc::verify_failed) : error.code(),
                     "step " + id + ": " + error.message(), error.members());
    return secrets_.masked(with_details(full, details));
  }

  Executor* executor_;
  Play play_;
  std::string app_;  // that the steps act in; empty: any
  Secrets secrets_{};
  Played played_{};
  bool is_unproved_ = false;  // the last change has no check yet
};

}  // namespace

Task<Played> play(Executor* executor, Play play) {
  Player player(executor, std::move(play));
  co_return co_await player.run();
}

}  // namespace clawperator::recipe
