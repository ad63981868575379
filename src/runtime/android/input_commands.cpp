#include "runtime/android/input_commands.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "base/prelude.hpp"

namespace clawperator {

namespace {

constexpr std::size_t kPiece = 100;
constexpr std::string_view kPrefix = "KEYCODE_";

struct KeyName {
  std::string_view name;
  int number;
};

// android.view.KeyEvent; letters and digits are reckoned.
constexpr auto kKeys = std::to_array<KeyName>({
    {"HOME", 3},
    {"BACK", 4},
    {"CALL", 5},
    {"ENDCALL", 6},
    {"DPAD_UP", 19},
    {"DPAD_DOWN", 20},
    {"DPAD_LEFT", 21},
    {"DPAD_RIGHT", 22},
    {"DPAD_CENTER", 23},
    {"VOLUME_UP", 24},
    {"VOLUME_DOWN", 25},
    {"POWER", 26},
    {"CAMERA", 27},
    {"TAB", 61},
    {"SPACE", 62},
    {"ENTER", 66},
    {"DEL", 67},
    {"MENU", 82},
    {"NOTIFICATION", 83},
    {"SEARCH", 84},
    {"MEDIA_PLAY_PAUSE", 85},
    {"PAGE_UP", 92},
    {"PAGE_DOWN", 93},
    {"ESCAPE", 111},
    {"FORWARD_DEL", 112},
    {"MOVE_HOME", 122},
    {"MOVE_END", 123},
    {"VOLUME_MUTE", 164},
    {"APP_SWITCH", 187},
    {"ASSIST", 219},
    {"BRIGHTNESS_DOWN", 220},
    {"BRIGHTNESS_UP", 221},
    {"SLEEP", 223},
    {"WAKEUP", 224},
    {"CUT", 277},
    {"COPY", 278},
    {"PASTE", 279},
    {"ALL_APPS", 284},
});

std::optional<int> letter_or_digit(std::string_view name) {
  constexpr int kZero = 7;
  constexpr int kA = 29;
  if (name.size() != 1) return std::nullopt;
  const char c = name.front();
  if (c >= '0' && c <= '9') return kZero + (c - '0');
  if (c >= 'A' && c <= 'Z') return kA + (c - 'A');
  return std::nullopt;
}

bool is_printable_ascii(char c) { return c >= ' ' && c <= '~'; }

}  // namespace

Words tap_words(InputPoint at) { return {"tap", std::to_string(at.x), std::to_string(at.y)}; }

Words swipe_words(InputPoint from, InputPoint to, std::optional<int> duration_ms) {
  Words words{"swipe", std::to_string(from.x), std::to_string(from.y), std::to_string(to.x),
              std::to_string(to.y)};
  if (duration_ms) words.push_back(std::to_string(*duration_ms));
  return words;
}

Words drag_words(InputPoint from, InputPoint to, int duration_ms) {
  Words words = swipe_words(from, to, duration_ms);
  words.front() = "draganddrop";
  return words;
}

std::string double_tap_line(InputPoint at) {
  const std::string tap = "cmd input tap " + std::to_string(at.x) + " " + std::to_string(at.y);
  return tap + " && sleep 0.06 && " + tap;
}

// Before Android 10 `dumpsys window windows` contains it, since then `displays`.
std::string keyboard_line(int sdk) {
  constexpr int kByDisplay = 29;
  return "dumpsys input_method | grep -E 'mInputShown=|mIsInputViewShown='; dumpsys window " +
         std::string(sdk >= kByDisplay ? "displays" : "windows") + " | grep mFocusedApp= || true";
}

Words keyevent_words(int key) { return {"keyevent", std::to_string(key)}; }

Words keyevents_words(std::span<const int> keys) {
  Words words{"keyevent"};
  for (const int key : keys) words.push_back(std::to_string(key));
  return words;
}

// Old releases hand their arguments on unquoted, so that a blank is never sent as one.
Words text_words(std::string_view piece) {
  std::string written;
  for (const char c : piece) written.append(c == ' ' ? "%s" : std::string(1, c));
  return {"text", std::move(written)};
}

std::optional<int> key_number(std::string_view name) {
  if (const auto number = whole_number<int>(name)) {
    return *number >= 1 && *number <= kMaxKey ? number : std::nullopt;
  }
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  const auto known = std::ranges::find(kKeys, name, &KeyName::name);
  return known != kKeys.end() ? std::optional(known->number) : letter_or_digit(name);
}

std::optional<int> find_key(std::string_view given) {
  const auto key = key_number(given);
  if (key || whole_number<int>(given)) return key;
  std::string name;
  for (const char c : given) {
    if (c >= 'a' && c <= 'z') {
      name += static_cast<char>(c - 'a' + 'A');
    } else {
      name += c == ' ' || c == '-' ? '_' : c;
    }
  }
  if (name == "RECENTS") name = "APP_SWITCH";
  if (name == "BACKSPACE") name = "DEL";
  return key_number(name.starts_with(kPrefix) ? name : std::string(kPrefix) + name);
}

bool can_type(std::string_view text) { return std::ranges::all_of(text, is_printable_ascii); }

std::vector<std::string> input_text_pieces(std::string_view text) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const auto blank = text.find("%s");
    const std::size_t whole = blank == std::string_view::npos ? text.size() : blank + 1;
    pieces.emplace_back(text.substr(0, std::min(whole, kPiece)));
    text.remove_prefix(pieces.back().size());
  }
  return pieces;
}

}  // namespace clawperator
