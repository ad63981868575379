// Steps that need a node of the screen: wait, click, type, read.

#include <algorithm>

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/engine/shell_backend/shell_run.hpp"
#include "runtime/engine/shell_backend/steps.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator {

using std::chrono::milliseconds;

namespace {

// A dump itself waits for a second without events, so a short pause is enough.
constexpr auto kPoll = milliseconds(500);
constexpr int kFocusLooks = 2;

// A hint looks like a text: what is still there after typing was there before.
struct Field {
  Point at;
  FieldMark mark;
  std::string text;
  bool password = false;
  Matches matches{};
};

// Adds the matches where several nodes fit and one of them was taken.
void add_matches(const Matches& matches, StepData* data) {
  if (!matches.are_several()) return;
  data->emplace_back("matches", std::to_string(matches.count));
  data->emplace_back("taken", matches.taken);
}

Found<Field> field_of(const NodeMatcher& wanted, bool strict, const UiTree& tree) {
  const auto found = node_of(wanted, strict, tree);
  if (!found) return std::unexpected(found.error());
  const UiNode& node = tree.nodes[*found];
  const auto at = point_of(tree, *found);
  const std::string failed = "Failed to set text on matching UI node";
  if (!node.flags.editable) return std::unexpected(failed);
  if (!at) return std::unexpected(WhyNot(failed + ": it cannot be tapped", at.error().code));
  return Field{*at, mark_of(tree, *found), node.text, node.flags.password,
               matches_of(tree, wanted)};
}

// Password fields show dots. Any other text in one may be its hint.
bool shows_dots(std::string_view text) {
  constexpr std::string_view kDots[] = {"\u2022", "\u25CF", "*"};
  bool has_dots = !text.empty();
  while (has_dots && !text.empty()) {
    const auto dot = std::ranges::find_if(kDots, [&](auto each) { return text.starts_with(each); });
    has_dots = dot != std::end(kDots);
    if (has_dots) text.remove_prefix(dot->size());
  }
  return has_dots;
}

struct Erased {
  std::size_t before = 0;
  std::size_t behind = 0;
};

// The cursor goes to the end of its line only, and a long text is wrapped into several, so the text
// behind the cursor is deleted, too. A password is one line, and may be there where its field reads
// as empty.
Erased erased_of(const Field& field) {
  constexpr std::size_t kMore = 2;  // more than the field seems to hold
  constexpr std::size_t kUnseen = 64;
  const std::size_t seen = character_count(field.text) + kMore;
  if (!field.password) return field.text.empty() ? Erased{} : Erased{seen, seen};
  return {shows_dots(field.text) ? seen : std::max(seen, kUnseen), 0};
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 200;  // of a field's text in one sentence
  return valid_utf8(text.substr(0, kMost));
}

std::string foreground_of(const UiTree& tree) {
  return tree.nodes.empty() ? std::string() : tree.nodes.front().package;
}

bool has_arrived(const WaitForNavigation& wait, const UiTree& tree) {
  const std::string expected = wait.expected_package.value_or("");
  const bool there = trimmed(expected).empty() || foreground_of(tree) == trimmed(expected);
  return there && (!wait.expected_node || find_node(tree, wanted_by(*wait.expected_node)));
}

// The part of the tree in which a text is searched.
Found<std::size_t> scope_of(const ReadText& read, const UiTree& tree) {
  if (!read.container) return kNoNode;
  const auto found = matching_nodes(tree, wanted_by(*read.container));
  if (found.empty()) return std::unexpected("CONTAINER_NOT_FOUND");
  if (read.strict == true && found.size() > 1) return std::unexpected("CONTAINER_AMBIGUOUS");
  return found.front();
}

struct TextFound {
  std::string text{};
  std::size_t count = 0;
};

Found<TextFound> text_of(const ReadText& read, const NodeMatcher& wanted, const UiTree& tree) {
  const auto scope = scope_of(read, tree);
  if (!scope) return std::unexpected(scope.error());
  if (read.all == true) {
    const auto labels = all_labels(tree, wanted, *scope);
    return TextFound{strings_json(labels), labels.size()};
  }
  const auto found = node_of(wanted, read.strict == true, tree, *scope);
  if (!found && found.error().code != kAmbiguous && read.container) {
    return std::unexpected(WhyNot("NODE_NOT_FOUND"));
  }
  if (!found) return std::unexpected(found.error());
  const std::string& label = label_of(tree.nodes[*found]);
  if (trimmed(label).empty()) {
    return std::unexpected(WhyNot("Matching UI node has no text content"));
  }
  return TextFound{label, 1};
}

}  // namespace

Found<bool> ShellRun::note_stale(std::string_view why, const UiTree& tree) {
  stale_ = stale_ref(*shown_, why, main_package(tree));
  return std::unexpected(stale_->message());
}

Found<bool> ShellRun::check_shown(const UiTree& tree) {
  if (!shown_) return true;
  const auto found = find_shown(tree, *shown_);
  if (!found) return note_stale(found.error(), tree);
  stale_.reset();
  return true;
}

Found<bool> ShellRun::check_front(const UiTree& tree) {
  if (!shown_) return true;
  if (main_package(tree) != shown_->front) return note_stale(kOtherApp, tree);
  stale_.reset();
  return true;
}

Task<void> ShellRun::press(Point at, bool is_long) {
  if (is_long) co_return co_await hand_->press_long(at);
  co_return co_await hand_->tap(at);
}

template <class Clicks>
Task<Matches> ShellRun::click_node(const Clicks* clicks) {
  struct Target {
    Point at;
    Matches matches;
  };
  const NodeMatcher wanted = wanted_by(*clicks->matcher);
  const auto place = [&](const SeenScreen& screen) -> Found<Target> {
    if (const auto shown = check_shown(screen.tree); !shown) return std::unexpected(shown.error());
    const auto found = node_of(wanted, clicks->strict == true, screen.tree);
    if (!found) return std::unexpected(found.error());
    const auto at = point_of(screen.tree, *found);
    if (!at) return std::unexpected(at.error());
    return Target{*at, matches_of(screen.tree, wanted)};
  };
  CO_TRY(Target target, co_await on_a_screen(shell_retry(clicks->retry), place));
  CO_TRY_VOID(co_await press(target.at, is_long(clicks->click_type)));
  co_return std::move(target.matches);
}
template Task<Matches> ShellRun::click_node(const ScrollUntil*);
template Task<Matches> ShellRun::click_node(const ScrollAndClick*);

Task<StepResult> ShellRun::carry_out(const Click* click) {
  StepData data;
  const bool presses_long = is_long(click->click_type);
  if (click->coordinate) {
    const auto check = [this](const SeenScreen& screen) { return check_shown(screen.tree); };
    if (shown_) CO_TRY_VOID(co_await on_a_screen(shell_retry(click->retry), check));
    const Point at = point_of(*click->coordinate);
    CO_TRY_VOID(co_await press(at, presses_long));
    data.emplace_back("coordinate", "(" + std::to_string(at.x) + "," + std::to_string(at.y) + ")");
  } else {
    CO_TRY(const Matches matches, co_await click_node(click));
    add_matches(matches, &data);
  }
  data.emplace_back("click_types", click_name(presses_long));
  co_return done(std::move(data));
}

// Only the number of dots can be checked.
Task<std::string> ShellRun::judge_password(const EnterText* enter, std::string shown) {
  if (!shows_dots(shown)) co_return "a password field does not show what was typed";
  if (character_count(shown) == enter->text->size()) co_return std::string();
  const std::string why = "the password field shows more or fewer characters than were typed";
  if (enter->submit == true) co_return give_up("The text was not sent, for " + why);
  co_return why;
}

// Typed text goes to the field that has the focus, so this field must have it first.
Task<void> ShellRun::require_focus(FieldMark field) {
  for (int looks = 1;; ++looks) {
    CO_TRY(const Seen seen, co_await see());
    if (!seen) co_return give_up(seen.error(), kNoTree);
    if (has_focus(seen->tree, field)) co_return ok();
    if (looks == kFocusLooks) break;
    CO_TRY_VOID(co_await pause(kPoll));
  }
  co_return give_up(
      "Failed to set text on matching UI node: it did not take the focus when it was tapped; no "
      "key was sent",
      "INPUT_NOT_FOCUSED");
}

// A warning where the field shows something else, empty where it shows the text.
Task<std::string> ShellRun::confirm_typed(const EnterText* enter, std::string before) {
  CO_TRY(const Seen seen, co_await see());
  if (!seen) co_return "typed, but not read back: " + seen.error();
  const UiNode* field = cursor_field(seen->tree);
  if (!field) co_return "typed, but no field has the cursor now, so nothing shows the text";
  if (field->text == enter->text) co_return std::string();
  if (field->flags.password) co_return co_await judge_password(enter, field->text);
  if (field->text == before) {
    if (enter->text->empty())
      co_return "it still shows \"" + shortened(before) + "\": perhaps a hint";
    co_return give_up("Failed to set text on matching UI node: it still shows \"" +
                      shortened(before) + "\"");
  }
  if (enter->secret) co_return "the field shows something else now";
  co_return "the field shows \"" + shortened(field->text) + "\" now";
}

Task<StepResult> ShellRun::carry_out(const EnterText* enter) {
  const NodeMatcher wanted = wanted_by(*enter->matcher);
  const bool submits = enter->submit == true;
  const auto find = [&](const SeenScreen& screen) -> Found<Field> {
    if (const auto shown = check_shown(screen.tree); !shown) return std::unexpected(shown.error());
    return field_of(wanted, enter->strict == true, screen.tree);
  };
  CO_TRY(const Field field, co_await on_a_screen(shell_retry(enter->retry), find));
  if (field.password) secrets_->add(*enter->text);
  CO_TRY_VOID(co_await hand_->tap(field.at));
  CO_TRY_VOID(co_await require_focus(field.mark));
  const auto [before, behind] = erased_of(field);
  if (before > 0) CO_TRY_VOID(co_await hand_->erase(before, behind));
  CO_TRY_VOID(co_await hand_->type(*enter->text));
  CO_TRY(std::string warning, co_await confirm_typed(enter, field.text));
  if (submits && !warning.empty() && !field.password) {
    co_return give_up("The text was not sent, for " + warning);
  }
  if (submits) CO_TRY_VOID(co_await hand_->press_key(*find_key("enter")));
  StepData data{{"text", *enter->text}, {"submit", submits ? "true" : "false"}};
  add_matches(field.matches, &data);
  if (!warning.empty()) data.emplace_back("warn", std::move(warning));
  co_return done(std::move(data));
}

Task<StepResult> ShellRun::carry_out(const ReadText* read) {
  const NodeMatcher wanted = wanted_by(*read->matcher);
  const auto find = [&](const SeenScreen& screen) -> Found<TextFound> {
    if (const auto shown = check_shown(screen.tree); !shown) return std::unexpected(shown.error());
    return text_of(*read, wanted, screen.tree);
  };
  const auto text = co_await on_a_screen(shell_retry(read->retry), find);
  if (!text && given_up_) {
    // With a container these are the step's own failures.
    const std::string why = given_up_->why;
    if (why == "NODE_NOT_FOUND" || why.starts_with("CONTAINER_")) {
      given_up_.reset();
      co_return failed(why);
    }
  }
  if (!text) co_return std::unexpected(text.error());
  StepData data{{"text", text->text}};
  if (read->all == true) {
    data.emplace_back("all", "true");
    data.emplace_back("count", std::to_string(text->count));
  }
  data.emplace_back("validator", "none");
  if (read->container) data.emplace_back("container", describe(wanted_by(*read->container)));
  co_return done(std::move(data));
}

Task<StepResult> ShellRun::carry_out(const ReadValue* read) {
  struct Pair {
    std::string label, value;
  };
  const NodeMatcher wanted = wanted_by(*read->label_matcher);
  const auto find = [&](const SeenScreen& screen) -> Found<Pair> {
    const auto label = find_node(screen.tree, wanted);
    if (!label) return std::unexpected(WhyNot("NODE_NOT_FOUND"));
    const auto value = value_beside(screen.tree, *label);
    if (!value) return std::unexpected(WhyNot("VALUE_NODE_NOT_FOUND"));
    return Pair{label_of(screen.tree.nodes[*label]), screen.tree.nodes[*value].text};
  };
  const auto pair = co_await on_a_screen(shell_retry(read->retry), find);
  if (!pair && given_up_ && given_up_->why.ends_with("NODE_NOT_FOUND")) {
    const std::string why = given_up_->why;
    given_up_.reset();
    co_return failed(why);
  }
  if (!pair) co_return std::unexpected(pair.error());
  co_return done({{"label", pair->label}, {"value", pair->value}});
}

// A screen that cannot be read counts as one without the node.
Task<StepResult> ShellRun::carry_out(const WaitForNode* wait) {
  struct Node {
    std::string resource_id, label;
  };
  const NodeMatcher wanted = wanted_by(*wait->matcher);
  const auto find = [&](const SeenScreen& screen) -> Found<Node> {
    const auto node = node_of(wanted, wait->strict == true, screen.tree);
    if (!node) return std::unexpected(node.error());
    return Node{screen.tree.nodes[*node].resource_id, label_of(screen.tree.nodes[*node])};
  };
  if (!wait->timeout_ms) {
    CO_TRY(const Node node, co_await on_a_screen(shell_retry(wait->retry), find));
    co_return done({{"resource_id", node.resource_id}, {"label", node.label}});
  }
  const milliseconds timeout = time_of(wait->timeout_ms, {}, 120000);
  const std::string limit = std::to_string(timeout.count());
  for (const auto deadline = Clock::now() + timeout;;) {
    CO_TRY(const auto screen, co_await hand_->look(false));
    const auto seen = screen ? find(*screen) : Found<Node>(std::unexpected(screen.error()));
    if (seen) {
      co_return done(
          {{"resource_id", seen->resource_id}, {"label", seen->label}, {"timeout_ms", limit}});
    }
    if (seen.error().code == kAmbiguous) co_return give_up(seen.error().why, kAmbiguous);
    if (Clock::now() >= deadline) {
      const std::string why = screen ? "" : "; " + screen.error();
      co_return give_up("Timeout waiting for node matching: " + describe(wanted) +
                            " (timeoutMs=" + limit + ")" + why,
                        "WAIT_TIMEOUT");
    }
    CO_TRY_VOID(co_await pause(kPoll));
  }
}

Task<StepResult> ShellRun::carry_out(const WaitForNavigation* wait) {
  const milliseconds timeout = time_of(wait->timeout_ms, {}, 30000);
  const auto start = Clock::now();
  for (std::string package;;) {
    CO_TRY(const auto screen, co_await hand_->look(false));
    if (screen) package = foreground_of(screen->tree);
    const auto waited = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
    if (screen && has_arrived(*wait, screen->tree)) {
      co_return done(
          {{"resolved_package", package}, {"elapsed_ms", std::to_string(waited.count())}});
    }
    if (waited >= timeout) {
      StepData data{{"last_package", package}};
      if (!screen) data.emplace_back("message", screen.error());
      co_return failed("NAVIGATION_TIMEOUT", std::move(data));
    }
    CO_TRY_VOID(co_await pause(kPoll));
  }
}

}  // namespace clawperator
