#include "runtime/mcp/phone_words.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "runtime/engine/screen_size.hpp"
#include "runtime/host/verbs/input.hpp"
#include "runtime/host/verbs/notifications.hpp"
#include "runtime/host/verbs/system.hpp"

namespace clawperator::mcp {
namespace {

using adbproto::Device;

template <Shade wanted>
Task<void> show(Device* device, std::string /*command_id*/) {
  CO_TRY_VOID(co_await move_shade(device, wanted));
  co_return ok();
}

Task<void> put_keyboard_away(Device* device, std::string command_id) {
  CO_TRY_VOID(co_await hide_keyboard(device, std::move(command_id)));
  co_return ok();
}

// A tablet is held upright where it is wide.
template <bool tall>
Task<void> turn(Device* device, std::string /*command_id*/) {
  const auto upright = co_await ask_screen_size(device);
  const bool is_tall = !upright || upright->height >= upright->width;
  CO_TRY_VOID(co_await rotate(device, is_tall == tall ? 0 : 1));
  co_return ok();
}

Task<void> turn_as_held(Device* device, std::string /*command_id*/) {
  CO_TRY_VOID(co_await rotate(device, std::nullopt));
  co_return ok();
}

struct PhoneWord {
  std::string_view word;
  Task<void> (*verb)(Device* device, std::string command_id);
};

constexpr auto kWords = std::to_array<PhoneWord>({{"notifications", show<Shade::open>},
                                                  {"quick_settings", show<Shade::quick_settings>},
                                                  {"hide_keyboard", put_keyboard_away},
                                                  {"rotate_portrait", turn<true>},
                                                  {"rotate_landscape", turn<false>},
                                                  {"rotate_auto", turn_as_held}});

}  // namespace

std::function<Task<void>(Device*, std::string command_id)> find_phone_word(std::string_view word) {
  std::string plain = ascii_lower(word);
  std::ranges::replace_if(plain, [](char c) { return c == ' ' || c == '-'; }, '_');
  const auto found = std::ranges::find(kWords, plain, &PhoneWord::word);
  if (found == kWords.end()) return {};
  return found->verb;
}

}  // namespace clawperator::mcp
