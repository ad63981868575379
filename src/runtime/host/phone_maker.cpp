#include "runtime/host/phone_maker.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/host/device_shell.hpp"

namespace clawperator {
namespace {

constexpr auto kAskLimit = std::chrono::milliseconds(3000);
constexpr std::size_t kLongestName = 64;

}  // namespace

PhoneMaker parse_maker(std::string_view printed) {
  PhoneMaker maker;
  maker.name = std::string(take_line(&printed).substr(0, kLongestName));
  maker.sdk = std::max(0, whole_number<int>(take_line(&printed)).value_or(0));
  return maker;
}

asio::awaitable<PhoneMaker> ask_maker(adbproto::Device* device) {
  const auto printed = co_await run_on_device(device, maker_line(), kAskLimit);
  co_return printed ? parse_maker(printed->out) : PhoneMaker{};
}

asio::awaitable<Error> with_vendor_hint(adbproto::Device* device, Error error) {
  const auto symptom = symptom_of(error.message());
  if (!symptom || error.members().contains("\"hint\"")) co_return error;
  const PhoneMaker maker = co_await ask_maker(device);
  ErrorMembers members;
  members.text("hint", hint_for(maker.name, maker.sdk, *symptom));
  co_return with_members(error, members);
}

}  // namespace clawperator
