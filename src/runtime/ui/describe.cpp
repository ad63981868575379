#include "runtime/ui/describe.hpp"

#include <algorithm>

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

std::string describe_unnamed(const UiNode& node) {
  std::string line;
  const auto add = [&](std::string_view part) {
    if (!line.empty()) line += ' ';
    line += part;
  };
  if (node.role != "text") add(node.role);
  if (!node.text.empty()) add(quote(node.text));
  if (!node.description.empty() && node.description != node.text)
    add("desc " + quote(node.description));
  if (!node.resource_id.empty()) add('#' + short_id(node.resource_id));
  const Point centre = node.bounds.centre();
  add('(' + std::to_string(centre.x) + ',' + std::to_string(centre.y) + ')');
  if (const std::string words = flag_words(node.flags); !words.empty()) add(words);
  return line;
}

std::string describe(const UiNode& node) {
  return '@' + std::to_string(node.ref) + ' ' + describe_unnamed(node);
}

std::string describe_screen(const UiTree& tree) {
  std::string package = main_package(tree);
  if (package.find_first_of("\r\n") != std::string::npos) package = quote(package);
  return package + ' ' + std::to_string(tree.screen.width) + 'x' +
         std::to_string(tree.screen.height) + " rotation " + std::to_string(tree.rotation) +
         " hash " + tree.hash;
}

namespace {

// Written once, where a subtree of another package begins.
std::string foreign_package(const UiTree& tree, const OutlineRow& row, const std::string& main) {
  const std::string& own = tree.nodes[row.node].package;
  const auto above = static_cast<std::size_t>(row.parent_ref);
  const std::string& around = above == 0 ? main : tree.nodes[tree.interesting[above - 1]].package;
  return own == around || own.empty() ? std::string() : " pkg " + quote(own);
}

}  // namespace

std::string to_compact(const UiTree& tree, std::string_view activity) {
  std::string out = describe_screen(tree);
  if (!activity.empty()) out += " activity " + quote(activity);
  out += '\n';
  const std::string main = main_package(tree);
  for (const auto& row : outline(tree)) {
    out.append(2 * static_cast<std::size_t>(row.depth), ' ');
    out += describe(tree.nodes[row.node]);
    out += foreign_package(tree, row, main);
    out += '\n';
  }
  return out;
}

namespace {

// The drawn margin of every row, computed from the last row upwards: a branch continues at a depth
// while a later row belongs to it.
std::vector<std::string> margins(const std::vector<OutlineRow>& rows) {
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
  const auto rows = outline(tree);
  const auto drawn = margins(rows);
  std::string out = describe_screen(tree) + '\n';
  for (std::size_t i = 0; i < rows.size(); ++i)
    out += drawn[i] + describe(tree.nodes[rows[i].node]) + '\n';
  return out;
}

}  // namespace clawperator
