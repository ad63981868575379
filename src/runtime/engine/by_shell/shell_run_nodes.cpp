// Steps that need a node of the screen: wait, click, type, read.

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/engine/by_shell/shell_run.hpp"
#include "runtime/engine/by_shell/steps.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator {

using std::chrono::milliseconds;

namespace {

constexpr auto kPoll = milliseconds(500);

// Nothing tells a hint from a text: one that is still there after typing is what was there before.
struct Field {
  Point at;
  std::string text;
  bool password = false;
  Matches matches{};
};

// Several nodes fit, and one of them was taken.
void tell_matches(const Matches& matches, StepData* data) {
  if (!matches.are_several()) return;
  data->emplace_back("matches", std::to_string(matches.count));
  data->emplace_back("taken", matches.taken);
}

std::expected<Field, std::string> field_of(const UiTree& tree, const NodeMatcher& matcher) {
  const auto found = find_node(tree, matcher);
  if (!found) return std::unexpected(not_found(matcher));
  const UiNode& node = tree.nodes[*found];
  const auto at = point_of(node);
  if (!node.flags.editable || !at) {
    return std::unexpected("Failed to set text on matching UI node" +
                           std::string(node.flags.editable ? ": it cannot be tapped" : ""));
  }
  return Field{*at, node.text, node.flags.password, matches_of(tree, matcher)};
}

// The field that has the cursor.
const UiNode* cursor_field(const UiTree& tree) {
  for (const UiNode& node : tree.nodes) {
    if (node.flags.editable && node.flags.focused) return &node;
  }
  return nullptr;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 200;
  return valid_utf8(text.substr(0, kMost));
}

std::string foreground_of(const UiTree& tree) {
  return tree.nodes.empty() ? std::string() : tree.nodes.front().package;
}

bool has_arrived(const ShellAction& action, const UiTree& tree) {
  const bool there =
      action.expected_package.empty() || foreground_of(tree) == action.expected_package;
  return there && (!action.expected_node || find_node(tree, *action.expected_node));
}

// Where a text is looked for.
std::expected<std::size_t, std::string> scope_of(const ShellAction& action, const UiTree& tree) {
  if (!action.container) return kNoNode;
  if (const auto found = find_node(tree, *action.container)) return *found;
  return std::unexpected("CONTAINER_NOT_FOUND");
}

struct TextFound {
  std::string text{};
  std::size_t count = 0;
};

std::expected<TextFound, std::string> text_of(const ShellAction& action, const UiTree& tree) {
  const auto scope = scope_of(action, tree);
  if (!scope) return std::unexpected(scope.error());
  if (action.all) {
    const auto labels = all_labels(tree, *action.matcher, *scope);
    return TextFound{strings_json(labels), labels.size()};
  }
  const auto found = find_node(tree, *action.matcher, *scope);
  if (!found) {
    return std::unexpected(action.container ? "NODE_NOT_FOUND" : not_found(*action.matcher));
  }
  const std::string& label = label_of(tree.nodes[*found]);
  if (trimmed(label).empty()) return std::unexpected("Matching UI node has no text content");
  return TextFound{label, 1};
}

}  // namespace

Task<void> ShellRun::press(Point at, bool is_long) {
  if (is_long) co_return co_await hand_->press_long(at);
  co_return co_await hand_->tap(at);
}

Task<Matches> ShellRun::click_node(const ShellAction* action) {
  struct Target {
    Point at;
    Matches matches;
  };
  const auto place = [action](const SeenScreen& screen) -> Found<Target> {
    const auto found = find_node(screen.tree, *action->matcher);
    if (!found) return std::unexpected(not_found(*action->matcher));
    const auto at = point_of(screen.tree.nodes[*found]);
    if (!at) return std::unexpected(at.error());
    return Target{*at, matches_of(screen.tree, *action->matcher)};
  };
  CO_TRY(Target target, co_await on_a_screen(&action->retry, place));
  CO_TRY_VOID(co_await press(target.at, action->long_press));
  co_return std::move(target.matches);
}

Task<StepResult> ShellRun::click(const ShellAction* action) {
  StepData data;
  if (action->coordinate) {
    const Point at = *action->coordinate;
    CO_TRY_VOID(co_await press(at, action->long_press));
    data.emplace_back("coordinate", "(" + std::to_string(at.x) + "," + std::to_string(at.y) + ")");
  } else {
    CO_TRY(const Matches matches, co_await click_node(action));
    tell_matches(matches, &data);
  }
  data.emplace_back("click_types", action->click_name());
  co_return step_done(*action, std::move(data));
}

// A warning where the field shows something else, empty where all is well.
Task<std::string> ShellRun::confirm_typed(const ShellAction* action, std::string before) {
  CO_TRY(const Seen seen, co_await see());
  if (!seen) co_return "typed, but not read back: " + seen.error();
  const UiNode* field = cursor_field(seen->tree);
  if (!field) co_return "typed, but no field has the cursor now, so nothing shows the text";
  if (field->text == action->text) co_return std::string();
  if (field->flags.password) {
    if (character_count(field->text) == action->text.size()) co_return std::string();
    co_return "a password field does not show what was typed";
  }
  if (field->text == before) {
    if (action->text.empty())
      co_return "it still shows \"" + shortened(before) + "\": perhaps a hint";
    co_return give_up("Failed to set text on matching UI node: it still shows \"" +
                      shortened(before) + "\"");
  }
  co_return "the field shows \"" + shortened(field->text) + "\" now";
}

Task<StepResult> ShellRun::enter_text(const ShellAction* action) {
  const auto find = [action](const SeenScreen& screen) {
    return field_of(screen.tree, *action->matcher);
  };
  CO_TRY(const Field field, co_await on_a_screen(&action->retry, find));
  CO_TRY_VOID(co_await hand_->tap(field.at));
  if (!field.text.empty()) CO_TRY_VOID(co_await hand_->erase(field.text));
  CO_TRY_VOID(co_await hand_->type(action->text));
  CO_TRY(std::string warning, co_await confirm_typed(action, field.text));
  if (action->submit && !warning.empty() && !field.password) {
    co_return give_up("The text was not sent, for " + warning);
  }
  if (action->submit) CO_TRY_VOID(co_await hand_->press_key(*find_key("enter")));
  StepData data{{"text", action->text}, {"submit", action->submit ? "true" : "false"}};
  tell_matches(field.matches, &data);
  if (!warning.empty()) data.emplace_back("warn", std::move(warning));
  co_return step_done(*action, std::move(data));
}

Task<StepResult> ShellRun::read_text(const ShellAction* action) {
  const auto read = [action](const SeenScreen& screen) { return text_of(*action, screen.tree); };
  const auto text = co_await on_a_screen(&action->retry, read);
  if (!text && given_up_) {
    // Of a container these are the step's own failures.
    const std::string why = given_up_->why;
    if (why == "NODE_NOT_FOUND" || why == "CONTAINER_NOT_FOUND") {
      given_up_.reset();
      co_return step_failed(*action, why);
    }
  }
  if (!text) co_return std::unexpected(text.error());
  StepData data{{"text", text->text}};
  if (action->all) {
    data.emplace_back("all", "true");
    data.emplace_back("count", std::to_string(text->count));
  }
  data.emplace_back("validator", "none");
  if (action->container) data.emplace_back("container", describe(*action->container));
  co_return step_done(*action, std::move(data));
}

Task<StepResult> ShellRun::read_value(const ShellAction* action) {
  struct Pair {
    std::string label, value;
  };
  const auto read = [action](const SeenScreen& screen) -> Found<Pair> {
    const auto label = find_node(screen.tree, *action->matcher);
    if (!label) return std::unexpected("NODE_NOT_FOUND");
    const auto value = value_beside(screen.tree, *label);
    if (!value) return std::unexpected("VALUE_NODE_NOT_FOUND");
    return Pair{label_of(screen.tree.nodes[*label]), screen.tree.nodes[*value].text};
  };
  const auto pair = co_await on_a_screen(&action->retry, read);
  if (!pair && given_up_ && given_up_->why.ends_with("NODE_NOT_FOUND")) {
    const std::string why = given_up_->why;
    given_up_.reset();
    co_return step_failed(*action, why);
  }
  if (!pair) co_return std::unexpected(pair.error());
  co_return step_done(*action, {{"label", pair->label}, {"value", pair->value}});
}

// A screen that cannot be read is one without the node.
Task<StepResult> ShellRun::wait_for_node(const ShellAction* action) {
  struct Node {
    std::string resource_id, label;
  };
  const auto find = [action](const SeenScreen& screen) -> Found<Node> {
    const auto node = find_node(screen.tree, *action->matcher);
    if (!node) return std::unexpected(not_found(*action->matcher));
    return Node{screen.tree.nodes[*node].resource_id, label_of(screen.tree.nodes[*node])};
  };
  if (!action->timeout) {
    CO_TRY(const Node node, co_await on_a_screen(&action->retry, find));
    co_return step_done(*action, {{"resource_id", node.resource_id}, {"label", node.label}});
  }
  const std::string limit = std::to_string(action->timeout->count());
  for (const auto deadline = Clock::now() + *action->timeout;;) {
    CO_TRY(const auto screen, co_await hand_->look(false));
    if (const auto seen = screen ? find(*screen) : std::unexpected(screen.error())) {
      co_return step_done(
          *action,
          {{"resource_id", seen->resource_id}, {"label", seen->label}, {"timeout_ms", limit}});
    }
    if (Clock::now() >= deadline) {
      const std::string why = screen ? "" : "; " + screen.error();
      co_return give_up("Timeout waiting for node matching: " + describe(*action->matcher) +
                        " (timeoutMs=" + limit + ")" + why);
    }
    CO_TRY_VOID(co_await pause(kPoll));
  }
}

Task<StepResult> ShellRun::wait_for_navigation(const ShellAction* action) {
  const auto start = Clock::now();
  for (std::string package;;) {
    CO_TRY(const auto screen, co_await hand_->look(false));
    if (screen) package = foreground_of(screen->tree);
    const auto waited = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
    if (screen && has_arrived(*action, screen->tree)) {
      co_return step_done(
          *action, {{"resolved_package", package}, {"elapsed_ms", std::to_string(waited.count())}});
    }
    if (waited >= action->timeout.value_or(milliseconds(0))) {
      StepData data{{"last_package", package}};
      if (!screen) data.emplace_back("message", screen.error());
      co_return step_failed(*action, "NAVIGATION_TIMEOUT", std::move(data));
    }
    CO_TRY_VOID(co_await pause(kPoll));
  }
}

}  // namespace clawperator
