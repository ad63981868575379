#include "runtime/engine/ref_guard.hpp"

#include <algorithm>

#include "base/error_members.hpp"
#include "base/json_text.hpp"
#include "runtime/android/shell_lines.hpp"

namespace clawperator {
namespace {

constexpr OperatorVersion kKnowsStrict{0, 10, 0};

bool scrolls(const Action& action) {
  return action.is<ScrollUntil>() || action.is<ScrollAndClick>();
}

// The caller's own container leaves no room for another one.
bool has_container(const Action& action) { return param_as<Selector>(action, "container"); }

Selector container_of(const Witnesses& witnesses) {
  const NodeMatcher& text = witnesses.texts.front();
  JsonObject inside;
  inside.text("textEquals", text.text_equals.value_or(""));
  if (text.resource_id) inside.text("resourceId", *text.resource_id);
  return {.fields = {.resource_id = witnesses.container_id}, .descendant = inside.str()};
}

// The node of one action. A scroll's node may not be on the screen yet, so only its container is
// bound; a click, a typing or a reading takes its node at once.
struct Bind {
  const ShownNode& shown;
  RefGuard guard;

  void operator()(Click& click) const { bind_at_once(click); }
  void operator()(EnterText& enter) const { bind_at_once(enter); }
  void operator()(ReadText& read) const { bind_at_once(read); }
  template <std::derived_from<ScrollTo> Scrolls>
  void operator()(Scrolls& scroll) const {
    bind(scroll);
  }
  void operator()(auto&) const {}

 private:
  bool bind(auto& action) const {
    if (!action.matcher) return false;
    if (!shown.ancestor_id.empty()) {
      action.matcher->ancestor = JsonObject().text("resourceId", shown.ancestor_id).str();
    }
    return true;
  }
  void bind_at_once(auto& action) const {
    if (!bind(action)) return;
    action.strict = true;
    if (guard != RefGuard::look) action.container = container_of(shown.witnesses);
  }
};

// An app before 0.10 has no code, only this message.
bool is_miss(std::string_view code) {
  return code == "NODE_NOT_FOUND" || code == "NODE_AMBIGUOUS" || code == "CONTAINER_NOT_FOUND" ||
         code == "CONTAINER_AMBIGUOUS" || code.starts_with("No UI node found");
}

}  // namespace

bool scrolls_first(const Execution& plan) { return std::ranges::any_of(plan.actions, scrolls); }

bool knows_strict(const std::optional<OperatorVersion>& version) {
  return version && *version >= kKnowsStrict;
}

RefGuard guard_of(const ShownNode& shown, const Execution& plan,
                  const std::optional<OperatorVersion>& version, int sdk) {
  const bool can_compare = sdk > 0 && shown.app == shown.front && is_plain_package(shown.app);
  if (shown.ref.empty()) return can_compare ? RefGuard::shell : RefGuard::look;
  if (!shown.is_unique || !knows_strict(version)) return RefGuard::look;
  const bool scrolls = scrolls_first(plan);
  const bool is_witnessed =
      shown.witnesses.are_contained() && std::ranges::none_of(plan.actions, has_container);
  if (!scrolls && !is_witnessed) return RefGuard::look;
  if (!scrolls && shown.is_bound_to_app()) return RefGuard::app;
  return can_compare ? RefGuard::shell : RefGuard::look;
}

Execution bound_plan(Execution plan, const ShownNode& shown, RefGuard guard) {
  for (Action& action : plan.actions) std::visit(Bind{shown, guard}, action.kind);
  return plan;
}

Result<void> check_shower(const ShownNode& shown, const std::string& serial,
                          const std::string& own_name) {
  const std::string& by = shown.shown_by;
  if (by.empty() || has_shown(by, serial, own_name)) return ok();
  const std::string shower = by.substr(0, by.find('\t'));
  return std::unexpected(
      with_details(stale_ref(shown, "phone " + shower + " has shown it, and this is " + serial),
                   ErrorMembers().text("shownBy", shower)));
}

bool has_missed(const Envelope& envelope) {
  if (is_miss(envelope.error_code.value_or(envelope.error.value_or("")))) return true;
  return std::ranges::any_of(envelope.step_results, [](const StepResult& step) {
    const std::string* code = find_data(step.data, "errorCode");
    if (!code) code = find_data(step.data, "error");
    return !step.success && code && is_miss(*code);
  });
}

void hide_container(Envelope& envelope, const Execution& plan) {
  for (StepResult& step : envelope.step_results) {
    const auto action = std::ranges::find(plan.actions, step.id, &Action::id);
    if (action != plan.actions.end() && !has_container(*action)) erase_data(step.data, "container");
  }
}

}  // namespace clawperator
