#include "runtime/act/input_body.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/engine/errc.hpp"

namespace clawperator::act {
namespace {

// Starting a program of Android's takes up to two seconds on old phones, and `input` waits until
// the app has taken the event.
constexpr auto kPatience = std::chrono::milliseconds(10000);

std::unexpected<Error> wrong(std::string_view name, std::string_view wanted) {
  return fail(errc::invalid_input, in_quotes(name) + " must be " + std::string(wanted));
}

Result<int> read_number(const Json& body, std::string_view name, int most) {
  const auto number = whole_value(find_member(body, name), 0, most);
  if (number) return static_cast<int>(*number);
  return wrong(name, "a whole number from 0 to " + std::to_string(most));
}

Result<InputPoint> read_point(const Json& body, std::string_view x, std::string_view y) {
  InputPoint point;
  TRY(point.x, read_number(body, x, kMaxCoordinate));
  TRY(point.y, read_number(body, y, kMaxCoordinate));
  return point;
}

DeviceInput one_call(Words words, const Json& body, std::vector<InputPoint> points = {}) {
  return {.calls = {std::move(words)},
          .limit = kPatience,
          .points = std::move(points),
          .description = write_json(body)};
}

Result<DeviceInput> read_tap(const Json& body) {
  TRY(const InputPoint at, read_point(body, "x", "y"));
  return one_call(tap_words(at), body, {at});
}

Result<DeviceInput> read_swipe(const Json& body) {
  TRY(const InputPoint from, read_point(body, "x1", "y1"));
  TRY(const InputPoint to, read_point(body, "x2", "y2"));
  std::optional<int> duration;
  if (find_member(body, "durationMs")) {
    TRY(duration, read_number(body, "durationMs", kMaxSwipeMs));
  }
  DeviceInput input = one_call(swipe_words(from, to, duration), body, {from, to});
  input.limit += std::chrono::milliseconds(duration.value_or(0));
  return input;
}

Result<DeviceInput> read_key(const Json& body) {
  const Json* key = find_member(body, "key");
  const std::string* name = string_value(key);
  const auto number = key_number(name ? *name : key ? write_json(*key) : "");
  if (!number) {
    return wrong("key", "KEYCODE_ and a name that is known here, or a number from 1 to " +
                            std::to_string(kMaxKey));
  }
  return one_call(keyevent_words(*number), body);
}

Result<DeviceInput> read_text(const Json& body) {
  const std::string* text = string_value(find_member(body, "text"));
  if (!text || text->empty() || text->size() > kMaxInputText) {
    return wrong("text", "a text of 1 to " + std::to_string(kMaxInputText) + " bytes");
  }
  if (!can_type(*text)) {
    return fail(errc::input_text_unsupported,
                "the device's input command types printable ASCII alone");
  }
  DeviceInput input{.limit = kPatience};
  for (const std::string& piece : input_text_pieces(*text)) {
    input.calls.push_back(text_words(piece));
  }
  input.description = JsonObject()
                          .text("type", "text")
                          .number("length", static_cast<std::int64_t>(text->size()))
                          .str();
  return input;
}

struct Kind {
  std::string_view type;
  std::array<std::string_view, 5> members;  // up to the first empty one
  Result<DeviceInput> (*read)(const Json& body);
};

constexpr auto kKinds = std::to_array<Kind>({
    {"tap", {"x", "y"}, read_tap},
    {"swipe", {"x1", "y1", "x2", "y2", "durationMs"}, read_swipe},
    {"key", {"key"}, read_key},
    {"text", {"text"}, read_text},
});

}  // namespace

DeviceInput double_tap(InputPoint at) {
  DeviceInput input{.limit = kPatience, .points = {at}, .kind = "tap"};
  input.line = double_tap_line(at);
  input.line_since = kDoubleTaps;
  input.description =
      JsonObject().text("type", "tap").number("x", at.x).number("y", at.y).number("count", 2).str();
  return input;
}

Result<DeviceInput> read_input(const Json& body) {
  const std::string* type = string_value(find_member(body, "type"));
  const auto kind = std::ranges::find(kKinds, type ? *type : std::string_view(), &Kind::type);
  if (kind == kKinds.end()) return wrong("type", "tap, swipe, key or text");
  for (const auto& [name, value] : body.get_ref<const Json::object_t&>()) {
    const bool is_known = std::ranges::find(kind->members, name) != kind->members.end();
    if (name == "type" || (is_known && !name.empty())) continue;
    return fail(errc::invalid_input, in_quotes(name) + " is no member of a " + *type);
  }
  TRY(DeviceInput input, kind->read(body));
  input.kind = kind->type;
  return input;
}

}  // namespace clawperator::act
