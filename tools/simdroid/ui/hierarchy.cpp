#include "simdroid/ui/hierarchy.hpp"

#include <cstdint>
#include <string>

namespace simdroid {
namespace {

bool legal_in_xml(unsigned char c) { return c >= 0x20 || c == '\t' || c == '\n' || c == '\r'; }

class Writer {
 public:
  Writer(HierarchyStyle style, std::string_view package, NodeAttributes attributes)
      : style_(style), package_(package), attributes_(attributes) {}

  std::string document(const View& root, int rotation) {
    out_ = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>";
    line(0);
    out_ += "<hierarchy rotation=\"" + std::to_string(rotation) + "\">";
    node(root, 0, 1);
    line(0);
    out_ += "</hierarchy>";
    return std::move(out_);
  }

 private:
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
    flag("visible-to-user", true);  // what is not on the screen has no view
    if (attributes_.sensitivity) flag("accessibility-data-sensitive", false);
  }
  attribute("bounds", bounds_text(view.bounds));
  if (view.children.empty()) {
    out_ += " />";
    return;
  }
  out_ += '>';
  int child_index = 0;
  for (const View& child : view.children) node(child, child_index++, depth + 1);
  line(depth);
  out_ += "</node>";
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

// A four-byte character as a number; says how many bytes it took beyond the first.
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
  const int rotation = world.rotation ? world.rotation() : 0;
  return Writer(style, world.foreground_package(), {}).document(world.root(), rotation);
}

std::string hierarchy_xml(const UiWorld& world, NodeAttributes attributes) {
  const int rotation = world.rotation ? world.rotation() : 0;
  return Writer(HierarchyStyle::operator_log, world.foreground_package(), attributes)
      .document(world.root(), rotation);
}

}  // namespace simdroid
