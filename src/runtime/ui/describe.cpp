#include "runtime/ui/describe.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "runtime/ui/find.hpp"
#include "runtime/ui/rows.hpp"

namespace clawperator {

namespace {

void append_escaped(std::string& to, char c) {
  switch (c) {
    case '"': to += "\\\""; return;
    case '\\': to += "\\\\"; return;
    case '\n': to += "\\n"; return;
    case '\r': to += "\\r"; return;
    case '\t': to += "\\t"; return;
    default: break;
  }
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && byte != 0x7f) {
    to += c;
    return;
  }
  constexpr std::string_view kHex = "0123456789abcdef";
  to += "\\u00";
  to += kHex[byte >> 4];
  to += kHex[byte & 0xf];
}

}  // namespace

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) append_escaped(out, c);
  return out + '"';
}

std::string short_id(std::string_view resource_id) {
  const std::size_t slash = resource_id.find(":id/");
  if (slash != std::string_view::npos) resource_id.remove_prefix(slash + 4);
  const auto plain = [](char c) { return static_cast<unsigned char>(c) > 0x20 && c != '"'; };
  return std::ranges::all_of(resource_id, plain) ? std::string(resource_id) : quote(resource_id);
}

std::string flag_words(const NodeFlags& flags) {
  std::string words;
  const auto add_word = [&](bool holds, std::string_view word) {
    if (!holds) return;
    if (!words.empty()) words += ' ';
    words += word;
  };
  add_word(flags.clickable, "click");
  add_word(flags.long_clickable, "long");
  add_word(flags.scrollable, "scroll");
  add_word(flags.checkable, flags.checked ? "on" : "off");
  add_word(flags.checked && !flags.checkable, "checked");
  add_word(!flags.enabled, "disabled");
  add_word(flags.focused, "focused");
  add_word(flags.selected, "selected");
  add_word(flags.password, "password");
  return words;
}

namespace {

std::string described(const UiNode& node, bool with_point) {
  std::string line;
  const auto add = [&](std::string_view part) {
    if (!line.empty()) line += ' ';
    line += part;
  };
  if (node.role != "text") add(node.role);
  if (!node.text.empty()) add(quote(node.text));
  if (!node.description.empty() && node.description != node.text)
    add("desc " + quote(node.description));
  if (!node.hint.empty()) add("hint " + quote(node.hint));
  if (!node.resource_id.empty()) add('#' + short_id(node.resource_id));
  const Point centre = node.bounds.centre();
  if (with_point) add('(' + std::to_string(centre.x) + ',' + std::to_string(centre.y) + ')');
  if (const std::string words = flag_words(node.flags); !words.empty()) add(words);
  return line;
}

}  // namespace

std::string describe_unnamed(const UiNode& node) { return described(node, true); }

std::string describe(const UiNode& node) {
  return '@' + std::to_string(node.ref) + ' ' + described(node, false);
}

namespace {

constexpr std::string_view kSystem = "com.android.systemui:id/";
// What only a locked screen shows: the clock's area, and the pages for each way to unlock it.
constexpr std::string_view kLockIds =
    "keyguard_status_view keyguard_indication_area keyguard_pin_view keyguard_password_view "
    "keyguard_pattern_view keyguard_sim_pin_view";

bool is_locked(const UiNode& node) {
  return node.resource_id.starts_with(kSystem) &&
         is_one_of(std::string_view(node.resource_id).substr(kSystem.size()), kLockIds);
}

// A page whose content the app does not give to accessibility services.
bool is_blank_web(const UiTree& tree, std::size_t node) {
  if (tree.nodes[node].role != "web") return false;
  const auto below = tree.nodes.begin() + static_cast<std::ptrdiff_t>(node) + 1;
  const auto end = tree.nodes.begin() + static_cast<std::ptrdiff_t>(end_of_subtree(tree, node));
  return std::none_of(below, end, is_interesting);
}

// The state of the screen that a reader of the rows would miss.
std::string screen_words(const UiTree& tree) {
  std::string words;
  if (!tree.keyboard.is_empty()) {
    words += " keyboard covers y " + std::to_string(tree.keyboard.top) + '-' +
             std::to_string(tree.keyboard.bottom);
  }
  if (const UiNode* title = dialog_title(tree)) words += " dialog " + quote(label_of(*title));
  if (std::ranges::any_of(tree.nodes, is_locked)) words += " locked";
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    if (!is_blank_web(tree, node)) continue;
    words += " (web content without nodes: take a picture)";
    break;
  }
  return words;
}

}  // namespace

const UiNode* dialog_title(const UiTree& tree) {
  const auto title = std::ranges::find_if(
      tree.nodes, [](const UiNode& node) { return node.resource_id.ends_with(":id/alertTitle"); });
  return title == tree.nodes.end() ? nullptr : &*title;
}

std::string describe_screen(const UiTree& tree) {
  std::string package = main_package(tree);
  if (package.find_first_of("\r\n") != std::string::npos) package = quote(package);
  std::string screen =
      package + ' ' + std::to_string(tree.screen.width) + 'x' + std::to_string(tree.screen.height);
  if (tree.rotation != 0) screen += " rotation " + std::to_string(tree.rotation);
  return screen + " hash " + tree.hash + screen_words(tree);
}

namespace {

// Written once, where a subtree of another package begins. `around`: the packages of the rows that
// a row at that depth is in.
std::string foreign_package(std::string_view own, const std::vector<std::string_view>& around,
                            int depth) {
  return own == around[static_cast<std::size_t>(depth)] || own.empty() ? std::string()
                                                                       : " pkg " + quote(own);
}

}  // namespace

std::string to_compact(const UiTree& tree, std::string_view activity) {
  std::string out = describe_screen(tree);
  if (!activity.empty()) out += " activity " + quote(activity);
  out += '\n';
  const RowText text(tree);
  const std::string main = main_package(tree);
  std::vector<std::string_view> packages{main};
  for (const Row& row : rows_of(tree)) {
    const std::string_view own = tree.nodes[row.head].package;
    packages.resize(static_cast<std::size_t>(row.depth) + 1);
    if (row.is_echo) continue;
    out.append(2 * static_cast<std::size_t>(row.depth), ' ');
    out += text.line(row) + foreign_package(own, packages, row.depth) + '\n';
    packages.push_back(own.empty() ? packages.back() : own);
  }
  return out;
}

namespace {

// The drawn margin of every row, computed from the last row upwards: a branch continues at a depth
// while a later row belongs to it.
std::vector<std::string> margins(const std::vector<Row>& rows) {
  std::vector<std::string> drawn(rows.size());
  std::vector<bool> goes_on;
  for (std::size_t i = rows.size(); i-- > 0;) {
    const auto depth = static_cast<std::size_t>(rows[i].depth);
    goes_on.resize(depth + 1, false);
    for (std::size_t d = 0; d < depth; ++d) drawn[i] += goes_on[d] ? "│  " : "   ";
    drawn[i] += goes_on[depth] ? "├─ " : "└─ ";
    goes_on[depth] = true;
  }
  return drawn;
}

}  // namespace

std::string to_pretty(const UiTree& tree) {
  auto rows = rows_of(tree);
  std::erase_if(rows, [](const Row& row) { return row.is_echo; });
  const RowText text(tree);
  const auto drawn = margins(rows);
  std::string out = describe_screen(tree) + '\n';
  for (std::size_t i = 0; i < rows.size(); ++i) out += drawn[i] + text.line(rows[i]) + '\n';
  return out;
}

}  // namespace clawperator
