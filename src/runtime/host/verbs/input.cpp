#include "runtime/host/verbs/input.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/phone_maker.hpp"

namespace clawperator {

Task<PictureProof> give_input(Device* device, DeviceInput input) {
  const auto done = co_await perform_input(device, std::move(input));
  if (!done) co_return std::unexpected(co_await with_vendor_hint(device, done.error()));
  co_return done;
}

namespace {

constexpr int kEscape = 111;
constexpr int kBack = 4;
constexpr int kKeyboardReads = 5;
// 800 ms in all, until the keyboard has slid away.
constexpr auto kKeyboardPause = std::chrono::milliseconds(200);
// As kChoreLimit: `input` is a Java program of about a second until Android 11.
constexpr auto kKeyLimit = std::chrono::milliseconds(10000);

// "com.x/.Main" of "...ActivityRecord{51d0d02 u0 com.x/.Main t7}".
std::string activity_of(std::string_view line) {
  constexpr std::string_view kRecord = "ActivityRecord{";
  const auto at = line.rfind(kRecord);
  if (at == line.npos) return {};
  std::string_view words = line.substr(at + kRecord.size());
  words = words.substr(0, std::min(words.find('}'), words.size()));
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    if (words.substr(0, end).contains('/')) return std::string(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return {};
}

Task<KeyboardState> read_keyboard(adbproto::Device* device, int sdk) {
  CO_TRY(const CommandOutput printed, co_await run_on_device(device, keyboard_line(sdk)));
  co_return required(parse_keyboard(printed.out), "report whether a keyboard is shown", printed);
}

struct KeyedPhone {
  adbproto::Device* device = nullptr;
  int sdk = 0;
  std::string command_id{};
};

// The state a moment after the key.
Task<KeyboardState> press_and_read(const KeyedPhone* phone, int key) {
  DeviceInput input{.command_id = phone->command_id, .calls = {}, .limit = kKeyLimit};
  input.calls.push_back(keyevent_words(key));
  CO_TRY_VOID(co_await give_input(phone->device, std::move(input)));
  Result<KeyboardState> state;
  for (int reads = 0; reads < kKeyboardReads; ++reads) {
    if (reads > 0) co_await sleep_for(kKeyboardPause);
    state = co_await read_keyboard(phone->device, phone->sdk);
    if (!state) co_return std::unexpected(unknown_end(state.error()));
    if (!state->shown) break;
  }
  co_return state;
}

}  // namespace

std::optional<KeyboardState> parse_keyboard(std::string_view printed) {
  constexpr std::string_view kShown = "mInputShown=";
  const auto at = printed.find(kShown);
  if (at == printed.npos) return std::nullopt;
  KeyboardState state;
  // The system may think that it is shown while the keyboard itself shows nothing.
  state.shown = printed.substr(at + kShown.size()).starts_with("true") &&
                !printed.contains("mIsInputViewShown=false");
  while (!printed.empty()) {
    const std::string_view line = take_line(&printed);
    if (line.contains("mFocusedApp=") && state.activity.empty()) state.activity = activity_of(line);
  }
  return state;
}

Task<bool> is_keyboard_shown(adbproto::Device* device) {
  CO_TRY(const int sdk, co_await read_sdk(device));
  CO_TRY(const KeyboardState state, co_await read_keyboard(device, sdk));
  co_return state.shown;
}

Task<ReadBack> hide_keyboard(adbproto::Device* device, std::string command_id) {
  CO_TRY(const int sdk, co_await read_sdk(device));
  CO_TRY(const KeyboardState before, co_await read_keyboard(device, sdk));
  if (!before.shown) co_return ReadBack::unchanged;
  const KeyedPhone phone{device, sdk, std::move(command_id)};
  auto after = co_await press_and_read(&phone, kEscape);
  if (!after) co_return std::unexpected(after.error());
  if (after->shown) after = co_await press_and_read(&phone, kBack);
  // Escape has been pressed, whether or not Back worked.
  if (!after) co_return std::unexpected(unknown_end(after.error()));
  const bool same = after->activity == before.activity;
  if (!after->shown && same) co_return ReadBack::changed;
  ErrorMembers found;
  found.boolean("shown", after->shown).text("activity", after->activity);
  co_return not_confirmed(same ? "The keyboard is still shown."
                               : "The key left the screen: " + before.activity +
                                     " was in front, now " + after->activity + " is.",
                          device->serial(), found);
}

}  // namespace clawperator
