#include "skills/phone/play/play.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

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

milliseconds left_until(Clock::time_point end) {
  return std::chrono::duration_cast<milliseconds>(end - Clock::now());
}

// The app itself searches for a node five times, in about 7 s.
constexpr milliseconds kPatience{7000};
constexpr milliseconds kPerTry = kPatience / 5;
// Between two looks other callers get the device.
constexpr milliseconds kBetweenLooks{150};
// A list that was scrolled comes to rest in this time.
constexpr milliseconds kAfterScroll{1000};
constexpr double kMostSwipes = 10;  // the app's default
// A reading is of one node. Where its selector fits more texts than this, an error shows no text.
constexpr std::size_t kMostHidden = 50;
constexpr std::string_view kNarrow =
    "nothing was done: describe the node in more detail, or its container";

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

// The node may still come to where it can be touched; nothing was sent for it.
bool may_come(Errc code) { return code == errc::stale_ref || code == errc::app_not_in_front; }

// What the screen lacks: of a check behind a change it is the change that is not proved.
bool is_of_screen(Errc code) {
  return code == errc::node_not_found || code == errc::node_ambiguous ||
         code == errc::app_not_in_front || code == errc::recipe_step_failed;
}

class Player {
 public:
  Player(Executor* executor, Play play)
      : executor_(executor), play_(std::move(play)), app_(play_.app) {
    // Each look has the warnings of the one before.
    play_.how.how.on_warning = [this, print = play_.how.how.on_warning](std::string_view warning) {
      if (print && warned_.emplace(warning).second) print(warning);
    };
  }

  Task<Played> run() {
    for (const PlanStep& step : play_.steps) {
      Result<void> did = fail(errc::cancelled, "interrupted before it began");
      const auto state = co_await asio::this_coro::cancellation_state;
      const bool begins = !is_cancelled(state) && !is_cut_short_;
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
      CO_TRY_VOID(co_await find(step, patience_with(action), Count::any));
      co_return ok();
    }
    if (!step->node) co_return co_await send_as_it_is(step);
    if (action.is<ScrollAndClick>()) co_return co_await scroll_to(step);
    const auto end = Clock::now() + patience_with(action);
    for (;;) {
      CO_TRY(const Found found, co_await find(step, left_until(end), Count::one));
      if (action.is<ReadText>()) {
        co_return take_text(action.id, label_of(found.now.screen.nodes[found.nodes[0]]));
      }
      const auto did = co_await send_to(action, &found);
      if (did || !may_come(did.error().code()) || Clock::now() >= end) co_return did;
    }
  }

  [[nodiscard]] milliseconds after_scroll(const PlanStep& step) const {
    return std::min(kAfterScroll, patience_with(step.action));
  }

  // `--timeout` limits a search, too.
  [[nodiscard]] milliseconds patience_with(const Action& action) const {
    const double most = play_.how.timeout_ms.value_or(kMaxTimeoutMs);
    return std::min(patience_of(action), milliseconds(static_cast<std::int64_t>(most)));
  }

  // An action without a node, or a reading by the app's own matcher. The recipe's app may still be
  // coming to the front: then nothing is sent, and the reading waits for it.
  Task<void> send_as_it_is(const PlanStep* step) {
    Action action = step->action;
    if (auto* read = action.as<ReadText>()) read->strict = !read->all.value_or(false);
    std::optional<ShownNode> shown;
    const NodeRule rule{.texts = matched_by(action)};
    const bool has_node = rule.texts != NodeMatcher{};
    if (has_node && is_bound(rule)) shown = ShownNode{.app = app_, .front = app_};
    const auto end = Clock::now() + patience_with(action);
    for (;;) {
      const auto sent = co_await send(action, shown);
      if (sent) co_return take_result(action, *sent);
      const Error& error = sent.error();
      const bool waits = error.code() == errc::app_not_in_front && Clock::now() < end;
      if (!waits && has_node) co_return co_await explained(&error, &rule);
      if (!waits) co_return std::unexpected(error);
      co_await sleep_for(kBetweenLooks);
    }
  }

  // The error of a reading by the app's own matcher, with what the screen has.
  Task<void> explained(const Error* error, const NodeRule* rule) {
    const bool is_several = error->code() == errc::node_ambiguous;
    const bool is_other = error->code() == errc::app_not_in_front;
    if (!is_several && !is_other && error->code() != errc::node_not_found) {
      co_return std::unexpected(*error);
    }
    CO_TRY(act::Look now, co_await act::look(executor_, &play_.how));
    note(now.result);
    if (is_other) co_return other_app(main_package(now.screen));
    const auto nodes = find_rule(now.screen, *rule);
    const UiTree screen = kept(std::move(now));
    co_return fail_with(error->code(), error->message(),
                        is_several ? act::describe_candidates(screen, nodes, kNarrow)
                                   : act::describe_miss(screen, rule->texts));
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
    // A text that is read must come as it is, because its hash may be printed.
    // No screen of it is held, and a short id is one of the screen as it is now.
    if (std::get<Action>(request.what).is<ReadText>()) {
      request.seen = {};
      request.short_ids = act::ShortIds::found;
    } else {
      request.how.secrets = secrets_;
    }
    request.explains_miss = false;
    act::Outcome outcome = co_await act::perform(executor_, std::move(request));
    is_cut_short_ |= outcome.is_cut_short;
    if (!outcome.result) co_return std::unexpected(std::move(outcome.result).error());
    note(*outcome.result);
    const Envelope& envelope = outcome.result->envelope;
    if (succeeded(envelope)) co_return *std::move(outcome.result);
    const std::string code = act::failure_code(envelope);
    const std::string message = act::failure_message(envelope);
    if (act::is_ambiguous(envelope)) co_return fail(errc::node_ambiguous, message);
    // Nothing on the screen can be scrolled, or not yet.
    const bool has_nothing = code.starts_with("CONTAINER_NOT_") || act::is_miss(envelope);
    if (has_nothing) co_return fail(errc::node_not_found, message);
    JsonObject cause;
    cause.text("code", code).text("message", message);
    co_return fail_with(errc::recipe_step_failed, message, JsonObject().object("cause", cause));
  }

  // The rest of the recipe is for this very phone.
  void note(const ExecuteResult& result) {
    played_.device_id = result.device_id;
    stay_on(&play_.how.how.target, result.device_id);
    secrets_.add(result.secrets);
  }

  // Whether the step's node is one of the app that the steps act in.
  [[nodiscard]] bool is_bound(const NodeRule& rule) const {
    return !app_.empty() && !names_other_app(rule, app_);
  }

  [[nodiscard]] std::unexpected<Error> other_app(const std::string& front) const {
    return fail_with(errc::app_not_in_front,
                     front + " is in front, not " + app_ + ": nothing was done",
                     JsonObject().text("foreground", front));
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
      const std::string app = is_bound(*step->node) ? app_ : "";
      const bool is_other = !app.empty() && front != app;
      std::vector<std::size_t> nodes;
      if (!is_other) nodes = find_rule(now.screen, *step->node, container, app);
      if (nodes.size() == 1 || (count == Count::any && !nodes.empty())) {
        co_return Found{std::move(now), std::move(nodes)};
      }
      const bool is_over = Clock::now() >= end;
      if (nodes.size() > 1 && (is_over || now.screen.hash == ambiguous)) {
        co_return fail_with(errc::node_ambiguous, std::to_string(nodes.size()) + " nodes match",
                            act::describe_candidates(kept(std::move(now)), nodes, kNarrow));
      }
      ambiguous = nodes.empty() ? "" : now.screen.hash;
      if (is_over && is_other) co_return other_app(front);
      if (is_over) {
        co_return fail_with(errc::node_not_found, "no node matches",
                            act::describe_miss(kept(std::move(now)), texts_of(*step->node)));
      }
      co_await sleep_for(kBetweenLooks);
    }
  }

  // The texts on the screen that a later step would read and not print.
  std::set<std::string> hidden_on(const UiTree& screen) const {
    std::set<std::string> hidden;
    for (const Output& output : play_.outputs) {
      const auto step = std::ranges::find(play_.steps, output.step,
                                          [](const PlanStep& each) { return each.action.id; });
      if (output.redaction == Redaction::none || step == play_.steps.end()) continue;
      const NodeRule rule = step->node.value_or(NodeRule{.texts = matched_by(step->action)});
      const NodeRule* container = step->container ? &*step->container : nullptr;
      for (const std::size_t node : find_rule(screen, rule, container)) {
        hidden.insert(label_of(screen.nodes[node]));
      }
    }
    return hidden;
  }

  // The screen for an error: without the secrets, and held so that its refs name nodes.
  UiTree kept(act::Look now) const {
    const auto hidden = hidden_on(now.screen);
    if (hidden.size() > kMostHidden) {
      for (UiNode& node : now.screen.nodes) node.text = node.description = node.hint = "";
      return std::move(now.screen);
    }
    Secrets secrets = secrets_;
    for (const std::string& text : hidden) secrets.add(text);
    if (!secrets.empty()) {
      mask(now.result.envelope, secrets);
      auto masked = act::observe(now.result.envelope, act::SnapshotStore({}));
      if (masked) now.screen = *std::move(masked);
    }
    keep(play_.how.seen, now.result, now.screen);
    return std::move(now.screen);
  }

  // Scrolls until one node fits, or the screen does not move any more. The app, and what scrolls in
  // it, may still be coming.
  Task<void> scroll_to(const PlanStep* step) {
    const auto& wanted = *step->action.as<ScrollAndClick>();
    const auto end = Clock::now() + patience_with(step->action);
    std::string before;
    double left = wanted.max_swipes.value_or(kMostSwipes);
    for (;;) {
      const auto found = co_await find(step, after_scroll(*step), Count::one);
      Result<void> did = ok();
      bool is_coming = false;
      if (found) {
        if (wanted.click_after.value_or(true)) {
          did = co_await send_to(Click{.click_type = wanted.click_type}, &*found);
        }
      } else if (found.error().code() == errc::node_not_found && left > 0) {
        const auto moved = co_await swipe(step, &before);
        if (moved && *moved) {
          --left;
          continue;
        }
        // The end of the list; or nothing scrolls, which says less than what is near.
        is_coming = !moved && moved.error().code() == errc::node_not_found;
        const bool is_news = !moved && (!is_coming || step->container);
        did = std::unexpected(is_news ? moved.error() : found.error());
      } else {
        did = std::unexpected(found.error());
      }
      is_coming |= !did && may_come(did.error().code());
      if (!is_coming || Clock::now() >= end) co_return did;
    }
  }

  // One swipe; false: the screen is as before the last one, so nothing was sent.
  Task<bool> swipe(const PlanStep* step, std::string* before) {
    const auto& wanted = *step->action.as<ScrollAndClick>();
    CO_TRY(const act::Look now, co_await act::look(executor_, &play_.how));
    if (now.screen.hash == *before) co_return false;
    Scroll scroll = static_cast<const Scroll&>(wanted);  // all that is not about the node
    CO_TRY(scroll.container, container_on(now, *step));
    const std::string app = is_bound(*step->node) ? app_ : main_package(now.screen);
    CO_TRY_VOID(co_await send(std::move(scroll), ShownNode{.app = app, .front = app}));
    *before = now.screen.hash;
    co_return true;
  }

  // The container as the app's matcher describes it; none where the app takes that one by itself.
  Result<std::optional<Selector>> container_on(const act::Look& now, const PlanStep& step) const {
    if (!step.container) return std::nullopt;
    const UiTree& screen = now.screen;
    const auto found = find_rule(screen, *step.container);
    if (found.size() > 1) {
      return fail_with(errc::node_ambiguous,
                       std::to_string(found.size()) + " nodes match the container",
                       act::describe_candidates(kept(now), found, kNarrow));
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
  std::set<std::string, std::less<>> warned_{};
  bool is_unproved_ = false;   // the last change has no check yet
  bool is_cut_short_ = false;  // Ctrl-C came behind an action
};

}  // namespace

Task<Played> play(Executor* executor, Play play) {
  Player player(executor, std::move(play));
  co_return co_await player.run();
}

}  // namespace clawperator::recipe
