#include <algorithm>

#include "base/error_members.hpp"
#include "base/hints.hpp"
#include "base/json_text.hpp"
#include "runtime/act/aim.hpp"
#include "runtime/act/input_body.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/mcp/input_schema.hpp"
#include "runtime/mcp/tool.hpp"

namespace clawperator::mcp {
namespace {

template <std::size_t... sizes>
constexpr auto join(const std::array<Property, sizes>&... parts) {
  std::array<Property, (sizes + ...)> all{};
  std::size_t at = 0;
  const auto append = [&](const auto& part) {
    for (const Property& property : part) all[at++] = property;
  };
  (append(parts), ...);
  return all;
}

constexpr std::string_view kModes[] = {"compact", "full", "diff"};
constexpr std::string_view kObserve[] = {"diff", "compact", "none"};
constexpr std::string_view kFormats[] = {"jpeg", "png"};
constexpr std::string_view kMarks[] = {"actionable", "all"};
constexpr std::string_view kSpaces[] = {"screen", "picture"};
constexpr std::string_view kDirections[] = {"up", "down", "left", "right"};

constexpr std::string_view kStops[] = {"failure", "unchanged"};
constexpr std::string_view kVerifies[] = {"changed", "settled"};

constexpr int kLongestWait = 30000;
constexpr int kMostBytes = 4 << 20;  // no model reads as much of a tree; the schema needs a bound

constexpr Property coordinate(std::string_view name, std::string_view meaning = "") {
  return whole_argument(name, 0, act::kMaxCoordinate, meaning);
}

constexpr std::array kReady{Property{"ready", Type::boolean, "only those that can be used"}};
constexpr std::array kDevice{Property{"device", Type::text, ""}};
constexpr Property unlisted(Property property) {
  property.is_listed = false;
  return property;
}

// The first choice is the default.
constexpr std::array kObserving{
    Property{"observe", Type::text, "", kObserve},
    unlisted(whole_argument("settle_ms", 0, static_cast<int>(kLongestStill.count())))};
constexpr std::array kVerifying{Property{"verify", Type::text, "", kVerifies}};
constexpr Property kSelector{"selector", Type::selector, ""};
constexpr std::array kNode{
    Property{"ref", Type::text, "@3 or hash@3"},
    kSelector,
};
constexpr std::array kNth{whole_argument("nth", 1, act::kMostNth)};
constexpr std::array kSearching{
    unlisted(whole_argument("patience", 0, static_cast<int>(kLongestPatience.count())))};
constexpr std::array kPoint{coordinate("x"), coordinate("y")};
// The guide and the facts beside a picture explain it.
constexpr std::array kSpace{Property{"space", Type::text, "", kSpaces}};
constexpr std::array kCount{whole_argument("count", 1, 2, "2: double tap")};
constexpr std::array kScroll{
    Property{"scroll", Type::text, "until it is there; down: to content below", kDirections}};

constexpr auto kSnapshotProperties =
    join(std::array{Property{"mode", Type::text, "full is XML; default compact", kModes},
                    Property{"since", Type::text, "default: the last shown"},
                    whole_argument("max_bytes", 200, kMostBytes, "cuts a longer tree")},
         kDevice);
constexpr auto kScreenshotProperties =
    join(std::array{whole_argument("max_side", 64, 16384, "default 1280"),
                    Property{"format", Type::text, "default jpeg", kFormats},
                    Property{"marks", Type::text, "draw refs", kMarks}},
         kDevice);
constexpr auto kTapProperties =
    join(kNode, kNth, kPoint, kSpace, kCount, kScroll, kSearching, kObserving, kVerifying, kDevice);
constexpr auto kLongPressProperties =
    join(kNode, kNth, kPoint, kSpace, kSearching, kObserving, kVerifying, kDevice);
constexpr auto kSwipeProperties = join(
    std::array{
        Property{"direction", Type::text, "of the finger: up shows content below", kDirections},
        coordinate("x1", "with y1, x2, y2: a drag"), coordinate("y1"), coordinate("x2"),
        coordinate("y2"), whole_argument("duration_ms", 1, act::kMaxSwipeMs)},
    kSpace, kObserving, kVerifying, kDevice);
constexpr auto kTypeProperties =
    join(std::array{Property{
             "text", Type::text, "replaces the field's text", {}, true, 0, kMaxMatcherValueLength}},
         kNode, kNth,
         std::array{Property{"submit", Type::boolean, "press Enter afterwards"},
                    Property{"secret", Type::boolean, "text that no answer and log shows"}},
         kSearching, kObserving, kVerifying, kDevice);
constexpr auto kKeyProperties =
    join(std::array{Property{"key",
                             Type::text,
                             "back, home, recents; notifications, quick_settings, hide_keyboard, "
                             "rotate_portrait, rotate_landscape, rotate_auto; enter, tab, ... "
                             "or KEYCODE_*",
                             {},
                             true}},
         kObserving, kVerifying, kDevice);
constexpr auto kPackageProperties = join(std::array{Property{"package", Type::text, "", {}, true}},
                                         kObserving, kVerifying, kDevice);
constexpr auto kOpenProperties =
    join(std::array{Property{"package", Type::text, ""}}, kObserving, kVerifying, kDevice);
constexpr auto kUrlProperties = join(
    std::array{Property{"url", Type::text, "web address or deep link", {}, true, 0, kMaxUriLength}},
    kObserving, kVerifying, kDevice);
constexpr auto kWaitProperties =
    join(std::array{kSelector, Property{"package", Type::text, "an app that comes to the front"},
                    Property{"gone", Type::boolean, "until none matches"},
                    Property{"any", Type::conditions,
                             "{selector, gone, contains}, {package}, {keyboard}, {still}"},
                    Property{"all", Type::conditions, ""},
                    whole_argument("timeout_ms", 100, kLongestWait, "default 10000")},
         kObserving, kDevice);
constexpr auto kExecuteProperties = join(
    std::array{Property{"steps", Type::calls, "each one tool with its arguments"},
               Property{"stop_on", Type::text, "unchanged: also where nothing changed", kStops},
               unlisted({"actions", Type::steps, ""}),
               whole_argument("timeout_ms", 1000, 120000, "default 30000"),
               Property{"handle", Type::text, "of a plan that goes on"}},
    kSearching, kObserving, kVerifying, kDevice);

constexpr ToolRow kTools[] = {
    {"devices", "Lists devices and their states, the default first.", kReady, Nature::reads,
     call_devices},
    {"doctor", "Checks everything from here to the app on the device; lists repairs.", kDevice,
     Nature::reads, call_doctor},
    {"snapshot", "Reads the screen as a tree of nodes with refs.", kSnapshotProperties,
     Nature::reads, call_snapshot, true},
    {"screenshot", "Takes a picture of the screen.", kScreenshotProperties, Nature::reads,
     call_screenshot},
    {"tap", "Taps a node (ref or selector) or a point (x, y).", kTapProperties, Nature::acts,
     call_tap, true},
    {"long_press", "Presses a node or a point for long.", kLongPressProperties, Nature::acts,
     call_long_press, true},
    {"swipe", "Scrolls by a direction, or drags a finger from x1,y1 to x2,y2.", kSwipeProperties,
     Nature::acts, call_swipe, true},
    {"type_text", "Puts text into a field.", kTypeProperties, Nature::acts, call_type_text, true},
    {"press_key", "Presses a key.", kKeyProperties, Nature::acts, call_press_key, true},
    {"open_app", "Brings an app to the front; without package lists apps.", kOpenProperties,
     Nature::acts, call_open_app, true},
    {"open_url", "Opens a URL.", kUrlProperties, Nature::acts, call_open_url, true},
    {"close_app", "Force-stops an app; unsaved state is lost.", kPackageProperties,
     Nature::destroys, call_close_app, true},
    {"wait_for", "Waits for a node or an app, or until a node is gone.", kWaitProperties,
     Nature::reads, call_wait_for, true},
    {"execute", "Runs several tools, one after the other; stops where one fails.",
     kExecuteProperties, Nature::destroys, call_execute},
};

std::string annotations_of(const ToolRow& row) {
  JsonObject hints;
  // The defaults: readOnlyHint is false, destructiveHint is true.
  if (row.nature == Nature::reads) {
    hints.boolean("readOnlyHint", true);
  } else {
    hints.boolean("destructiveHint", row.nature == Nature::destroys);
  }
  // Clients assume an open world, which fits a tap: an app may act beyond the device. A tool that
  // only reads stays on this device.
  if (row.nature == Nature::reads) hints.boolean("openWorldHint", false);
  return hints.str();
}

std::string row_json(const ToolRow& row) {
  return JsonObject()
      .text("name", row.name)
      .text("description", row.description)
      .json("inputSchema", input_schema(row.properties))
      .json("annotations", annotations_of(row))
      .str();
}

}  // namespace

std::span<const ToolRow> tool_table() { return kTools; }

std::string tools_json(std::span<const ToolRow> tools) { return list_json(tools, row_json); }

std::chrono::milliseconds Call::time_left() const {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(end - adbproto::Clock::now());
  return std::max(left, std::chrono::milliseconds(0));
}

ToolAnswer error_answer(const Error& error) {
  ToolAnswer answer =
      text_answer(R"({"ok":false,)" + to_json(restated(error, Reader::mcp)).substr(1));
  answer.is_error = true;
  return answer;
}

}  // namespace clawperator::mcp
