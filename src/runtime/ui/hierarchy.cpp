#include "runtime/ui/hierarchy.hpp"

#include <algorithm>
#include <charconv>
#include <pugixml.hpp>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "runtime/ui/errc.hpp"

namespace clawperator {

namespace {

struct RoleRule {
  std::string_view ending;  // of the simple class name
  std::string_view role;
};

// First match wins, so the longer ending stands before the one it contains.
constexpr std::array kRules = std::to_array<RoleRule>({
    {"EditText", "textfield"},
    {"AutoCompleteTextView", "textfield"},
    {"SearchView", "search"},
    {"CheckedTextView", "checkbox"},
    {"CheckBox", "checkbox"},
    {"RadioButton", "radio"},
    {"RadioGroup", "group"},
    {"ToggleButton", "switch"},
    {"Switch", "switch"},
    {"SwitchCompat", "switch"},
    {"SwitchMaterial", "switch"},
    {"MaterialSwitch", "switch"},
    {"Chip", "button"},
    {"Button", "button"},
    {"WebView", "web"},
    {"ImageView", "image"},
    {"Image", "image"},
    {"Spinner", "spinner"},
    {"SeekBar", "slider"},
    {"Slider", "slider"},
    {"RatingBar", "slider"},
    {"ProgressBar", "progress"},
    {"ProgressIndicator", "progress"},
    {"NumberPicker", "picker"},
    {"DatePicker", "picker"},
    {"TimePicker", "picker"},
    {"RecyclerView", "list"},
    {"ListView", "list"},
    {"GridView", "list"},
    {"ScrollView", "scroller"},
    {"ViewPager", "pager"},
    {"ViewPager2", "pager"},
    {"Toolbar", "toolbar"},
    {"ActionBar$Tab", "tab"},
    {"TabView", "tab"},
    {"TabWidget", "tabs"},
    {"TabLayout", "tabs"},
    {"VideoView", "video"},
    {"TextView", "text"},
    {"Chronometer", "text"},
    {"TextClock", "text"},
    {"Layout", "group"},
    {"ViewGroup", "group"},
    {"CardView", "group"},
});

}  // namespace

std::string_view role_of_class(std::string_view class_name) {
  const std::string_view simple = class_name.substr(class_name.rfind('.') + 1);
  for (const auto& rule : kRules) {
    if (simple.ends_with(rule.ending)) return rule.role;
  }
  return "view";
}

namespace {

std::unexpected<Error> broken(const std::string& why) {
  return fail(errc::snapshot_extraction_failed, "the UI hierarchy " + why);
}

// The lenient XML parser would accept text before and after the one root element.
Result<std::string_view> root_element(std::string_view xml) {
  if (xml.size() > kMaxHierarchyBytes) return broken("is longer than 32 MiB");
  xml = trimmed(xml);
  if (xml.starts_with("<?xml")) {
    const std::size_t end = xml.find("?>");
    if (end == std::string_view::npos) return broken("ends inside its XML declaration");
    xml = trimmed(xml.substr(end + 2));
  }
  if (!xml.starts_with("<hierarchy")) return broken("does not begin with <hierarchy>");
  const bool closed =
      xml.ends_with("</hierarchy>") || (xml.ends_with("/>") && xml.find('>') == xml.size() - 1);
  if (!closed) return broken("does not end with </hierarchy>");
  // An element has at most two '<'. Counted before parsing, because parsing costs memory.
  const auto tags = static_cast<std::size_t>(std::ranges::count(xml, '<'));
  if (tags > 2 * (kMaxHierarchyNodes + 1)) return broken("has too many nodes");
  return xml;
}

int parse_int(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

Bounds parse_bounds(std::string_view text) {
  std::array<int, 4> values{};
  constexpr std::array<std::string_view, 4> kBefore = {"[", ",", "][", ","};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!text.starts_with(kBefore[i])) return {};
    text.remove_prefix(kBefore[i].size());
    const auto end = text.data() + text.size();
    const auto [after, error] = std::from_chars(text.data(), end, values[i]);
    if (error != std::errc()) return {};
    text = {after, end};
  }
  if (text != "]") return {};
  return {values[0], values[1], values[2], values[3]};
}

namespace {

UiNode read_node(const pugi::xml_node& element) {
  const auto text = [&](const char* name) { return valid_utf8(element.attribute(name).value()); };
  UiNode node;
  node.index = parse_int(element.attribute("index").value());
  node.class_name = text("class");
  node.resource_id = text("resource-id");
  node.text = text("text");
  node.description = text("content-desc");
  node.package = text("package");
  node.role = role_of_class(node.class_name);
  node.bounds = parse_bounds(element.attribute("bounds").value());
  for (const auto& [attribute, flag] : node_flag_names()) {
    if (const auto value = element.attribute(attribute.data()))
      node.flags.*flag = std::string_view(value.value()) == "true";
  }
  node.flags.editable = node.role == "textfield";
  node.hint = text("hint");
  // An empty field reports its hint as its text, too.
  if (node.flags.editable && node.text == node.hint) node.text.clear();
  return node;
}

void append_node(UiTree& tree, UiNode node, std::size_t parent) {
  const std::size_t index = tree.nodes.size();
  node.parent = parent;
  if (parent != kNoNode) {
    node.depth = tree.nodes[parent].depth + 1;
    tree.nodes[parent].children.push_back(index);
  }
  if (is_interesting(node)) {
    tree.interesting.push_back(index);
    node.ref = static_cast<int>(tree.interesting.size());
  }
  tree.nodes.push_back(std::move(node));
}

// Android's own frame around the keys of every keyboard.
constexpr std::string_view kKeys = "android:id/inputArea";

void note_keyboard(UiTree& tree) {
  const UiNode& node = tree.nodes.back();
  if (node.resource_id != kKeys || node.bounds.is_empty()) return;
  tree.keyboard = node.bounds;
  tree.keyboard_window = tree.nodes.size() - 1;
  for (auto up = node.parent; up != kNoNode; up = tree.nodes[up].parent) tree.keyboard_window = up;
}

pugi::xml_node first_element(pugi::xml_node node) {
  while (node && node.type() != pugi::node_element) node = node.next_sibling();
  return node;
}

// Preorder without recursion: hostile nesting must not cost stack.
Result<void> read_nodes(const pugi::xml_node& root, UiTree& tree) {
  pugi::xml_node at = first_element(root.first_child());
  std::size_t parent = kNoNode;
  while (at) {
    if (tree.nodes.size() == kMaxHierarchyNodes) return broken("has too many nodes");
    append_node(tree, read_node(at), parent);
    note_keyboard(tree);
    if (tree.nodes.back().depth >= kMaxHierarchyDepth) return broken("is nested too deeply");
    pugi::xml_node next = first_element(at.first_child());
    if (next) {
      parent = tree.nodes.size() - 1;
    } else {
      while (!(next = first_element(at.next_sibling())) && parent != kNoNode) {
        at = at.parent();
        parent = tree.nodes[parent].parent;
      }
    }
    at = next;
  }
  return {};
}

ScreenSize covered(const UiTree& tree) {
  ScreenSize size;
  for (const auto& node : tree.nodes) {
    if (node.depth > 0) continue;
    size.width = std::max(size.width, static_cast<std::uint32_t>(std::max(0, node.bounds.right)));
    size.height =
        std::max(size.height, static_cast<std::uint32_t>(std::max(0, node.bounds.bottom)));
  }
  return size;
}

}  // namespace

Result<UiTree> parse_hierarchy(std::string_view xml) {
  TRY(const std::string_view element, root_element(xml));
  pugi::xml_document document;
  const auto parsed = document.load_buffer(element.data(), element.size(), pugi::parse_escapes,
                                           pugi::encoding_utf8);
  if (!parsed) {
    return broken("is not well-formed XML at byte " + std::to_string(parsed.offset) + ": " +
                  parsed.description());
  }
  const pugi::xml_node root = document.first_child();
  if (std::string_view(root.name()) != "hierarchy" || root.next_sibling())
    return broken("is not one <hierarchy> element");
  UiTree tree;
  tree.rotation = parse_int(root.attribute("rotation").value());
  TRY_VOID(read_nodes(root, tree));
  tree.screen = covered(tree);
  tree.hash = tree_hash(tree);
  return tree;
}

}  // namespace clawperator
