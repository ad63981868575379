#include "runtime/engine/ask_service_listing.hpp"

#include "runtime/android/chore_commands.hpp"
#include "runtime/engine/preflight.hpp"

namespace clawperator {

namespace {

constexpr auto kLimit = std::chrono::seconds(10);

}  // namespace

asio::awaitable<ServiceListing> ask_service_listing(CommandChannel* channel,
                                                    std::string operator_package) {
  const auto user = co_await front_user(channel);
  if (!user) co_return ServiceListing::unknown;
  const auto printed = co_await channel->probe(
      AndroidService::settings,
      read_setting_words(*user, {"secure", std::string(kAccessibilityList)}), kLimit);
  co_return printed ? service_listing(printed->out, operator_package) : ServiceListing::unknown;
}

}  // namespace clawperator
