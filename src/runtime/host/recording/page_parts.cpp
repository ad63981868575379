#include "runtime/host/recording/page_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/utf8.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/ui/describe.hpp"

namespace clawperator {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

std::string_view entity_of(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
  }
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : harmless_text(text, kReplacement)) {
    const std::string_view entity = entity_of(c);
    out += entity.empty() ? std::string_view(&c, 1) : entity;
  }
  return out;
}

std::string fill_places(std::string_view frame, std::span<const Place> places) {
  std::string out;
  for (;;) {
    const std::size_t start = frame.find("{{");
    const std::size_t end = start == frame.npos ? start : frame.find("}}", start);
    if (end == frame.npos) return out.append(frame);
    const std::string_view name = frame.substr(start + 2, end - start - 2);
    out += frame.substr(0, start);
    const auto place = std::ranges::find(places, name, &Place::name);
    if (place != places.end()) out += place->content;
    frame.remove_prefix(end + 2);
  }
}

namespace {

constexpr double kLastMillisecond = 8.64e15;  // of a JavaScript Date

// "com.app:id/title" -> "#title"
std::string short_id(const std::string& resource_id) {
  const auto slash = resource_id.find(":id/");
  return "#" + (slash == resource_id.npos ? resource_id : resource_id.substr(slash + 4));
}

std::string in_double_quotes(const std::string& text) { return "“" + text + "”"; }

std::string touched(const RecordedEvent& event, const std::string& inside) {
  if (is_filled(event.text)) return in_double_quotes(*event.text);
  if (is_filled(event.description)) return in_double_quotes(*event.description);
  if (!inside.empty()) return in_double_quotes(inside);
  if (is_filled(event.resource_id)) return short_id(*event.resource_id);
  const Point at = event.bounds.centre();
  return "at " + std::to_string(at.x) + ", " + std::to_string(at.y);
}

std::string in_field(const RecordedEvent& event) {
  return is_filled(event.resource_id) ? " in " + short_id(*event.resource_id) : std::string();
}

std::string scrolled(const RecordedEvent& event) {
  const ScrollPosition& to = event.scroll;
  const std::string what = is_filled(event.resource_id) ? " " + short_id(*event.resource_id) : "";
  return "Scroll" + what + " to " + number_json(to.x) + ", " + number_json(to.y) + " of " +
         number_json(to.max_x) + ", " + number_json(to.max_y);
}

std::string shown_screen(const RecordedEvent& event) {
  if (is_filled(event.title)) return "Screen " + in_double_quotes(*event.title);
  return "Screen " + (is_filled(event.class_name) ? *event.class_name : event.package);
}

std::string two_digits(std::int64_t value) {
  return (value < 10 ? "0" : "") + std::to_string(value);
}

}  // namespace

std::string span_in_words(double milliseconds) {
  if (!(std::abs(milliseconds) <= kLastMillisecond)) return number_json(milliseconds) + " ms";
  if (milliseconds < 0) return "-" + span_in_words(-milliseconds);
  const auto tenths = static_cast<std::int64_t>(std::llround(milliseconds / 100));
  if (tenths < 600) return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
  const std::int64_t seconds = tenths / 10;
  if (seconds < 3600) {
    return std::to_string(seconds / 60) + " min " + two_digits(seconds % 60) + " s";
  }
  return std::to_string(seconds / 3600) + " h " + two_digits(seconds / 60 % 60) + " min";
}

std::string time_in_words(double epoch_ms) {
  using namespace std::chrono;
  if (!(std::abs(epoch_ms) <= 2.5e14)) return number_json(epoch_ms);
  const sys_time<milliseconds> time{milliseconds(static_cast<std::int64_t>(epoch_ms))};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(floor<seconds>(time - day));
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u %02d:%02d:%02d UTC",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

std::string event_in_words(const RecordedEvent& event, bool opens_app, const std::string& inside) {
  switch (event.kind) {
    case RecordedKind::window_change:
      return opens_app ? "Open " + event.package : shown_screen(event);
    case RecordedKind::click: return "Click " + touched(event, inside);
    case RecordedKind::scroll: return scrolled(event);
    case RecordedKind::press_key: return "Press Back";
    case RecordedKind::text_change:
      return "Type " + in_double_quotes(event.text.value_or("")) + in_field(event);
  }
  return {};
}

namespace {

constexpr std::size_t kMaxDrawn = 500;   // nodes of one sketch
constexpr std::size_t kMaxLines = 2000;  // of one tree
constexpr std::size_t kMaxLabel = 80;    // bytes
constexpr int kMaxSide = 32'768;         // pixels

struct Size {
  int width = 0, height = 0;
};

Size size_of(const UiTree& tree) {
  Size size;
  for (const UiNode& node : tree.nodes) {
    if (node.depth > 0) continue;
    size.width = std::clamp(node.bounds.right, size.width, kMaxSide);
    size.height = std::clamp(node.bounds.bottom, size.height, kMaxSide);
  }
  return size;
}

Size size_of(const RecordedPicture& picture) {
  const auto side = [](std::uint32_t pixels) {
    return static_cast<int>(std::min<std::uint32_t>(pixels, kMaxSide));
  };
  return {side(picture.width), side(picture.height)};
}

std::string attribute(std::string_view name, int value) {
  return " " + std::string(name) + "=\"" + std::to_string(value) + "\"";
}

// Within the drawing, so that no number of the phone's makes it endless.
Bounds clipped(const Bounds& bounds, Size size) {
  const int left = std::clamp(bounds.left, 0, size.width);
  const int top = std::clamp(bounds.top, 0, size.height);
  return {left, top, std::clamp(bounds.right, left, size.width),
          std::clamp(bounds.bottom, top, size.height)};
}

std::string box(const Bounds& area) {
  return attribute("x", area.left) + attribute("y", area.top) +
         attribute("width", area.right - area.left) + attribute("height", area.bottom - area.top);
}

bool is_empty(const Bounds& area) { return area.right <= area.left || area.bottom <= area.top; }

// Whole characters of the front.
std::string_view shortened(std::string_view text) {
  if (text.size() <= kMaxLabel) return text;
  std::size_t end = kMaxLabel;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end);
}

// An inner <svg> clips what is too long for its node.
std::string label(const UiNode& node, const Bounds& area, Size screen) {
  const std::string& text = node.text.empty() ? node.description : node.text;
  const int height = area.bottom - area.top;
  const int font = std::max(1, std::min(screen.width / 26, height * 6 / 10));
  if (text.empty()) return {};
  return "<svg" + box(area) + "><text class=\"label\"" + attribute("x", font / 2) +
         attribute("y", height / 2 + font / 3) + attribute("font-size", font) + ">" +
         escape_html(shortened(text)) + "</text></svg>";
}

std::string sketch(const UiTree& tree, Size size) {
  std::string svg;
  const std::size_t count = std::min(tree.interesting.size(), kMaxDrawn);
  for (std::size_t i = 0; i < count; ++i) {
    const UiNode& node = tree.nodes[tree.interesting[i]];
    const Bounds area = clipped(node.bounds, size);
    if (is_empty(area)) continue;
    svg += "<rect class=\"node\"" + box(area) + " rx=\"8\"/>" + label(node, area, size);
  }
  return svg;
}

std::string photograph(const RecordedPicture& picture, Size size) {
  return "<image" + box({0, 0, size.width, size.height}) +
         " preserveAspectRatio=\"none\" href=\"data:image/png;base64," + picture.base64 + "\"/>";
}

int agreement(const UiNode& node, const RecordedEvent& event) {
  const auto agrees = [](const std::optional<std::string>& told, const std::string& seen) {
    return told.value_or("") == seen ? 1 : 0;
  };
  return 2 * agrees(event.resource_id, node.resource_id) + agrees(event.text, node.text) +
         agrees(event.description, node.description) + (node.flags.clickable ? 1 : 0);
}

// The row that shows a node: its own, else that of the nearest node above that has one.
std::size_t shown_node(const UiTree& tree, std::size_t node) {
  while (node != kNoNode && tree.nodes[node].ref == 0) node = tree.nodes[node].parent;
  return node;
}

}  // namespace

std::size_t find_touched(const UiTree& tree, const RecordedEvent& event) {
  std::size_t best = kNoNode;
  int best_agreement = -1;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].bounds != event.bounds) continue;
    const int found = agreement(tree.nodes[i], event);
    if (found < best_agreement) continue;
    best = i;
    best_agreement = found;
  }
  return best;
}

std::string text_within(const UiTree& tree, std::size_t node) {
  if (node == kNoNode) return {};
  const int depth = tree.nodes[node].depth;
  for (std::size_t i = node; i < tree.nodes.size(); ++i) {
    const UiNode& inner = tree.nodes[i];
    if (i != node && inner.depth <= depth) break;
    if (!inner.text.empty()) return inner.text;
    if (!inner.description.empty()) return inner.description;
  }
  return {};
}

std::string screen_svg(const UiTree* tree, const RecordedPicture* picture,
                       const std::optional<Bounds>& touched) {
  Size size = tree != nullptr ? size_of(*tree) : Size{};
  if ((size.width == 0 || size.height == 0) && picture != nullptr) size = size_of(*picture);
  if (size.width == 0 || size.height == 0) return {};
  std::string svg = "<svg viewBox=\"0 0 " + std::to_string(size.width) + " " +
                    std::to_string(size.height) +
                    "\" role=\"img\" aria-label=\"The screen before " + "this event\">";
  if (picture != nullptr) {
    svg += photograph(*picture, size);
  } else {
    svg += sketch(*tree, size);
  }
  if (touched) svg += "<rect class=\"touched\"" + box(clipped(*touched, size)) + " rx=\"8\"/>";
  return svg + "</svg>";
}

std::string tree_html(const UiTree& tree, std::size_t touched) {
  const std::size_t marked = shown_node(tree, touched);
  const auto rows = outline(tree);
  const std::string text = to_pretty(tree);  // the screen's line, then a line a row
  std::string_view left = text;
  std::string html;
  for (std::size_t line = 0; !left.empty() && line <= kMaxLines; ++line) {
    const std::size_t end = left.find('\n');
    const std::string shown = escape_html(left.substr(0, end));
    const bool is_marked = line > 0 && line <= rows.size() && rows[line - 1].node == marked;
    html += is_marked ? "<mark>" + shown + "</mark>\n" : shown + "\n";
    left.remove_prefix(end == left.npos ? left.size() : end + 1);
  }
  if (rows.size() > kMaxLines) {
    html += "... " + std::to_string(rows.size() - kMaxLines) + " more nodes in the JSON export\n";
  }
  return html;
}

}  // namespace clawperator
