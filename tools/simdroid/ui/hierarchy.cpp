#include "simdroid/ui/hierarchy.hpp"

#include <cstdint>
#include <string>

#include "simdroid/ui/keyboard.hpp"

namespace simdroid {
namespace {

bool legal_in_xml(unsigned char c) { return c >= 0x20 || c == '\t' || c == '\n' || c == '\r'; }

class Writer {
 public:
  Writer(HierarchyStyle style, const UiWorld& world, NodeAttributes attributes = {})
      : style_(style),
        package_(world.foreground_package()),
        display_(world.display()),
        rotation_(world.rotation ? world.rotation() : 0),
        attributes_(attributes) {}

  std::string document(const View& root) {
    out_ = kDeclaration;
    line(0);
    hierarchy(root);
    return std::move(out_);
  }
  std::string windows(const UiWorld& world);

 private:
  static constexpr int kLayers = 8;
  static constexpr std::string_view kDeclaration =
      "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>";

  void hierarchy(const View& root) {
    out_ += "<hierarchy rotation=\"" + std::to_string(rotation_) + "\">";
    node(root, 0, 1);
    line(0);
    out_ += "</hierarchy>";
  }
  void window(const View& root, const UiWindow& window, int index, std::string_view type);
  [[nodiscard]] Rect place_of(const View& view) const;
  void line(int depth) {
    if (style_ == HierarchyStyle::uiautomator) return;
    out_ += '\n';
    out_.append(static_cast<std::size_t>(depth) * 2, ' ');
  }

  void node(const View& view, int index, int depth);
  void attribute(std::string_view name, std::string_view value);
  void flag(std::string_view name, bool value) { attribute(name, value ? "true" : "false"); }
  void escaped(std::string_view value, char quote);
  std::size_t escaped_wide(std::string_view from);

  HierarchyStyle style_;
  std::string_view package_;
  Rect display_;
  int rotation_;
  NodeAttributes attributes_;
  std::string out_;
};

std::string bounds_text(const Rect& b) {
  return "[" + std::to_string(b.left) + "," + std::to_string(b.top) + "][" +
         std::to_string(b.right) + "," + std::to_string(b.bottom) + "]";
}

void Writer::node(const View& view, int index, int depth) {
  const NodeSpec& spec = *view.spec;
  line(depth);
  out_ += "<node";
  attribute("index", std::to_string(index));
  attribute("text", view.text);
  attribute("resource-id", spec.resource_id);
  attribute("class", spec.class_name);
  attribute("package", package_);
  attribute("content-desc", spec.description);
  flag("checkable", spec.checkable);
  flag("checked", view.checked);
  flag("clickable", spec.clickable);
  flag("enabled", spec.enabled);
  flag("focusable", spec.focusable);
  flag("focused", view.focused);
  flag("scrollable", view.scrollable);
  flag("long-clickable", spec.long_clickable);
  flag("password", spec.password);
  flag("selected", spec.selected);
  if (attributes_.visibility) {
    flag("visible-to-user", view.visible);
    if (attributes_.sensitivity) flag("accessibility-data-sensitive", false);
  }
  attribute("bounds", bounds_text(place_of(view)));
  if (view.children.empty()) {
    out_ += " />";
    return;
  }
  out_ += '>';
  int child_index = 0;
  for (const View& child : view.children) {
    if (style_ == HierarchyStyle::operator_log || child.visible) {
      node(child, child_index, depth + 1);
    }
    ++child_index;
  }
  line(depth);
  out_ += "</node>";
}

// uiautomator clips to the display, and what lies outside of it keeps its place.
Rect Writer::place_of(const View& view) const {
  if (style_ == HierarchyStyle::operator_log) return view.reported;
  const Rect clipped = view.reported.clipped(display_);
  return clipped.empty() ? view.reported : clipped;
}

void Writer::window(const View& root, const UiWindow& window, int index, std::string_view type) {
  package_ = window.package;
  out_ += "<window";
  attribute("index", std::to_string(index));
  attribute("title", window.title);
  attribute("bounds", bounds_text(root.bounds));
  flag("active", window.focused);
  flag("focused", window.focused);
  flag("accessibility-focused", false);
  attribute("id", std::to_string(window.id));
  attribute("layer", std::to_string(kLayers - index));
  attribute("type", type);
  out_ += '>';
  hierarchy(root);
  out_ += "</window>";
}

// From the uppermost window down.
std::string Writer::windows(const UiWorld& world) {
  constexpr std::string_view kApplication = "TYPE_APPLICATION";
  out_ = kDeclaration;
  out_ += "<displays><display id=\"0\">";
  int index = 0;
  if (world.keyboard_shown()) {
    window(keyboard_view(world.display()), keyboard_window(), index++, "TYPE_INPUT_METHOD");
  }
  const std::vector<UiWindow> all = world.windows();
  window(world.root(), all.front(), index++, kApplication);
  if (const auto below = world.window_below()) {
    window(*below, all.back(), index++, kApplication);
  }
  if (const auto beside = world.window_beside()) {
    window(beside->second, beside->first, index++, kApplication);
  }
  out_ += "</display></displays>";
  return std::move(out_);
}

void Writer::attribute(std::string_view name, std::string_view value) {
  const bool single =
      style_ == HierarchyStyle::uiautomator && value.find('"') != std::string_view::npos;
  const char quote = single ? '\'' : '"';
  ((out_ += ' ') += name) += '=';
  out_ += quote;
  escaped(value, quote);
  out_ += quote;
}

void Writer::escaped(std::string_view value, char quote) {
  const bool numbers = style_ == HierarchyStyle::uiautomator;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (c == '&') {
      out_ += "&amp;";
    } else if (c == '<') {
      out_ += "&lt;";
    } else if (c == '>') {
      out_ += "&gt;";
    } else if (c == quote) {
      out_ += quote == '"' ? "&quot;" : "&apos;";
    } else if (!legal_in_xml(static_cast<unsigned char>(c))) {
      out_ += '.';
    } else if (numbers && (c == '\n' || c == '\r' || c == '\t')) {
      out_ += "&#" + std::to_string(c) + ";";
    } else if (numbers && static_cast<unsigned char>(c) >= 0xf0) {
      i += escaped_wide(value.substr(i));
    } else {
      out_ += c;
    }
  }
}

// Writes a four-byte character as a number; returns how many bytes it took beyond the first.
std::size_t Writer::escaped_wide(std::string_view from) {
  if (from.size() < 4) return 0;
  std::uint32_t code = static_cast<unsigned char>(from[0]) & 0x07u;
  for (std::size_t i = 1; i < 4; ++i)
    code = code << 6 | (static_cast<unsigned char>(from[i]) & 0x3fu);
  out_ += "&#" + std::to_string(code) + ";";
  return 3;
}

}  // namespace

std::string hierarchy_xml(const UiWorld& world, HierarchyStyle style) {
  return Writer(style, world).document(world.root());
}

std::string hierarchy_xml(const UiWorld& world, NodeAttributes attributes) {
  return Writer(HierarchyStyle::operator_log, world, attributes).document(world.root());
}

std::string windows_xml(const UiWorld& world) {
  return Writer(HierarchyStyle::uiautomator, world).windows(world);
}

}  // namespace simdroid
