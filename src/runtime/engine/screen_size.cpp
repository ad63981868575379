#include "runtime/engine/screen_size.hpp"

#include <charconv>

#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/android/screen_commands.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator {
namespace {

// On Android 7 `wm` starts a Java process, about a second; a snapshot must not wait much longer.
constexpr auto kLimit = std::chrono::seconds(3);

std::optional<ScreenSize> parse_sides(std::string_view text) {
  ScreenSize size;
  const char* end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  if (width.ec != std::errc() || width.ptr == end || *width.ptr != 'x') return std::nullopt;
  const auto height = std::from_chars(width.ptr + 1, end, size.height);
  if (height.ec != std::errc() || size.width == 0 || size.height == 0) return std::nullopt;
  return size;
}

// The word behind `name`, up to a blank; empty where the line does not have it.
std::string_view word_behind(std::string_view line, std::string_view name) {
  const auto at = line.find(name);
  if (at == line.npos) return {};
  line.remove_prefix(at + name.size());
  return line.substr(0, line.find_first_of(kBlanks));
}

// Of the line of a keyboard that is shown.
Bounds keyboard_of(std::string_view line) {
  const std::string_view kind = word_behind(line, "type=");
  const bool is_shown = word_behind(line, "visible=") == "true";
  if (!is_shown || (kind != "ime" && kind != "ITYPE_IME")) return {};
  return parse_bounds(word_behind(line, " frame="));
}

}  // namespace

std::optional<ScreenSize> parse_wm_size(std::string_view text) {
  std::optional<ScreenSize> size;
  while (!text.empty()) {
    const std::string_view line = take_line(&text);
    for (const std::string_view kind : {"Physical size: ", "Override size: "}) {
      if (!line.starts_with(kind)) continue;
      if (const auto sides = parse_sides(line.substr(kind.size()))) size = sides;
    }
  }
  return size;
}

ScreenNow parse_screen_now(std::string_view text) {
  ScreenNow now;
  for (bool is_main = false; !text.empty();) {
    const std::string_view line = take_line(&text);
    const std::string_view number = word_behind(line, "Display: mDisplayId=");
    if (!number.empty()) is_main = number == "0";
    if (!is_main) continue;
    if (!now.size) now.size = parse_sides(word_behind(line, " cur="));
    if (now.keyboard.is_empty()) now.keyboard = keyboard_of(line);
  }
  if (now.keyboard.is_empty()) now.keyboard = {};
  return now;
}

asio::awaitable<ScreenNow> ask_screen_now(adbproto::Device* device) {
  const auto output = co_await run_command_line(device, screen_now_line(), kLimit);
  co_return output ? parse_screen_now(output->out) : ScreenNow{};
}

asio::awaitable<std::optional<ScreenSize>> ask_screen_size(adbproto::Device* device) {
  const auto output = co_await run_command_line(device, screen_size_line(), kLimit);
  co_return output ? parse_wm_size(output->out) : std::nullopt;
}

}  // namespace clawperator
