#include "runtime/engine/screen_size.hpp"

#include <charconv>

#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/engine/channel.hpp"

namespace clawperator {
namespace {

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

}  // namespace

std::optional<ScreenSize> parse_wm_size(std::string_view text) {
  std::optional<ScreenSize> size;
  while (!text.empty()) {
    const std::string_view line = take_line(&text);
    for (const std::string_view kind : {"Physical size: ", "Override size: "}) {
      if (!line.starts_with(kind)) continue;
      if (const auto told = parse_sides(line.substr(kind.size()))) size = told;
    }
  }
  return size;
}

asio::awaitable<std::optional<ScreenSize>> ask_screen_size(adbproto::Device* device) {
  const auto output = co_await run_command_line(device, screen_size_line(), kLimit);
  co_return output ? parse_wm_size(output->out) : std::nullopt;
}

}  // namespace clawperator
